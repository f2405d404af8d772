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

/// Closed forms: tests/physics/perturbation_test.cc.
TEST_F(GaitCliTest, PerturbationsOverThePeriod) {
  const Json json = parse_json(answer({"gait", "rimless-wheel", "--perturb", "slip",
                                       "stance=-0.5:0.5:5", "--phases", "3", "--json"}));
  const Json& found = json["perturbation"];
  EXPECT_EQ(found["kind"], "slip");
  EXPECT_EQ(found["name"], "stance");
  EXPECT_EQ(found["sizes"].size(), 5U);
  ASSERT_EQ(found["times"].size(), 3U);
  for (const char* key : {"outcome", "fate", "regained"}) {
    ASSERT_EQ(found[key].size(), 3U);
    EXPECT_EQ(found[key][2].size(), 5U) << key;
  }
  EXPECT_EQ(found["fate"][1][4], "regained");
  EXPECT_EQ(found["regained"][1][4], true);
  EXPECT_EQ(found["basin"]["forward"], 0.5);
  EXPECT_EQ(found["basin"]["backward_at"].size(), 3U);
  EXPECT_EQ(found["linear"]["multipliers"].size(), 2U);
  EXPECT_EQ(found["linear"]["multipliers"][1][0], 0.0);
  EXPECT_TRUE(found["linear"]["derivative"][1].contains("theta_dot"));
  EXPECT_EQ(json["check"]["passed"], true);
}

TEST_F(GaitCliTest, PerturbationsHaveAResultFile) {
  EXPECT_THAT(answer({"gait", "rimless-wheel", "--perturb", "separation", "stance=0:0.1:3",
                      "--phases", "2", "--out", "walk"}),
              HasSubstr("regained at all times up to 0.1, the end of the range"));
  EXPECT_THAT(list_files(), ElementsAre("walk", "walk/gait.h5", "walk/gait.json"));
  const CliResult shape =
      run_program("/usr/bin/python3",
                  {"-c",
                   "import h5py; g = h5py.File('walk/gait.h5')['perturbation']; "
                   "print(g['outcome'].shape, g.attrs['kind'].decode())"},
                  directory());
  EXPECT_EQ(shape.out, "(2, 3) separation\n");
}

TEST_F(GaitCliTest, BadInput) {
  const auto refuse_perturbation = [&](const char* kind, const char* sizes) {
    return refuse({"gait", "rimless-wheel", "--perturb", kind, sizes});
  };
  EXPECT_THAT(refuse_perturbation("kick", "stance=0:1"), HasSubstr("slip, separation or push"));
  EXPECT_THAT(refuse_perturbation("slip", "stanc=0:1"), HasSubstr("did you mean 'stance'"));
  EXPECT_THAT(refuse_perturbation("slip", "stance=1:0"), HasSubstr("rising"));
  EXPECT_THAT(refuse_perturbation("separation", "stance=-1:1"), HasSubstr("heights from 0"));
  EXPECT_THAT(refuse_perturbation("push", "theta=0:1:1e12"), HasSubstr("2 to 100000 points"));
  EXPECT_THAT(refuse_perturbation("push", "theta=0.1:1:9:log"), HasSubstr("log"));
  EXPECT_THAT(refuse({"gait", "bouncing-ball", "--perturb", "slip", "ball=0:1"}),
              HasSubstr("expected a table [gait]"));
  EXPECT_THAT(refuse({"gait", "rimless-wheel", "--phases", "3"}), HasSubstr("--perturb"));
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
