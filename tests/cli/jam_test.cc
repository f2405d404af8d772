/// The verb `jam` as a user calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
