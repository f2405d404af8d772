/// Files that are read and written: sets of files appear together or not at all, whenever the
/// process is killed and whatever other processes write. Only regular files are replaced, and no
/// link is followed.

#include "slipstick/io/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "slipstick/errors.h"

namespace slipstick::testkit {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An empty directory, gone afterwards.
class TextFileTest : public ::testing::Test {
 public:
  TextFileTest() {
    std::string name = (fs::temp_directory_path() / "slipstick-files-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    place_ = name;
  }
  ~TextFileTest() override { fs::remove_all(place_); }
  TextFileTest(const TextFileTest&) = delete;
  TextFileTest& operator=(const TextFileTest&) = delete;

 protected:
  [[nodiscard]] const fs::path& place() const { return place_; }
  [[nodiscard]] std::string at(const char* name) const { return (place_ / name).string(); }

  /// Three files of one writer in `out`.
  [[nodiscard]] std::vector<TextFile> make_set(const std::string& text) const {
    return {{at("out/a"), text}, {at("out/b"), text + text}, {at("out/c"), text}};
  }
  /// All names below the place, sorted.
  [[nodiscard]] std::vector<std::string> list() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(place_)) {
      out.push_back(fs::relative(entry.path(), place_).string());
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  [[nodiscard]] std::string read(const char* name) const {
    return fs::exists(place_ / name) ? read_text_file(at(name)) : "-";
  }
  /// The texts in `out`, one after the other; "-" for each that is not there.
  [[nodiscard]] std::string read_set() const {
    return read("out/a") + read("out/b") + read("out/c");
  }
  /// The sentence with which writing is refused; empty if it is not.
  [[nodiscard]] static std::string find_refusal(const std::vector<TextFile>& files) {
    try {
      write_text_files(files);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  /// Writes in another process, which is killed after so many changes on the disk. False if it had
  /// less to do.
  static bool write_and_kill(const std::vector<TextFile>& files, int changes) {
    const pid_t child = fork();
    if (child == 0) {
      write_text_files(files, [&] {
        if (changes-- == 0) (void)raise(SIGKILL);
      });
      _exit(0);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  }

 private:
  fs::path place_;
};

TEST_F(TextFileTest, WritesWithItsDirectories) {
  write_text_files({{at("x/y/one"), "1"}, {at("x/y/two"), "2"}, {at("z/three"), "3"}});
  EXPECT_THAT(list(), ElementsAre("x", "x/y", "x/y/one", "x/y/two", "z", "z/three"));
  EXPECT_EQ(read("x/y/two"), "2");
  EXPECT_EQ(read("z/three"), "3");
}

TEST_F(TextFileTest, KilledAtAnyMomentTheNewSetIsThereOrNothing) {
  int moments = 0;
  for (; write_and_kill(make_set("new"), moments); ++moments) {
    SCOPED_TRACE(moments);
    EXPECT_THAT(read_set(), ::testing::AnyOf("---", "newnewnewnew"));
    fs::remove_all(place() / "out");
  }
  EXPECT_GE(moments, 5);  // the staging directory, three files, the exchange
  EXPECT_EQ(read_set(), "newnewnewnew");
}

TEST_F(TextFileTest, KilledAtAnyMomentTheOldSetStaysOrTheNewOneIsThere) {
  write_text_files(make_set("old"));
  int olds = 0;
  int moments = 0;
  for (; write_and_kill(make_set("new"), moments); ++moments) {
    SCOPED_TRACE(moments);
    EXPECT_THAT(read_set(), ::testing::AnyOf("oldoldoldold", "newnewnewnew"));
    olds += read_set() == "oldoldoldold" ? 1 : 0;
    write_text_files(make_set("old"));
    EXPECT_EQ(read_set(), "oldoldoldold");
  }
  EXPECT_GE(olds, 4);
  EXPECT_GT(moments, olds);
  // The next writer removes what those that were killed had made.
  EXPECT_THAT(list(), ElementsAre("out", "out/a", "out/b", "out/c"));
}

/// Beside files of others each file is whole, and theirs stay.
TEST_F(TextFileTest, KilledAtAnyMomentFilesOfOthersStay) {
  fs::create_directories(place() / "out/deep");
  write_text_files({{at("out/deep/mine"), "mine"}});
  write_text_files(make_set("old"));
  for (int moment = 0; write_and_kill(make_set("new"), moment); ++moment) {
    SCOPED_TRACE(moment);
    EXPECT_EQ(read("out/deep/mine"), "mine");
    for (const char* name : {"out/a", "out/c"}) {
      EXPECT_THAT(read(name), ::testing::AnyOf("old", "new"));
    }
  }
  EXPECT_EQ(read_set(), "newnewnewnew");
  EXPECT_THAT(list(), ElementsAre("out", "out/a", "out/b", "out/c", "out/deep", "out/deep/mine"));
}

/// Another one writes its whole set at any moment of the first: in the end it is all of one.
TEST_F(TextFileTest, TwoWritersDoNotMix) {
  for (const bool exists : {false, true}) {
    for (int moment = 0, count = 1; moment < count; ++moment) {
      SCOPED_TRACE(moment);
      fs::remove_all(place() / "out");
      if (exists) write_text_files(make_set("old"));
      count = 0;
      write_text_files(make_set("one"), [&] {
        if (count++ == moment) write_text_files(make_set("two"));
      });
      EXPECT_THAT(read_set(), ::testing::AnyOf("oneoneoneone", "twotwotwotwo"));
      EXPECT_THAT(list(), ElementsAre("out", "out/a", "out/b", "out/c"));
      EXPECT_GE(count, 5);
    }
  }
}

/// Many at once, in processes of their own.
TEST_F(TextFileTest, ManyWritersDoNotMix) {
  for (const bool shared : {false, true}) {
    if (shared) write_text_files({{at("out/other"), "other"}});
    std::vector<pid_t> children;
    for (const char* text : {"one", "two", "six", "ten"}) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      for (int i = 0; i < 20; ++i) write_text_files(make_set(text));
      _exit(0);
    }
    for (const pid_t child : children) {
      int status = -1;
      EXPECT_EQ(waitpid(child, &status, 0), child);
      EXPECT_EQ(status, 0);
    }
    const std::string one = read("out/a");
    EXPECT_EQ(one.size(), 3U);
    EXPECT_EQ(read_set(), one + one + one + one);
  }
  EXPECT_THAT(list(), ElementsAre("out", "out/a", "out/b", "out/c", "out/other"));
}

TEST_F(TextFileTest, TheDirectoryKeepsItsPermissions) {
  write_text_files(make_set("old"));
  fs::permissions(place() / "out", fs::perms::owner_all | fs::perms::group_read);
  write_text_files(make_set("new"));
  EXPECT_EQ(fs::status(place() / "out").permissions(),
            fs::perms::owner_all | fs::perms::group_read);
  EXPECT_EQ(read_set(), "newnewnewnew");
}

/// The working directory of the user's shell.
TEST_F(TextFileTest, TheWorkingDirectoryStaysTheSame) {
  write_text_files(make_set("old"));
  const fs::path before = fs::current_path();
  fs::current_path(place() / "out");
  write_text_files({{"a", "new"}, {"b", "newnew"}, {"c", "new"}});
  const bool same = fs::exists("a");
  fs::current_path(before);
  EXPECT_TRUE(same);
  EXPECT_EQ(read_set(), "newnewnewnew");
}

TEST_F(TextFileTest, ADirectoryBehindALinkIsWrittenTo) {
  fs::create_directory(place() / "real");
  fs::create_directory_symlink("real", place() / "out");
  write_text_files(make_set("x"));
  write_text_files(make_set("y"));
  EXPECT_TRUE(fs::is_symlink(place() / "out"));
  EXPECT_EQ(read("real/a"), "y");
}

TEST_F(TextFileTest, OnlyFilesAreReplaced) {
  write_text_files({{at("target"), "safe"}});
  fs::create_symlink("target", place() / "link");
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  fs::create_directory(place() / "directory");
  const std::vector<std::string> before = list();
  EXPECT_THAT(find_refusal({{at("new"), "x"}, {at("link"), "x"}}),
              HasSubstr("link: expected a file to replace or nothing, got a link"));
  EXPECT_THAT(find_refusal({{at("new"), "x"}, {at("pipe"), "x"}}),
              HasSubstr("pipe: expected a file to replace or nothing, got a device or a pipe"));
  EXPECT_THAT(find_refusal({{at("new"), "x"}, {at("directory"), "x"}}),
              HasSubstr("directory: expected a place to write to, got an error: Is a directory"));
  EXPECT_THAT(find_refusal({{at("target/below"), "x"}}), HasSubstr("Not a directory"));
  EXPECT_THAT(find_refusal({{at("twice"), "x"}, {at("directory/../twice"), "y"}}),
              HasSubstr("expected different files to write, got one twice"));
  EXPECT_EQ(list(), before);
  EXPECT_EQ(read("target"), "safe");
  for (const char* name : {"link", "pipe", "directory", "target/below"}) {
    EXPECT_THROW(check_output_file(at(name)), InputError) << name;
  }
  check_output_file(at("target"));
  check_output_file(at("not/there/yet"));
}

/// A limit on the size of files stands for a disk that is full; the second file exceeds it.
TEST_F(TextFileTest, FullDiskLeavesWhatThereWas) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string empty = find_refusal(make_set(std::string(600, 'x')));
  const std::vector<std::string> after_empty = list();
  write_text_files(make_set("old"));
  const std::string full = find_refusal(make_set(std::string(600, 'x')));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_THAT(empty,
              HasSubstr("out/b: expected a place to write to, got an error: File too large"));
  EXPECT_THAT(after_empty, IsEmpty());
  EXPECT_THAT(full, HasSubstr("File too large"));
  EXPECT_EQ(read_set(), "oldoldoldold");
  EXPECT_THAT(list(), ElementsAre("out", "out/a", "out/b", "out/c"));
}

/// An unlocked directory with a name of this program was left by a killed process; any other name
/// belongs to the user.
TEST_F(TextFileTest, OnlyOurOwnRemainsAreRemoved) {
  fs::create_directories(place() / ".slipstick-0123456789abcdef");
  write_text_files({{at(".slipstick-0123456789abcdef/a"), "x"}, {at(".slipstick-notes/a"), "y"}});
  write_text_files(make_set("new"));
  EXPECT_THAT(list(), ElementsAre(".slipstick-notes", ".slipstick-notes/a", "out", "out/a", "out/b",
                                  "out/c"));
}

/// A shell's <(...) is a pipe that somebody writes to, perhaps slowly and in parts. A pipe that
/// nobody opens for writing is refused; its reader used to wait forever.
TEST_F(TextFileTest, TextComesFromAPipeThatSomebodyWritesTo) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THROW((void)read_text_file(at("pipe")), InputError);
  const std::string text(100000, 'x');  // more than a pipe holds
  std::thread writer([&] { std::ofstream(at("pipe")) << text; });
  EXPECT_EQ(read_text_file(at("pipe")), text);
  writer.join();
}

TEST_F(TextFileTest, BinaryFilesAreRegularFiles) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THROW((void)read_binary_file(at("pipe")), InputError);  // and does not wait for a writer
  EXPECT_THROW((void)read_binary_file("/dev/zero"), InputError);
  EXPECT_THROW((void)read_binary_file(at("none")), InputError);
  EXPECT_THROW((void)read_binary_file(place().string()), InputError);
  const std::string bytes("a\0b", 3);
  write_text_files({{at("bytes"), bytes}, {at("empty"), ""}});
  EXPECT_EQ(read_binary_file(at("bytes")), bytes);
  EXPECT_EQ(read_binary_file(at("empty")), "");
  EXPECT_THROW((void)read_text_file(at("bytes")), InputError);
}

}  // namespace
}  // namespace slipstick::testkit
