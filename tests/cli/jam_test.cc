/// The verb `jam` as a user calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class JamCliTest : public CliTest {
 protected:
  [[nodiscard]] Json ask(std::vector<std::string> args) const {
    args.insert(args.begin(), "jam");
    args.emplace_back("--json");
    return parse_json(answer(args));
  }
};

const std::vector<std::string> kWheelJams{"rimless-wheel",   "--set", "theta=-0.3", "--set",
                                          "theta_dot=0.643", "--set", "x_dot=0.5"};

/// Theory notes: jam time, exponent, smallest slip; closed forms of mu_min and mu_jam.
TEST_F(JamCliTest, Wheel) {
  const Json json = ask(kWheelJams);
  EXPECT_EQ(json["outcome"], "jam");
  EXPECT_NEAR(json["time"].get<double>(), .0465986676765, 1e-11);
  EXPECT_NEAR(json["exponent"].get<double>(), -.26936138, 1e-7);
  EXPECT_NEAR(json["critical_slip"].get<double>(), .405322106624, 1e-9);
  EXPECT_EQ(json["contacts"], Json::array({"stance"}));
  EXPECT_TRUE(json["state"].contains("x_dot"));
  EXPECT_EQ(json["slip_varied"]["by"], "translation");
  EXPECT_NEAR(json["jam"]["exponent"].get<double>(), -.26936138, 1e-6);
  const double kappa = 0.02;
  const double mu_min = 2.0 * std::sqrt(kappa + kappa * kappa);
  EXPECT_NEAR(json["mu_min"].get<double>(), mu_min, 1e-12);
  EXPECT_NEAR(json["mu_jam"].get<double>(), 2.0 / std::sqrt(3.0) * mu_min, 1e-9);
  EXPECT_NEAR(json["unrestricted"]["mu_jam"].get<double>(), 2.0 / std::sqrt(3.0) * mu_min, 1e-9);
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(JamCliTest, InWordsTheRangeComesFirst) {
  const std::string text = answer({"jam", "compass-biped", "--set", "x_dot=1"});
  const auto within = text.find("0.61184");
  const auto without = text.find("0.553283", within);
  EXPECT_NE(within, std::string::npos) << text;
  EXPECT_NE(without, std::string::npos) << text;
}

TEST_F(JamCliTest, RangeMayEndTheSliding) {
  std::vector<std::string> args = kWheelJams;
  args.insert(args.end(), {"--over", "theta=-0.31:-0.28"});
  const Json json = ask(args);
  EXPECT_EQ(json["outcome"], "leaves-range");
  EXPECT_EQ(json["coordinate"], "theta");
  EXPECT_NEAR(json["state"]["theta"].get<double>(), -0.28, 1e-9);
  EXPECT_LT(json["time"].get<double>(), .0465986676765);
}

TEST_F(JamCliTest, StateOutsideOfTheRange) {
  std::vector<std::string> args = kWheelJams;
  args.insert(args.end(), {"--over", "theta=0.1:0.3"});
  const Json json = ask(args);
  EXPECT_EQ(json["outcome"], "leaves-range");
  EXPECT_EQ(json["time"].get<double>(), 0.0);
}

/// Nothing is decided for several contacts, and the answer says so.
TEST_F(JamCliTest, SeveralContacts) {
  const Json json = ask({"jamming-chain"});
  EXPECT_TRUE(json["outcome"].is_string());
  EXPECT_TRUE(json["points"].empty());
  EXPECT_THAT(json["points_reason"].get<std::string>(), HasSubstr("several contacts slide"));
  EXPECT_TRUE(json["mu_jam"].is_null());
}

TEST_F(JamCliTest, Faults) {
  EXPECT_THAT(refuse({"jam", "rimless-wheel"}), HasSubstr("slides"));
  EXPECT_THAT(refuse({"jam", "bouncing-ball"}), HasSubstr("slides"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--over", "phi=0:1"}), HasSubstr("phi"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--over", "theta=1:0"}), HasSubstr("rising"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--over", "theta_dot=0:1"}), HasSubstr("rate"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--until", "-1"}), HasSubstr("--until"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--until", "x > 1"}), HasSubstr("condition"));
}

/// Regions A to D of [Meltz2007] at rest: borders at -atan(mu), where theta'' = 0, and at the
/// jamming angles, in closed form with kappa of docs/theory/paradox.md: sin^2 + mu sin cos =
/// -kappa.
TEST_F(JamCliTest, RegionsOfTheLevelChain) {
  const Json from = ask(
      {"jamming-chain-level", "--from", "theta=-60*deg:-1*deg:60", "--set", "x_dot=100"})["from"];
  const double mu = 0.64;
  const double kappa = (1.0 + 0.23 / 4.65) * (1.0 + std::pow(0.0385 / 0.209, 2)) - 1.0;
  const double middle = -0.5 * std::atan(mu);
  const double half = 0.5 * std::acos((1.0 + 2.0 * kappa) / std::sqrt(1.0 + mu * mu));
  std::vector<double> found;
  for (const Json& threshold : from["thresholds"]) found.push_back(threshold["value"]);
  const auto has = [&](double value) {
    return std::any_of(found.begin(), found.end(),
                       [&](double other) { return std::abs(other - value) < 2e-9; });
  };
  EXPECT_TRUE(has(-std::atan(mu))) << from["thresholds"];
  EXPECT_TRUE(has(middle - half)) << from["thresholds"];
  EXPECT_TRUE(has(middle + half)) << from["thresholds"];
  bool slides_to_the_end = false;
  for (const Json& interval : from["intervals"]) {
    const double place = 0.5 * (interval["from"].get<double>() + interval["to"].get<double>());
    // At the borders themselves p is zero within tolerance, and the answer says so.
    const double width = interval["to"].get<double>() - interval["from"].get<double>();
    if (place > middle - half && place < middle + half && width > 1e-5) {
      EXPECT_EQ(interval["outcome"], "inconsistent");
    }
    // Next to the jamming angle p is so small at the start that doubles cannot tell.
    EXPECT_NE(interval["outcome"], "indeterminate") << interval;
    const double off = std::abs(interval["to"].get<double>() - (middle - half));
    if (off > 1e-5 || interval["outcome"] != "lift-off") continue;
    slides_to_the_end = true;
    // The theory notes: 1.57 to 1.71 m/s over the paper's region, which begins at -32.62 deg.
    EXPECT_LT(interval["least_slip"][1].get<double>(), 1.8);
    EXPECT_GT(interval["least_slip"][1].get<double>(), 1.5);
  }
  EXPECT_TRUE(slides_to_the_end) << from["intervals"];
}

/// The smallest slip again, as a border between outcomes.
TEST_F(JamCliTest, BordersOverAPlane) {
  const Json from = ask({"rimless-wheel", "--set", "theta_dot=0.643", "--from", "x_dot=0.1:0.7:7",
                         "--from", "theta=-0.31:-0.29:5"})["from"];
  double nearest = 1.0;
  for (const Json& border : from["borders"]) {
    if (border["between"][0] != "jam" && border["between"][1] != "jam") continue;
    const Json& points = border["points"];
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      const double u = points[i][0];
      const double v = points[i][1];
      const double du = points[i + 1][0].get<double>() - u;
      const double dv = points[i + 1][1].get<double>() - v;
      const double part = (-0.3 - v) / dv;
      if (part < 0.0 || part > 1.0) continue;
      nearest = std::min(nearest, std::abs(u + part * du - .405322106624));
    }
  }
  EXPECT_LT(nearest, 1e-5);
}

