/// --uncertain of the verbs that answer for one model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UncertainCliTest : public CliTest {
 protected:
  [[nodiscard]] Json ask(std::vector<std::string> args) const {
    args.emplace_back("--json");
    return parse_json(answer(args));
  }
};

/// [share, error] of an outcome; a share of zero if it did not occur.
std::vector<double> find_share(const Json& json, const std::string& outcome) {
  if (!json["shares"].contains(outcome)) return {0.0, 1.0 / json["draws"].get<double>()};
  return json["shares"][outcome].get<std::vector<double>>();
}

void expect_share(const Json& json, const std::string& outcome, double expected) {
  const std::vector<double> found = find_share(json, outcome);
  EXPECT_NEAR(found[0], expected, 4.0 * found[1]) << outcome << ' ' << json["shares"].dump();
}

/// The wheel jams from x_dot = .405322106624 on (docs/theory/gaits.md; [Or2014] S2), and its slip
/// reverses or sticks below. The answer for the model's own values stands beside the shares.
TEST_F(UncertainCliTest, SimulateSharesTheJamsOfTheWheel) {
  const Json json =
      ask({"simulate", "rimless-wheel", "--set", "theta=-0.3", "--set", "theta_dot=0.643", "--set",
           "x_dot=0.5", "--uncertain", "x_dot=0.38:0.48", "--until", "0.2"});
  EXPECT_EQ(json["uncertain"]["x_dot"], "0.38:0.48");
  EXPECT_EQ(json["draws"], 1024);
  EXPECT_EQ(json["events"][0]["type"], "jam");
  expect_share(json, "jam stance", (0.48 - 0.405322106624) / 0.1);
  EXPECT_TRUE(json["numbers"].is_null());
  EXPECT_FALSE(json.contains("why"));
}

/// mu_min = 2 sqrt(kappa + kappa^2) rises with kappa: its quantiles are those of kappa, and its
/// mean follows to second order.
TEST_F(UncertainCliTest, CriticalFrictionHasNumbers) {
  const Json json = ask({"critical-friction", "rimless-wheel", "--uncertain",
                         "kappa=normal(0.02, 0.001)", "--draws", "512"});
  const auto mu = [](double kappa) { return 2.0 * std::sqrt(kappa + kappa * kappa); };
  const Json& numbers = json["numbers"];
  EXPECT_NEAR(numbers["median"].get<double>(), mu(0.02), 4e-4);
  EXPECT_NEAR(numbers["low"].get<double>(), mu(0.02 - 1.644854 * 0.001), 1e-3);
  EXPECT_NEAR(numbers["high"].get<double>(), mu(0.02 + 1.644854 * 0.001), 1e-3);
  constexpr double kStep = 1e-4;
  const double slope = (mu(0.02 + kStep) - mu(0.02 - kStep)) / (2.0 * kStep);
  const double curvature = (mu(0.02 + kStep) - 2.0 * mu(0.02) + mu(0.02 - kStep)) / (kStep * kStep);
  EXPECT_NEAR(numbers["deviation"].get<double>(), slope * 0.001, 2e-4);
  EXPECT_NEAR(numbers["mean"].get<double>(), mu(0.02) + 0.5 * curvature * 1e-6,
              4.0 * numbers["error"].get<double>());
  EXPECT_EQ(json["shares"]["number"][0], 1.0);
  EXPECT_NEAR(json["mu_min"].get<double>(), mu(0.02), 1e-9);
}

/// theta1 in (22.712860, 34.866144) degrees is paradoxical (docs/errata.md, [Zhao2008] Table 1).
TEST_F(UncertainCliTest, ClassifySharesTheWindowOfTheArm) {
  const Json json = ask({"classify", "two-link-rail", "--uncertain", "theta1=15*deg:35*deg"});
  double paradox = 0.0;
  for (const auto& [outcome, share] : json["shares"].items()) {
    if (outcome.find("consistent P") == std::string::npos) paradox += share[0].get<double>();
  }
  EXPECT_NEAR(paradox, (34.866144 - 22.712860) / 20.0, 0.01);
}

