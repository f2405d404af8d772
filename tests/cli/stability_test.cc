/// The verbs `stability` and `stability-map` as a user calls them, and `simulate --zod`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class StabilityCliTest : public CliTest {};

/// Numbers of posture A: tests/papers/or2021_stability_test.cc.
TEST_F(StabilityCliTest, JsonHasTheKeysOfTheInterface) {
  const Json json =
      parse_json(answer({"stability", "two-contact-body", "--at", "0,1.138569150150", "--json"}));
  EXPECT_EQ(json["verdict"], "stable");
  EXPECT_EQ(json["theorem"], "3");
  EXPECT_EQ(json["persistence"], "persistent");
  EXPECT_THAT(json["ambiguous_modes"], IsEmpty());
  ASSERT_EQ(json["fixed_points"].size(), 3U);
  EXPECT_NEAR(json["fixed_points"][1]["growth"].get<double>(), 0.322984433932, 1e-11);
  EXPECT_EQ(json["ends"]["minus"]["kind"], 1);
  EXPECT_NEAR(json["ends"]["plus"]["growth"].get<double>(), 0.131536865928, 1e-11);
  ASSERT_EQ(json["samples"].size(), 2U);
  EXPECT_NEAR(json["samples"][1]["reduced"].get<double>(), 1.138569150150, 1e-9);
  EXPECT_NEAR(json["samples"][1]["growth"].get<double>(), 0.131536865928, 1e-9);
  EXPECT_THAT(json["labels"], ElementsAre("foot1", "foot2"));
  EXPECT_TRUE(json["monotone"].get<bool>());
  EXPECT_EQ(json["pieces"].size(), 9U);
  EXPECT_EQ(json["margins"].size(), 5U);
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(StabilityCliTest, SamplesOnAGrid) {
  const Json json =
      parse_json(answer({"stability", "two-contact-body", "--samples", "7", "--json"}));
  ASSERT_EQ(json["samples"].size(), 7U);
  EXPECT_EQ(json["samples"][3]["phi"], 0.0);
}

TEST_F(StabilityCliTest, VerdictOverABoxOfParameters) {
  const Json json = parse_json(
      answer({"stability", "two-contact-body", "--set", "rho=0.1379", "--set", "l1=0.0288", "--set",
              "l2=0.0888", "--uncertain", "mu1=0.29:0.34", "--json"}));
  EXPECT_EQ(json["verdict"], "unstable");
  EXPECT_EQ(json["uncertain"]["answer"], "the border lies inside the box");
  ASSERT_EQ(json["uncertain"]["borders"].size(), 1U);
  EXPECT_NEAR(json["uncertain"]["borders"][0]["at"]["mu1"].get<double>(), 0.332922, 1e-6);
  const Json narrow = parse_json(
      answer({"stability", "two-contact-body", "--set", "rho=0.1379", "--set", "l1=0.0288", "--set",
              "l2=0.0888", "--uncertain", "mu1=0.29:0.33", "--json"}));
  EXPECT_EQ(narrow["uncertain"]["answer"], "unstable everywhere");
  const Json infeasible =
      parse_json(answer({"stability", "two-contact-body", "--uncertain", "mu2=0.1:1", "--json"}));
  EXPECT_EQ(infeasible["uncertain"]["answer"], "the box contains parameters without equilibrium");
}

TEST_F(StabilityCliTest, MapOfVerdicts) {
  const std::string text =
      answer({"stability-map", "two-contact-body", "--set", "l2=l1+0.06", "--over", "l1=0:0.04:9",
              "--over", "h=0.1:0.16:5", "--out", "map"});
  EXPECT_THAT(text, HasSubstr("stable"));
  EXPECT_THAT(list_files(),
              UnorderedElementsAre("map", "map/stability-map.h5", "map/stability-map.json"));
  const Json json = parse_json(read_file(directory() / "map/stability-map.json"));
  ASSERT_EQ(json["axes"].size(), 2U);
  EXPECT_EQ(json["axes"][1]["name"], "h");
  ASSERT_EQ(json["verdict"].size(), 5U);
  ASSERT_EQ(json["verdict"][0].size(), 9U);
  ASSERT_EQ(json["growth"][2].size(), 9U);
  // One point of the map is what `stability` says of it.
  const Json one = parse_json(answer({"stability", "two-contact-body", "--set", "l2=l1+0.06",
                                      "--set", "l1=0.02", "--set", "h=0.13", "--json"}));
  EXPECT_EQ(json["verdict"][2][4], one["verdict"]);
  EXPECT_EQ(json["theorem"][2][4], one["theorem"]);
  EXPECT_NEAR(json["growth"][2][4].get<double>(), one["fixed_points"][0]["growth"].get<double>(),
              1e-12);
}

/// [Or2021] Fig. 9: growth along a line, here with the border G* = 1 between B and D.
TEST_F(StabilityCliTest, MapAlongALine) {
  const Json json =
      parse_json(answer({"stability-map", "two-contact-body", "--set", "rho=0.1379", "--set",
                         "l1=0.0288", "--set", "l2=0.0888", "--over", "mu1=0.3:0.36:7", "--json"}));
  ASSERT_EQ(json["borders"].size(), 1U);
  EXPECT_NEAR(json["borders"][0]["points"][0][0].get<double>(), 0.332922, 1e-6);
  EXPECT_EQ(json["verdict"].size(), 1U);
}

TEST_F(StabilityCliTest, ZeroOrderRunEndsByZenoWithTheGrowth) {
  const Json json = parse_json(answer({"simulate", "two-contact-body", "--zod", "--set",
                                       "theta_dot=-1e-3", "--until", "1", "--json"}));
  EXPECT_EQ(json["end"]["reason"], "rest");
  for (const Json& event : json["events"]) {
    if (event["type"] != "zeno") continue;
    EXPECT_NEAR(event["ratio"].get<double>(), 0.322984433932, 1e-9);
    return;
  }
  FAIL() << "no zeno event";
}

/// Beyond the repelling fixed point the blows slide more and more: both feet then slide to rest.
TEST_F(StabilityCliTest, ZeroOrderRunSlidesToRest) {
  const Json json =
      parse_json(answer({"simulate", "two-contact-body", "--zod", "--set", "theta_dot=-1e-3",
                         "--set", "x_dot=1e-2", "--until", "1", "--json"}));
  const Json& events = json["events"];
  const std::size_t count = events.size();
  ASSERT_GE(count, 3U);
  EXPECT_EQ(events[count - 3]["type"], "zeno");
  EXPECT_NEAR(events[count - 3]["ratio"].get<double>(), 0.131536865928, 1e-9);
  EXPECT_EQ(events[count - 3]["modes_after"], "PP");
  EXPECT_EQ(events[count - 2]["type"], "stick");
  EXPECT_EQ(json["end"]["reason"], "rest");
}

/// Posture D of [Or2021]: each blow of the second foot is 1.3366 times the one before.
TEST_F(StabilityCliTest, ZeroOrderRunDiverges) {
  const Json json = parse_json(
      answer({"simulate", "two-contact-body", "--zod", "--set", "rho=.1379", "--set", "l1=.0288",
              "--set", "l2=.0888", "--set", "theta_dot=-1e-3", "--until", "0.05", "--json"}));
  std::vector<double> blows;
  for (const Json& event : json["events"]) {
    const double impulse = event.value("impulse_n", Json::array({0.0, 0.0}))[1];
    if (impulse > 0.0) blows.push_back(impulse);
  }
  ASSERT_GE(blows.size(), 10U);
  for (std::size_t i = 4; i < blows.size(); ++i) {
    EXPECT_NEAR(blows[i] / blows[i - 1], 1.336639479860, 1e-9) << i;
  }
}

TEST_F(StabilityCliTest, ZeroOrderRunsAreRepeatedFromTheirFile) {
  EXPECT_THAT(answer({"simulate", "two-contact-body", "--zod", "--set", "theta_dot=-1e-3",
                      "--until", "1", "--out", "zod"}),
              HasSubstr("zeno"));
  EXPECT_THAT(answer({"rerun", "zod/simulate.h5"}), HasSubstr("identical"));
}

TEST_F(StabilityCliTest, BadInput) {
  const auto refused = [&](std::vector<std::string> args, const std::string& sentence) {
    args.insert(args.begin(), "stability");
    EXPECT_THAT(refuse(args), HasSubstr(sentence));
  };
  refused({"two-contact-body", "--set", "mu1=-0.1"}, "mu");
  refused({"two-contact-body", "--set", "l2=l1"}, "expected l1 != l2, got l1 = -0.0512");
  refused({"two-contact-body", "--set", "h=0"}, "expected h > 0, got h = 0");
  refused({"sliding-block", "--set", "v0=0"}, "expected two closed contacts, got 1");
  refused({"two-contact-body", "--set", "z=1"}, "expected two closed contacts, got 0");
  refused({"two-link-rail"}, "fixed to the world");
  refused({"two-contact-body", "--set", "theta_dot=0.1"}, "expected a state of rest");
  refused({"two-contact-body", "--uncertain", "mu3=0:1"}, "expected a parameter, got 'mu3'");
  refused({"two-contact-body", "--uncertain", "mu1=1:0"}, "expected a rising range");
  refused({"two-contact-body", "--uncertain", "mu1=0.1:0.2", "--uncertain", "mu1=0:1"},
          "expected each parameter once");
  refused({"two-contact-body", "--at", "2"}, "expected an angle within (-pi/2, pi/2)");
  EXPECT_THAT(refuse({"stability-map", "two-contact-body", "--over", "mu1=0:1"}),
              HasSubstr("expected NAME=A:B:N"));
  EXPECT_THAT(refuse({"stability-map", "two-contact-body", "--over", "mu1=0:1:1"}),
              HasSubstr("expected 2 to"));
  EXPECT_THAT(
      refuse({"stability-map", "two-contact-body", "--over", "mu1=0:1:3", "--over", "mu1=0:1:3"}),
      HasSubstr("got one twice"));
  EXPECT_THAT(list_files(), IsEmpty());
}

}  // namespace
}  // namespace slipstick::testkit
