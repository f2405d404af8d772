/// `slipstick outcomes` as a user calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class OutcomesCliTest : public CliTest {
 protected:
  [[nodiscard]] Json ask(std::vector<std::string> args) const {
    args.insert(args.begin(), "outcomes");
    args.emplace_back("--json");
    return parse_json(answer(args));
  }
};

/// The wheel's smallest slip that jams, from bisection with the reference simulator. Just below it
/// the wheel lifts off at p = b = 0, in a band 4e-10 wide; then the slip reverses, and below 0.391
/// it sticks.
TEST_F(OutcomesCliTest, ThresholdsOfTheWheel) {
  const Json json = ask({"rimless-wheel", "--set", "theta=-0.3", "--set", "theta_dot=0.643",
                         "--over", "x_dot=0.3:0.5:9", "--until", "0.2"});
  ASSERT_EQ(json["thresholds"].size(), 3U);
  EXPECT_THAT(json["thresholds"][2]["between"].get<std::vector<std::string>>(),
              ElementsAre("liftoff stance", "jam stance"));
  EXPECT_NEAR(json["thresholds"][2]["value"].get<double>(), 0.405322106624, 1e-11);
  ASSERT_EQ(json["intervals"].size(), 4U);
  EXPECT_EQ(json["intervals"][0]["outcome"], "stick stance");
  EXPECT_EQ(json["intervals"][3]["outcome"], "jam stance");
  EXPECT_EQ(json["grid"].size(), 9U);
  EXPECT_EQ(json["call"],
            "slipstick simulate rimless-wheel --set theta=-0.3 --set theta_dot=0.643 "
            "--until 0.2 --set x_dot={x_dot}");
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(OutcomesCliTest, MapHasGridBordersAndCorners) {
  const Json json = ask({"painleve-bar", "--over", "theta=0.6:1.5:11", "--over",
                         "theta_dot=-1:2:12", "--of", "classify"});
  EXPECT_EQ(json["grid"].size(), 12U);
  EXPECT_EQ(json["grid"][0].size(), 11U);
  ASSERT_FALSE(json["borders"].empty());
  // Four classes meet where p = b = 0: THEORY, theta* and omega* of the bar.
  bool found = false;
  for (const Json& corner : json["corners"]) {
    const double far = std::hypot(corner["at"][0].get<double>() - 0.9437427935,
                                  corner["at"][1].get<double>() - 1.1112758297);
    found = found || (far < 1e-5 && corner["outcomes"].size() == 4);
  }
  EXPECT_TRUE(found) << json["corners"].dump();
}

TEST_F(OutcomesCliTest, WritesFilesAndPage) {
  const std::string text = answer({"outcomes", "sliding-block", "--over", "mu=0.1:0.9:5", "--key",
                                   "/end/time", "--out", "o", "--report", "o.html"});
  EXPECT_THAT(text, HasSubstr("written: o: outcomes.csv, outcomes.h5, outcomes.json"));
  EXPECT_THAT(list_files(),
              ElementsAre("o", "o.html", "o/outcomes.csv", "o/outcomes.h5", "o/outcomes.json"));
  EXPECT_THAT(read_file(directory() / "o/outcomes.csv"),
              StartsWith("mu,outcome,value\n0.1,number,"));
}

TEST_F(OutcomesCliTest, EventsThatAreAskedFor) {
  const std::vector<std::string> slide{"sliding-block", "--over", "mu=0.1:0.9:3", "--until", "1"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args = slide;
    args.insert(args.end(), more.begin(), more.end());
    return ask(args)["labels"].get<std::vector<std::string>>();
  };
  EXPECT_THAT(with({"--first", "jam"}), ElementsAre("time", "rest"));
  EXPECT_THAT(with({"--end"}), ElementsAre("time", "rest"));
  EXPECT_THAT(with({"--sequence", "2"}), ElementsAre("time", "stick block; rest block"));
}

TEST_F(OutcomesCliTest, SharesOfUncertainValues) {
  const Json json = ask({"sliding-block", "--uncertain", "mu=0.2:0.6", "--of", "simulate", "--end",
                         "--until", "1", "--draws", "512"});
  // It rests within 1 s for mu > 3/9.81.
  const double rests = (0.6 - 3.0 / 9.81) / 0.4;
  const double share = json["shares"]["rest"][0].get<double>();
  EXPECT_NEAR(share, rests, 5.0 * json["shares"]["rest"][1].get<double>());
  EXPECT_EQ(json["draws"], 512);
}

TEST_F(OutcomesCliTest, MarginsOfTheModelsOwnValues) {
  const Json json = ask({"sliding-block", "--end", "--until", "1", "--margin", "mu"});
  EXPECT_EQ(json["outcome"], "rest");
  EXPECT_NEAR(json["margins"][0]["below"]["distance"].get<double>(), 0.5 - 3.0 / 9.81, 2e-9);
  EXPECT_TRUE(json["margins"][0]["above"].is_null());
}

/// The end of the run follows the parameter at each point: it never rests before 0.9 of the time in
/// which it would.
TEST_F(OutcomesCliTest, TheEndOfARunFollowsItsParameters) {
  const Json json =
      ask({"sliding-block", "--over", "mu=0.1:0.9:5", "--end", "--until", "0.9*v0/(mu*g)"});
  EXPECT_THAT(json["labels"].get<std::vector<std::string>>(), ElementsAre("time"));
  const Json far = ask({"sliding-block", "--over", "v0=1:5:9", "--end", "--until", "x > v0/2"});
  // It stops after v0^2/(2 mu g): it reaches v0/2 for v0 > mu g = 4.905.
  ASSERT_EQ(far["thresholds"].size(), 1U);
  EXPECT_NEAR(far["thresholds"][0]["value"].get<double>(), 4.905, 1e-8);
}

TEST_F(OutcomesCliTest, CellsThatAreRefusedSayWhy) {
  // The tip reaches the rail at height H only for some angles.
  const Json json = ask({"two-link-rail", "--over", "theta1=-1.5:1.5:7", "--of", "classify"});
  EXPECT_THAT(json["labels"].get<std::vector<std::string>>(), Each(::testing::Not(IsEmpty())));
  EXPECT_THAT(json["why"]["refused"].get<std::string>(),
              HasSubstr("expected that contact 'tip' can be closed"));
}

TEST_F(OutcomesCliTest, MistakesAreNamed) {
  const auto refuse_with = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"outcomes", "sliding-block"});
    return refuse(args);
  };
  EXPECT_THAT(refuse_with({"--over", "muu=0:1"}), HasSubstr("did you mean 'mu'"));
  EXPECT_THAT(refuse_with({"--over", "mu=1:0"}), HasSubstr("rising"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1:2.5"}), HasSubstr("--over mu=0:1:2.5"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1:1e6"}), HasSubstr("--over mu=0:1:1e6"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1:10000", "--over", "v0=0:1:10000"}),
              HasSubstr("10 million points, got 1e+08"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--over", "mu=0:1"}), HasSubstr("twice"));
  EXPECT_THAT(refuse_with({"--over", "mu=-2:-1"}), HasSubstr("expected values that the question"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--of", "models"}), HasSubstr("--of models"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--key", "/nothing"}), HasSubstr("/end"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--first", "jams"}), HasSubstr("jams"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--of", "classify", "--until", "3"}),
              HasSubstr("--until"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--of", "jam", "--max-events", "5"}),
              HasSubstr("--max-events"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--of", "jam", "--until", "x > 1"}),
              HasSubstr("got a condition"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--on-jam", "branch"}), HasSubstr("branch"));
  EXPECT_THAT(refuse_with({"--over", "mu=0:1", "--resume"}), HasSubstr("interrupted job"));
  EXPECT_THAT(refuse_with({"--uncertain", "mu=normal(0.5, -1)"}), HasSubstr("deviation"));
  EXPECT_THAT(refuse_with({"--uncertain", "mu=0:1", "--draws", "0"}), HasSubstr("--draws"));
  EXPECT_THAT(list_files(), IsEmpty());
}

}  // namespace
}  // namespace slipstick::testkit