/// At H = 0.21 there is no window, at 0.3775 there is one (the same table).
TEST_F(UncertainCliTest, ParadoxSharesItsOccurrence) {
  const Json none = ask({"paradox", "two-link-rail", "--along", "theta1=0:90*deg", "--uncertain",
                         "H=triangular(0.205, 0.21, 0.215)", "--draws", "32"});
  EXPECT_EQ(none["shares"]["no paradox"][0], 1.0);
  const Json always = ask({"paradox", "two-link-rail", "--along", "theta1=0:90*deg", "--uncertain",
                           "H=truncated(0.3775, 0.001, 0.375, 0.38)", "--draws", "32"});
  EXPECT_EQ(always["shares"]["paradox"][0], 1.0);
}

/// The biped doubles its period at alpha = 5.34641438 degrees. From its own slope of 1 degree the
/// gaits there are reached along the branch.
TEST_F(UncertainCliTest, GaitSharesStability) {
  const Json json =
      ask({"gait", "compass-biped", "--uncertain", "alpha=5.3*deg:5.4*deg", "--draws", "64"});
  expect_share(json, "stable gait", 0.4641438);
  expect_share(json, "unstable gait", 1.0 - 0.4641438);
}

TEST_F(UncertainCliTest, ValuesThatMakeNoModelAreTold) {
  const Json json = ask({"classify", "two-link-rail", "--uncertain", "H=0.3:0.6", "--draws", "64"});
  EXPECT_GT(json["shares"]["refused"][0].get<double>(), 0.5);
  EXPECT_THAT(json["why"]["refused"].get<std::string>(), HasSubstr("closed"));
  EXPECT_THAT(answer({"classify", "two-link-rail", "--uncertain", "H=0.3:0.6", "--draws", "64"}),
              HasSubstr("refused"));
}

TEST_F(UncertainCliTest, BadInput) {
  const auto refuse_value = [&](const std::string& value) {
    return refuse({"classify", "two-link-rail", "--uncertain", value});
  };
  EXPECT_THAT(refuse_value("Hx=0:1"), HasSubstr("did you mean 'H'"));
  EXPECT_THAT(refuse_value("H=0.4:0.3"), HasSubstr("rising"));
  EXPECT_THAT(refuse_value("H=normal(0.3, -1)"), HasSubstr("deviation above 0"));
  EXPECT_THAT(refuse_value("H=uniform(0.3)"), HasSubstr("uniform(A, B)"));
  EXPECT_THAT(refuse_value("H=gauss(0.3, 1)"), HasSubstr("normal(MEAN, DEVIATION)"));
  EXPECT_THAT(refuse_value("H=truncated(0.3, 0.001, 0.5, 0.6)"), HasSubstr("37 deviations"));
  EXPECT_THAT(refuse_value("H=triangular(0.3, 0.5, 0.4)"), HasSubstr("mode"));
  EXPECT_THAT(
      refuse({"classify", "two-link-rail", "--uncertain", "H=0.3:0.4", "--uncertain", "H=0.3:0.4"}),
      HasSubstr("twice"));
  for (const char* draws : {"0", "-1", "1e12", "many"}) {
    EXPECT_THAT(refuse({"classify", "two-link-rail", "--uncertain", "H=0.3:0.4", "--draws", draws}),
                HasSubstr("--draws"));
  }
  EXPECT_THAT(
      refuse({"simulate", "two-link-rail", "--uncertain", "H=0.3:0.35", "--on-jam", "branch"}),
      HasSubstr("branch"));
  EXPECT_THAT(refuse({"paradox", "two-link-rail", "--uncertain", "H=0.3:0.35", "--map",
                      "theta1=0:1", "theta1_dot=0:1"}),
              HasSubstr("--along"));
  EXPECT_THAT(list_files(), IsEmpty());
}

}  // namespace
}  // namespace slipstick::testkit
