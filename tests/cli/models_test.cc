/// `slipstick models`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using ModelsCliTest = CliTest;

/// First words of the lines between the heading and the empty line.
std::vector<std::string> list_first_words(const std::string& text) {
  std::vector<std::string> out;
  std::size_t at = text.find('\n') + 1;
  while (at < text.size() && text[at] != '\n') {
    out.push_back(text.substr(at, text.find(' ', at) - at));
    at = text.find('\n', at) + 1;
  }
  return out;
}

TEST_F(ModelsCliTest, ListsAllSortedByName) {
  const std::string out = answer({"models"});
  EXPECT_THAT(out, StartsWith("MODEL "));
  EXPECT_EQ(list_first_words(out), builtin_names());
  EXPECT_THAT(out, HasSubstr("Two-link arm on a moving rail"));
  EXPECT_THAT(out, HasSubstr("theta1, theta2"));
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(ModelsCliTest, DescribesOne) {
  const std::string out = answer({"models", "two-link-rail"});
  EXPECT_THAT(out, StartsWith("two-link-rail: Two-link arm on a moving rail\n"));
  for (const char* part : {"coordinates  theta1, theta2", "contacts     tip", "alpha0       11*deg",
                           "0.1919862177", "closes tip", "rail_speed"}) {
    EXPECT_THAT(out, HasSubstr(part));
  }
}

TEST_F(ModelsCliTest, JsonHasTheKeysOfTheInterface) {
  const Json json = parse_json(answer({"models", "--json"}));
  ASSERT_EQ(json.size(), 1U);
  ASSERT_TRUE(json.at("models").is_array());
  std::vector<std::string> names;
  for (const Json& model : json.at("models")) {
    names.push_back(model.at("name").get<std::string>());
    SCOPED_TRACE(names.back());
    EXPECT_TRUE(model.at("title").is_string());
    EXPECT_TRUE(model.at("source").is_string());
    EXPECT_TRUE(model.at("contacts").is_array());
    ASSERT_TRUE(model.at("coordinates").is_array());
    std::vector<std::string> values = model.at("coordinates").get<std::vector<std::string>>();
    const std::size_t n = values.size();
    EXPECT_GE(n, 1U);
    for (std::size_t i = 0; i < n; ++i) values.push_back(values[i] + "_dot");
    std::vector<std::string> keys;
    for (const auto& [key, value] : model.at("initial").items()) keys.push_back(key);
    EXPECT_EQ(keys, values);
    for (const char* part : {"parameters", "initial"}) {
      for (const auto& [key, value] : model.at(part).items()) {
        EXPECT_TRUE(value.at("value").is_number()) << key;
        EXPECT_TRUE(value.at("default").is_string()) << key;
      }
    }
  }
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(builtin_names()));
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(ModelsCliTest, JsonOfOne) {
  const Json json = parse_json(answer({"models", "two-link-rail", "--json"}));
  ASSERT_EQ(json.at("models").size(), 1U);
  const Json& model = json.at("models").at(0);
  EXPECT_EQ(model.at("name"), "two-link-rail");
  EXPECT_EQ(model.at("parameters").at("m").at("value").get<double>(), 0.12);
  EXPECT_EQ(model.at("parameters").at("alpha0").at("default"), "11*deg");
  EXPECT_EQ(model.at("initial").at("theta2").at("default"), "closes tip");
  std::vector<std::string> keys;
  for (const auto& [key, value] : model.at("parameters").items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"m", "l", "g", "H", "mu", "e", "k", "c", "alpha0",
                                            "rail_speed", "stiction"}))
      << "in the file's order";
}

TEST_F(ModelsCliTest, SourceIsTheFileItself) {
  for (const std::string& model : builtin_names()) {
    EXPECT_EQ(answer({"models", model, "--source"}),
              read_file(std::string(SLIPSTICK_SOURCE_DIR "/models/") + model + ".toml"));
  }
}

/// What `--source` prints can be changed and read back.
TEST_F(ModelsCliTest, SourceCanBeCopied) {
  write("mine.toml", answer({"models", "sliding-rod", "--source"}));
  EXPECT_THAT(answer({"models", "mine.toml"}), StartsWith("mine: Sliding rod\n"));
}

TEST_F(ModelsCliTest, SameBytesEachTime) {
  EXPECT_EQ(answer({"models", "--json"}), answer({"models", "--json"}));
  EXPECT_EQ(answer({"models"}), answer({"models"}));
}

TEST_F(ModelsCliTest, BadArguments) {
  EXPECT_THAT(refuse({"models", "two-link-rial"}), HasSubstr("did you mean 'two-link-rail'?"));
  EXPECT_THAT(refuse({"models", "--source"}), HasSubstr("MODEL"));
  EXPECT_THAT(refuse({"models", "nothing", "--source"}),
              HasSubstr("expected the name of a built-in model, got 'nothing'"));
  EXPECT_THAT(refuse({"models", "--jsn"}), HasSubstr("--jsn"));
}

}  // namespace
}  // namespace slipstick::testkit
