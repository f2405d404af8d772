/// HDF5 files as bytes: what is written is read back, equal contents are equal bytes, and whatever
/// else is read is refused with a sentence.

#include "slipstick/io/hdf5/hdf5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cases.h"
#include "slipstick/errors.h"
#include "slipstick/io/hdf5/hdf5_difference.h"

namespace slipstick::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;

const Hdf5Array kTable{{2, 3}, std::vector<double>{1.0, -0.0, 3e-308, 0.1, 5.0, -6e300}};

std::string make_small_file(double value) {
  Hdf5Writer writer;
  Hdf5Group root = writer.root();
  root.set("text", make_hdf5("a long way"));
  root.set("value", make_hdf5(value));
  Hdf5Group group = root.add_group("group");
  group.set("count", make_hdf5(std::int64_t{-7}));
  group.set("names", make_hdf5(Texts{"x", "", "theta"}));
  group.add("table", kTable);
  group.add("none", {{0, 3}, std::vector<double>{}});
  group.add("numbers", make_hdf5(std::vector<std::int64_t>{1, 1L << 60U}));
  group.add("small", {{3}, std::vector<std::int8_t>{-128, 0, 127}});
  group.add("words", make_hdf5(Texts{}));
  return writer.make_bytes();
}

std::string find_hdf5_refusal(const std::string& bytes) {
  try {
    const Hdf5Reader reader("x.h5", bytes);
    (void)reader.read("/group/table");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Hdf5, ReadsWhatWasWritten) {
  const Hdf5Reader reader("x.h5", make_small_file(0.1));
  EXPECT_EQ(reader.read_attribute("/", "text"), make_hdf5("a long way"));
  EXPECT_EQ(reader.read_attribute("/", "value"), make_hdf5(0.1));
  EXPECT_EQ(reader.read_attribute("/group", "count"), make_hdf5(std::int64_t{-7}));
  EXPECT_EQ(reader.read_attribute("/group", "names"), make_hdf5(Texts{"x", "", "theta"}));
  EXPECT_EQ(reader.read("/group/table"), kTable);
  EXPECT_EQ(reader.read("/group/none").shape, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(reader.read("/group/numbers"), make_hdf5(std::vector<std::int64_t>{1, 1L << 60U}));
  EXPECT_EQ(reader.read("/group/small"), (Hdf5Array{{3}, std::vector<std::int8_t>{-128, 0, 127}}));
  EXPECT_EQ(reader.read("/group/words"), make_hdf5(Texts{}));
  EXPECT_THAT(reader.list("/group"), ElementsAre("none", "numbers", "small", "table", "words"));
  EXPECT_THAT(reader.list_attributes("/"), ElementsAre("text", "value"));
  EXPECT_TRUE(reader.is_group("/group"));
  EXPECT_FALSE(reader.is_group("/group/table"));
  EXPECT_TRUE(reader.has("/group/table"));
  EXPECT_FALSE(reader.has("/group/chair"));
  EXPECT_TRUE(reader.has_attribute("/group", "count"));
  EXPECT_FALSE(reader.has_attribute("/group", "text"));
}

/// Attributes of 64 KiB and more do not fit where others are; those beside them move with them.
TEST(Hdf5, LongTexts) {
  const std::string text(200000, 'x');
  Hdf5Writer writer;
  Hdf5Group root = writer.root();
  root.set("text", make_hdf5(text));
  for (int i = 0; i < 100; ++i) root.set("a" + std::to_string(i), make_hdf5(std::int64_t{i}));
  root.add("text", make_hdf5(text));
  const Hdf5Reader reader("x.h5", writer.make_bytes());
  EXPECT_EQ(reader.read_attribute("/", "text"), make_hdf5(text));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(reader.read_attribute("/", "a" + std::to_string(i)), make_hdf5(std::int64_t{i}));
  }
  EXPECT_EQ(reader.read("/text"), make_hdf5(text));
}

TEST(Hdf5, ManyMembers) {
  constexpr int kMany = 5000;
  Hdf5Writer writer;
  {
    Hdf5Group root = writer.root();
    for (int i = 0; i < kMany; ++i) {
      root.add_group("member-" + std::to_string(i)).set("i", make_hdf5(std::int64_t{i}));
    }
  }
  const Hdf5Reader reader("x.h5", writer.make_bytes());
  EXPECT_EQ(reader.list("/").size(), static_cast<std::size_t>(kMany));
  for (int i = 0; i < kMany; ++i) {
    ASSERT_EQ(reader.read_attribute("/member-" + std::to_string(i), "i"),
              make_hdf5(std::int64_t{i}));
  }
}

/// Values that are made while the file is written, in parts, are those that were there at once.
TEST(Hdf5, ValuesInParts) {
  const std::vector<double> values{1.0, 2.0, 3.0, 4.0};
  const auto write = [&](const ByteSink& sink) {
    for (const double value : values) {
      sink(std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
    }
  };
  Hdf5Writer parts;
  parts.root().add("x", Hdf5Doubles{{2, 2}, write});
  Hdf5Writer whole;
  whole.root().add("x", Hdf5Array{{2, 2}, values});
  EXPECT_EQ(parts.make_bytes(), whole.make_bytes());
  Hdf5Writer wrong;
  wrong.root().add("x", Hdf5Doubles{{2, 3}, write});
  EXPECT_THROW((void)wrong.make_bytes(), std::logic_error);
}

TEST(Hdf5, EqualContentsAreEqualBytes) {
  EXPECT_EQ(make_small_file(0.1), make_small_file(0.1));
  EXPECT_NE(make_small_file(0.1), make_small_file(0.2));
}

TEST(Hdf5, CutShortAtAnyByteIsRefused) {
  const std::string bytes = make_small_file(0.1);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(find_hdf5_refusal(bytes.substr(0, size)),
                HasSubstr("x.h5: expected a whole HDF5 file"))
        << size << " of " << bytes.size();
  }
  EXPECT_EQ(find_hdf5_refusal(bytes), "");
}

/// Every byte changed in turn: accepted, if only a value changed, or refused.
TEST(Hdf5, ChangedBytesDoNoHarm) {
  const std::string bytes = make_small_file(0.1);
  int refused = 0;
  const auto step = bytes.size() / static_cast<std::size_t>(cases(static_cast<int>(bytes.size())));
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    for (const int change : {0x01, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      try {
        (void)find_difference("x.h5", bytes, changed, "");
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("x.h5"));
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, cases(100));
}

TEST(Hdf5, OtherFilesAreRefused) {
  EXPECT_EQ(find_hdf5_refusal(""), "x.h5: expected a whole HDF5 file, got something else");
  EXPECT_EQ(find_hdf5_refusal("name = \"x\"\n"),
            "x.h5: expected a whole HDF5 file, got something else");
  EXPECT_EQ(find_hdf5_refusal(std::string(100000, '\0')),
            "x.h5: expected a whole HDF5 file, got something else");
  EXPECT_EQ(find_hdf5_refusal(Hdf5Writer().make_bytes()), "x.h5: expected /group/table, got none");
}

TEST(Hdf5, PartsThatAreNotThere) {
  const Hdf5Reader reader("x.h5", make_small_file(0.1));
  EXPECT_THROW((void)reader.read("/group"), InputError);
  EXPECT_THROW((void)reader.read("/chair"), InputError);
  EXPECT_THROW((void)reader.list("/chair"), InputError);
  EXPECT_THROW((void)reader.list("/group/table"), InputError);
  EXPECT_THROW((void)reader.read_attribute("/", "chair"), InputError);
  EXPECT_THROW((void)reader.list_attributes("/chair"), InputError);
}

TEST(Hdf5, FirstDifferenceIsNamed) {
  EXPECT_EQ(find_difference("x.h5", make_small_file(0.1), make_small_file(0.1), ""), std::nullopt);
  EXPECT_EQ(find_difference("x.h5", make_small_file(0.1), make_small_file(0.2), ""),
            "/: value: 0.1 and 0.2");
  EXPECT_EQ(find_difference("x.h5", make_small_file(0.1), make_small_file(0.2), "value"),
            std::nullopt);
  const auto make = [](const Hdf5Array& array) {
    Hdf5Writer writer;
    writer.root().add_group("g").add("a", array);
    return writer.make_bytes();
  };
  const auto compare = [&](const Hdf5Array& first, const Hdf5Array& second) {
    return find_difference("x.h5", make(first), make(second), "").value_or("none");
  };
  Hdf5Array other = kTable;
  std::get<std::vector<double>>(other.values)[5] = 7.0;
  EXPECT_EQ(compare(kTable, other), "/g/a: row 1, 2: -6e+300 and 7");
  other.shape = {6};
  EXPECT_EQ(compare(kTable, other), "/g/a: sizes [2, 3] and [6]");
  EXPECT_EQ(compare(kTable, make_hdf5("x")), "/g/a: values of different types");
  EXPECT_EQ(compare(make_hdf5("one two"), make_hdf5("one to")),
            "/g/a: at byte 5: 'one two' and 'one to'");
  EXPECT_EQ(find_difference("x.h5", make(kTable), Hdf5Writer().make_bytes(), ""),
            "/: 'g' and nothing");
  EXPECT_EQ(compare(make_hdf5(std::nan("")), make_hdf5(std::nan(""))), "none");
}

}  // namespace
}  // namespace slipstick::testkit