/// mu_min = 2 sqrt(kappa + kappa^2) and mu_jam = 2/sqrt(3) mu_min, solved for the gyration radius.
TEST_F(JamCliTest, GyrationRadiusThatPrevents) {
  const Json prevent = ask({"sliding-rod", "--prevent", "rho"})["prevent"];
  const auto radius = [](double mu_min) {
    return std::sqrt(0.5 * (std::sqrt(1.0 + mu_min * mu_min) - 1.0));  // half length 1
  };
  EXPECT_NEAR(prevent["paradox"]["value"].get<double>(), radius(0.5), 1e-10);
  EXPECT_NEAR(prevent["jam"]["value"].get<double>(), radius(0.5 * std::sqrt(0.75)), 1e-8);
  EXPECT_EQ(prevent["paradox"]["now"], "possible");
  EXPECT_EQ(prevent["paradox"]["impossible"], "above");
  EXPECT_EQ(prevent["curve"]["value"].size(), prevent["curve"]["mu_min"].size());
}

/// m1/m2 of [Meltz2007], and the friction itself.
TEST_F(JamCliTest, MassAndFrictionThatPrevent) {
  const double kappa = 0.5 * (std::sqrt(1.0 + 0.64 * 0.64) - 1.0);
  const double ratio = (1.0 + kappa) / (1.0 + std::pow(0.0385 / 0.209, 2)) - 1.0;
  const Json mass = ask({"jamming-chain-level", "--prevent", "m1"})["prevent"];
  EXPECT_NEAR(mass["paradox"]["value"].get<double>(), ratio * 4.65, 1e-9);
  EXPECT_EQ(mass["jam"]["now"], "impossible");
  const Json friction = ask({"jamming-chain-level", "--prevent", "mu=0.5:0.9"})["prevent"];
  EXPECT_NEAR(friction["jam"]["value"].get<double>(), 0.70166262, 1e-7);
  EXPECT_EQ(friction["jam"]["impossible"], "below");
}

