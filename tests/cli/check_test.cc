/// The check of runs in the program: keys, the line, and how it is left out.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using CheckCliTest = CliTest;

/// A ball of 1 kg from 1 m, until it has fallen for 0.1 s: m g^2 t^2/2 of energy is converted.
TEST_F(CheckCliTest, SimulateTellsVerdictAndBalance) {
  const Json out = parse_json(answer({"simulate", "bouncing-ball", "--json", "--until", "0.1"}));
  EXPECT_TRUE(out.at("check").at("passed"));
  EXPECT_TRUE(out.at("check").at("violations").empty());
  for (const char* key : {"gap", "normal_force", "cone", "energy", "momentum"}) {
    EXPECT_LT(out.at("check").at("worst").at(key).get<double>(), 1e-9) << key;
  }
  const double fallen = 0.5 * std::pow(9.81 * 0.1, 2);
  EXPECT_NEAR(out.at("balance").at("kinetic").get<double>(), fallen, 1e-12);
  EXPECT_NEAR(out.at("balance").at("potential").get<double>(), -fallen, 1e-12);
  for (const char* key : {"loads", "surfaces", "impacts", "friction", "damping", "error"}) {
    EXPECT_NEAR(out.at("balance").at(key).get<double>(), 0.0, 1e-12) << key;
  }
}

TEST_F(CheckCliTest, NoCheckLeavesItOut) {
  const Json out =
      parse_json(answer({"simulate", "bouncing-ball", "--json", "--until", "0.1", "--no-check"}));
  EXPECT_FALSE(out.contains("check"));
  EXPECT_FALSE(out.contains("balance"));
  EXPECT_THAT(answer({"simulate", "bouncing-ball", "--until", "0.1", "--no-check"}),
              Not(HasSubstr("check:")));
}

TEST_F(CheckCliTest, OneLineOnTheTerminal) {
  EXPECT_THAT(answer({"simulate", "bouncing-ball", "--until", "0.1"}),
              HasSubstr("check: passed, largest gap error"));
}

TEST_F(CheckCliTest, EveryRunOfATreeHasItsVerdict) {
  const Json out = parse_json(answer({"simulate", "painleve-bar", "--json", "--until", "1",
                                      "--on-jam", "branch", "--on-impact", "branch"}));
  for (const Json& run : out.at("runs")) EXPECT_TRUE(run.at("check").at("passed")) << run.dump();
}

TEST_F(CheckCliTest, GaitAndClassifyTellIt) {
  const Json gait = parse_json(answer({"gait", "compass-biped", "--json"}));
  EXPECT_TRUE(gait.at("check").at("passed"));
  EXPECT_FALSE(
      parse_json(answer({"gait", "compass-biped", "--json", "--no-check"})).contains("check"));
  const Json state = parse_json(answer({"classify", "sliding-block", "--json"}));
  EXPECT_TRUE(state.at("check").at("passed"));
}

/// The ball falls from 1 m: v = -sqrt(2 g h) before the impact, e = 0.8 of it after.
TEST_F(CheckCliTest, EventsHaveTheirStates) {
  const Json out = parse_json(answer({"simulate", "bouncing-ball", "--json", "--until", "0.5"}));
  const Json& impact = out.at("events").at(0);
  const double speed = std::sqrt(2.0 * 9.81);
  EXPECT_NEAR(impact.at("state_before").at("y_dot").get<double>(), -speed, 1e-12);
  EXPECT_NEAR(impact.at("state_after").at("y_dot").get<double>(), 0.8 * speed, 1e-12);
  EXPECT_NEAR(impact.at("potential_energy").get<double>(), 0.0, 1e-12);
  EXPECT_TRUE(impact.at("p").at(0).is_null());
}

/// The block's p is 1/m and its b is -g where it slides.
TEST_F(CheckCliTest, EventsHavePAndB) {
  const Json out = parse_json(answer({"simulate", "sliding-block", "--json"}));
  const Json& stick = out.at("events").at(0);
  EXPECT_NEAR(stick.at("p").at(0).get<double>(), 1.0, 1e-14);
  EXPECT_NEAR(stick.at("b").at(0).get<double>(), -9.81, 1e-12);
}

}  // namespace
}  // namespace slipstick::testkit
