/// The verb `gait` as a user calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GaitCliTest : public CliTest {};

/// Numbers: tests/papers/or2014_gait_test.cc.
TEST_F(GaitCliTest, JsonHasTheKeysOfTheInterface) {
  const Json json = parse_json(answer({"gait", "compass-biped", "--json"}));
  EXPECT_NEAR(json["state"]["theta1"].get<double>(), -0.147836890247, 1e-11);
  EXPECT_NEAR(json["state"]["theta2_dot"].get<double>(), -0.500667881529, 1e-11);
  EXPECT_NEAR(json["period"].get<double>(), 0.744620868380, 1e-11);
  EXPECT_NEAR(json["step_length"].get<double>(), 0.471356685331, 1e-11);
  ASSERT_EQ(json["multipliers"].size(), 3U);
  EXPECT_NEAR(json["multipliers"][0][1].get<double>(), 0.5189228606, 3e-10);
  EXPECT_EQ(json["stable"], true);
  EXPECT_NEAR(json["mu_stick"].get<double>(), 0.174918491336, 1e-11);
  EXPECT_NEAR(json["impulse_ratio"].get<double>(), 0.14466899938, 1e-10);
  ASSERT_EQ(json["exposure"].size(), 1U);
  EXPECT_EQ(json["exposure"][0][0], 0.0);
  EXPECT_FALSE(json.contains("branch"));
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(GaitCliTest, NoGaitIsAnAnswer) {
  const Json json = parse_json(answer({"gait", "rimless-wheel", "--set", "alpha=1*deg", "--json"}));
  EXPECT_TRUE(json["state"].is_null());
  EXPECT_THAT(json["reason"].get<std::string>(), HasSubstr("rest"));
}

TEST_F(GaitCliTest, BranchAndFiles) {
  EXPECT_THAT(answer({"gait", "compass-biped", "--continue", "alpha=5*deg:5.5*deg", "--switch",
                      "--out", "walk"}),
              HasSubstr("period-doubling at alpha = 0.0933125341"));
  EXPECT_THAT(list_files(), ElementsAre("walk", "walk/gait.h5", "walk/gait.json"));
  const Json json = parse_json(read_file(directory() / "walk/gait.json"));
  EXPECT_EQ(json["bifurcations"][0]["type"], "period-doubling");
  EXPECT_EQ(json["bifurcations"][0]["parameter"], "alpha");
  EXPECT_NEAR(json["bifurcations"][0]["value"].get<double>(), 0.09331253415, 1e-9);
  EXPECT_GT(json["branch"].size(), 5U);
  EXPECT_GT(json["doubled"]["branch"].size(), 3U);
}

/// THEORY of [Or2014]: no slip of this gait jams.
TEST_F(GaitCliTest, SlipsOverThePeriod) {
  const Json json = parse_json(
      answer({"gait", "compass-biped", "--slips", "-0.2:0.2:4", "--phases", "11", "--json"}));
  const Json& slips = json["slips"];
  ASSERT_EQ(slips["outcome"].size(), 11U);
  int paradox = 0;
  for (const Json& row : slips["outcome"]) {
    ASSERT_EQ(row.size(), 4U);
    for (const Json& word : row) {
      EXPECT_NE(word, "jam");
      EXPECT_NE(word, "other");
      paradox += word == "impact" ? 1 : 0;
    }
  }
  EXPECT_GT(paradox, 0) << "the gait is exposed";
  EXPECT_EQ(slips["regained"][5][2], true);
}

TEST_F(GaitCliTest, BadInput) {
  EXPECT_THAT(refuse({"gait", "bouncing-ball"}), HasSubstr("expected a table [gait]"));
  EXPECT_THAT(refuse({"gait", "compass-biped", "--continue", "alfa=1:2"}),
              HasSubstr("expected a parameter, got 'alfa'"));
  EXPECT_THAT(refuse({"gait", "compass-biped", "--continue", "alpha=1:1"}),
              HasSubstr("expected two different values"));
  EXPECT_THAT(refuse({"gait", "compass-biped", "--switch"}), HasSubstr("--continue"));
  EXPECT_THAT(refuse({"gait", "compass-biped", "--slips", "1:0:5"}),
              HasSubstr("expected a rising range, got 1 to 0"));
  EXPECT_THAT(refuse({"gait", "compass-biped", "--slips", "0:1"}),
              HasSubstr("expected A:B:N, got '0:1'"));
}

}  // namespace
}  // namespace slipstick::testkit