/// The theory notes: at mu = 0.8 the biped's paradox disappears at a gyration radius of .461732...
TEST_F(JamCliTest, BipedsGyrationRadius) {
  const Json prevent = ask({"compass-biped", "--set", "mu=0.8", "--prevent", "Ic=0:2"})["prevent"];
  EXPECT_NEAR(std::sqrt(prevent["paradox"]["value"].get<double>() / 4.0), .461732237564, 1e-9);
}

TEST_F(JamCliTest, FaultsOfSetsAndDesigns) {
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--from", "phi=0:1"}), HasSubstr("phi"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--from", "theta=1:0"}), HasSubstr("rising"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--from", "theta=0:1", "--from", "theta=0:1"}),
              HasSubstr("once"));
  EXPECT_THAT(
      refuse({"jam", "sliding-rod", "--from", "theta=0:1:99999", "--from", "slip=1:2:99999"}),
      HasSubstr("4 million"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--prevent", "roh"}),
              HasSubstr("expected a parameter, got 'roh'"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--prevent", "theta"}), HasSubstr("a parameter"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--prevent", "rho=2:1"}), HasSubstr("rising"));
  EXPECT_THAT(refuse({"jam", "sliding-rod", "--prevent", "e"}), HasSubstr("e=A:B"));
}

const char* const kBlock = R"([[bodies]]
name = "block"
mass = 1
gyration = 0.1
joint = { type = "free", coordinates = ["x", "y", "theta"] }
[[surfaces]]
name = "ground"
[[contacts]]
name = "foot"
body = "block"
surface = "ground"
[initial]
x_dot = 1
[range]
)";

TEST_F(JamCliTest, FaultsOfARange) {
  const auto refuse_range = [&](const std::string& line) {
    write("block.toml", kBlock + line + "\n");
    return refuse({"jam", "block.toml"});
  };
  EXPECT_THAT(refuse_range("theta = [1, 0]"), HasSubstr("rising"));
  EXPECT_THAT(refuse_range("phi = [0, 1]"), HasSubstr("expected a coordinate, got 'phi'"));
  EXPECT_THAT(refuse_range("theta_dot = [0, 1]"), HasSubstr("expected a coordinate"));
  EXPECT_THAT(refuse_range("theta = 1"), HasSubstr("two numbers"));
  EXPECT_THAT(refuse_range("theta = [0, \"1/0\"]"), HasSubstr("range.theta"));
}

}  // namespace
}  // namespace slipstick::testkit
