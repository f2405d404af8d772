/// `slipstick simulate` as a user calls it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class SimulateCliTest : public CliTest {
 protected:
  [[nodiscard]] Json simulate(std::vector<std::string> args) const {
    args.insert(args.begin(), "simulate");
    args.emplace_back("--json");
    return parse_json(answer(args));
  }
};

const std::vector<std::string> kJammingWheel{"rimless-wheel", "--set",          "theta=-.3",
                                             "--set",         "theta_dot=.643", "--set",
                                             "x_dot=.5",      "--until",        "0.2"};

TEST_F(SimulateCliTest, JsonHasTheKeysOfTheInterface) {
  const Json out = simulate(kJammingWheel);
  EXPECT_EQ(out.at("end").at("reason"), "time");
  EXPECT_EQ(out.at("end").at("time"), 0.2);
  for (const char* key : {"x", "y", "theta", "x_dot", "y_dot", "theta_dot"}) {
    EXPECT_TRUE(out.at("state").at(key).is_number()) << key;
  }
  ASSERT_EQ(out.at("events").size(), 2U);
  for (const Json& event : out.at("events")) {
    for (const char* key : {"time", "type", "contacts", "modes_before", "modes_after",
                            "energy_before", "energy_after"}) {
      EXPECT_TRUE(event.contains(key)) << key;
    }
  }
  const Json& jam = out.at("events")[0];
  EXPECT_EQ(jam.at("type"), "jam");
  EXPECT_EQ(jam.at("contacts"), Json::array({"stance"}));
  EXPECT_EQ(jam.at("policy"), "impact");
  EXPECT_EQ(jam.at("alternatives"), Json::array({"lift-off"}));
  EXPECT_NEAR(jam.at("exponent").get<double>(), -0.26936138, 5e-9);
  const Json& impact = out.at("events")[1];
  EXPECT_EQ(impact.at("type"), "tangential-impact");
  EXPECT_EQ(impact.at("law"), "inelastic");
  EXPECT_EQ(impact.at("impulse_n").size(), 3U);
  EXPECT_EQ(impact.at("impulse_t").size(), 3U);
  EXPECT_TRUE(impact.at("velocity_before").contains("theta"));
  EXPECT_TRUE(impact.at("velocity_after").contains("theta"));
}

TEST_F(SimulateCliTest, JsonAloneWritesNoFile) {
  (void)simulate({"sliding-block"});
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(SimulateCliTest, TextShowsEventsEndAndFiles) {
  const std::string out = answer({"simulate", "sliding-block"});
  EXPECT_THAT(out, HasSubstr("stick"));
  EXPECT_THAT(out, HasSubstr("end: rest at 0.611620795107 s"));
  EXPECT_THAT(out, HasSubstr("x = 0.917431192661"));
  EXPECT_THAT(out, HasSubstr("results/sliding-block-simulate"));
  EXPECT_THAT(list_files(), Contains("results/sliding-block-simulate/trajectory.csv"));
  EXPECT_THAT(list_files(), Contains("results/sliding-block-simulate/events.jsonl"));
  EXPECT_THAT(list_files(), Contains("results/sliding-block-simulate/simulate.json"));
  EXPECT_THAT(list_files(), Contains("results/sliding-block-simulate/simulate.h5"));
}

TEST_F(SimulateCliTest, EveryBuiltInModelRuns) {
  for (const std::string& model : builtin_names()) {
    SCOPED_TRACE(model);
    const Json out = simulate({model, "--until", "1"});
    EXPECT_THAT((std::vector<std::string>{"time", "rest"}),
                Contains(out.at("end").at("reason").get<std::string>()));
  }
}

TEST_F(SimulateCliTest, EventLinesAreTheDocumentsEvents) {
  std::vector<std::string> args = kJammingWheel;
  args.insert(args.begin(), "simulate");
  args.insert(args.end(), {"--json", "--out", "here"});
  const Json document = parse_json(answer(args));
  std::istringstream lines(read_file(directory() / "here/events.jsonl"));
  Json events = Json::array();
  for (std::string line; std::getline(lines, line);) events.push_back(parse_json(line));
  EXPECT_EQ(events, document.at("events"));
}

std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    out.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) out.back().push_back(cell);
  }
  return out;
}

TEST_F(SimulateCliTest, TrajectoryIsTheMotion) {
  (void)answer({"simulate", "sliding-block", "--sample", "0.1", "--out", "here"});
  const auto rows = read_csv(read_file(directory() / "here/trajectory.csv"));
  EXPECT_THAT(rows.at(0),
              ElementsAre("t", "x", "y", "x_dot", "y_dot", "modes", "gap_block", "slip_block",
                          "force_n_block", "force_t_block", "kinetic_energy"));
  ASSERT_EQ(rows.size(), 9U);  // 0, .1 ... .6, and the end at .6116
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double t = std::stod(rows[i][0]);
    EXPECT_NEAR(std::stod(rows[i][1]), 3.0 * t - 0.25 * 9.81 * t * t, 1e-12);
    EXPECT_NEAR(std::stod(rows[i][3]), 3.0 - 0.5 * 9.81 * t, 1e-12);
    EXPECT_NEAR(std::stod(rows[i][8]), 9.81, 1e-12);
    EXPECT_NEAR(std::stod(rows[i][9]), -0.5 * 9.81, 1e-12);
  }
}

/// 3 * 0.7 is a little less than 2.1, and no row of its own.
TEST_F(SimulateCliTest, LastRowIsTheEnd) {
  (void)answer({"simulate", "bouncing-ball", "--sample", "0.7", "--until", "2.1", "--out", "here"});
  const auto rows = read_csv(read_file(directory() / "here/trajectory.csv"));
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(std::stod(rows.back()[0]), 2.1);
  (void)answer(
      {"simulate", "bouncing-ball", "--sample", "1e10", "--until", "0.1", "--out", "short"});
  EXPECT_EQ(read_csv(read_file(directory() / "short/trajectory.csv")).size(), 3U);
}

TEST_F(SimulateCliTest, TrajectoryInTheDocument) {
  const Json document = parse_json(answer({"simulate", "sliding-block", "--sample", "0.1",
                                           "--trajectory", "--accelerations", "--json"}));
  (void)answer(
      {"simulate", "sliding-block", "--sample", "0.1", "--accelerations", "--out", "here"});
  const auto rows = read_csv(read_file(directory() / "here/trajectory.csv"));
  EXPECT_EQ(rows.at(0).back(), "y_ddot");
  for (std::size_t k = 0; k < rows.at(0).size(); ++k) {
    const Json& column = document["trajectory"][rows[0][k]];
    ASSERT_EQ(column.size(), rows.size() - 1) << rows[0][k];
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const Json& value = column[i - 1];
      if (value.is_string()) {
        EXPECT_EQ(value, rows[i][k]);
      } else {
        EXPECT_EQ(value.get<double>(), std::stod(rows[i][k]));
      }
    }
  }
  for (const Json& value : document["trajectory"]["x_ddot"]) {
    EXPECT_NEAR(value.get<double>(), -0.5 * 9.81, 1e-12);
  }
  const Json plain = parse_json(answer({"simulate", "sliding-block", "--json"}));
  EXPECT_FALSE(plain.contains("trajectory"));
}

TEST_F(SimulateCliTest, TrajectoryRowsRiseInTime) {
  (void)answer({"simulate", "bouncing-ball", "--until", "2", "--out", "here"});
  const auto rows = read_csv(read_file(directory() / "here/trajectory.csv"));
  ASSERT_GT(rows.size(), 50U);
  for (std::size_t i = 2; i < rows.size(); ++i) {
    ASSERT_GE(std::stod(rows[i][0]), std::stod(rows[i - 1][0]));
    ASSERT_GE(std::stod(rows[i][1]), -1e-12);
  }
  EXPECT_EQ(rows.back()[0], "2");
}

TEST_F(SimulateCliTest, SameBytesEachTime) {
  for (const char* place : {"a", "b"}) {
    (void)answer({"simulate", "two-link-rail", "--until", "0.4", "--out", place});
  }
  for (const char* file : {"simulate.json", "events.jsonl", "trajectory.csv", "simulate.h5"}) {
    EXPECT_EQ(read_file(directory() / "a" / file), read_file(directory() / "b" / file)) << file;
  }
}

TEST_F(SimulateCliTest, LawsAndPolicies) {
  EXPECT_EQ(simulate({"two-link-rail", "--on-inconsistent", "stop"}).at("end").at("reason"),
            "inconsistent");
  std::vector<std::string> args = kJammingWheel;
  args.insert(args.end(), {"--on-jam", "stop"});
  EXPECT_EQ(simulate(args).at("end").at("reason"), "jam");
  args.back() = "lift-off";
  const Json lifted = simulate(args);
  EXPECT_EQ(lifted.at("events")[1].at("type"), "liftoff");
  EXPECT_EQ(lifted.at("events")[0].at("alternatives"), Json::array({"impact"}));
  EXPECT_NEAR(simulate({"bouncing-ball", "--law", "inelastic"}).at("end").at("time"),
              std::sqrt(2.0 / 9.81), 1e-15);
}

/// Both slides push on the bar, to opposite sides: their impulses do not cancel in the table. After
/// the impact it stands, in the slide without friction, too.
TEST_F(SimulateCliTest, BarStopsInItsSlides) {
  const Json bar = simulate({"klein-bar", "--law", "inelastic", "--until", "1"});
  EXPECT_EQ(bar.at("events")[1].at("modes_after"), "SS");
  EXPECT_EQ(bar.at("events").size(), 3U);
  // No moment about the centre: the slides' impulses balance the friction's, which is m U.
  EXPECT_NEAR(bar.at("events")[1].at("impulse_n")[0], -0.5 * std::tan(1.3), 1e-12);
  EXPECT_THAT(answer({"simulate", "klein-bar", "--law", "inelastic", "--until", "1"}),
              ContainsRegex("PP -> SS +3\\.6021 "));
}

/// The rod at -15 deg, sliding: p < 0 and b > 0 where it turns fast enough.
TEST_F(SimulateCliTest, IndeterminateStatesOfferEveryChoice) {
  const std::vector<std::string> start{"sliding-rod", "--set", "theta=-15*deg",           "--set",
                                       "theta_dot=6", "--set", "x_dot=100+6*cos(15*deg)", "--until",
                                       "0.01"};
  const Json lift = simulate(start);
  const Json& event = lift.at("events").at(0);
  ASSERT_EQ(event.at("type"), "indeterminate");
  EXPECT_EQ(event.at("time"), 0.0);
  EXPECT_EQ(event.at("policy"), "lift-off");
  EXPECT_EQ(event.at("modes_after"), "FF");
  EXPECT_EQ(event.at("alternatives"), Json::array({"PF", "impact"}));
  const auto first_change = [&](const char* policy) {
    std::vector<std::string> args = start;
    args.insert(args.end(), {"--on-indeterminate", policy});
    return simulate(args);
  };
  EXPECT_EQ(first_change("slip").at("events").at(0).at("modes_after"), "PF");
  EXPECT_EQ(first_change("impact").at("events").at(1).at("type"), "tangential-impact");
  EXPECT_EQ(first_change("stop").at("end").at("reason"), "indeterminate");
}

TEST_F(SimulateCliTest, EventLimit) {
  const Json out = simulate({"bouncing-ball", "--max-events", "3"});
  EXPECT_EQ(out.at("end").at("reason"), "event-limit");
  EXPECT_EQ(out.at("events").size(), 3U);
}

// Without a jump, an impact is the same as a lift-off.
const std::vector<std::string> kBranchingBar{"painleve-bar", "--set",   "jump=0", "--on-jam",
                                             "branch",       "--until", "1"};

TEST_F(SimulateCliTest, BranchingTellsEveryRun) {
  const Json out = simulate(kBranchingBar);
  EXPECT_EQ(out.at("limited"), false);
  const Json& runs = out.at("runs");
  ASSERT_EQ(runs.size(), 3U);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].at("id"), i);
    for (const char* key : {"parent", "choice", "events", "end", "state"}) {
      EXPECT_TRUE(runs[i].contains(key)) << key;
    }
  }
  EXPECT_TRUE(runs[0].at("parent").is_null());
  EXPECT_EQ(runs[0].at("end").at("reason"), "branch");
  EXPECT_EQ(runs[1].at("parent"), 0);
  EXPECT_EQ(runs[2].at("choice"), "lift-off");
  EXPECT_EQ(runs[2].at("merged_into"), 1);
  // The runs along the first choices, joined into one.
  EXPECT_EQ(out.at("events").size(), runs[0].at("events").size() + runs[1].at("events").size());
  EXPECT_EQ(out.at("end"), runs[1].at("end"));
  EXPECT_EQ(out.at("state"), runs[1].at("state"));
}

TEST_F(SimulateCliTest, BranchingFilesAndTable) {
  std::vector<std::string> args = kBranchingBar;
  args.insert(args.begin(), "simulate");
  args.insert(args.end(), {"--out", "tree"});
  const std::string text = answer(args);
  EXPECT_THAT(
      text, HasSubstr("\n  run 1, from run 0: an impact without collision at A\n  0.5984372943 "));
  EXPECT_THAT(text, HasSubstr("\n  run 2, from run 0: A lifts off\n  goes on like run 1\n"));
  EXPECT_THAT(read_file(directory() / "tree/trajectory.csv"), StartsWith("run,t,x,"));
  EXPECT_THAT(read_file(directory() / "tree/trajectory.csv"), HasSubstr("\n1,0.598437"));
  EXPECT_THAT(read_file(directory() / "tree/events.jsonl"), HasSubstr("\"run\":1"));
  EXPECT_THAT(answer({"rerun", "tree/simulate.h5"}), StartsWith("identical: "));
  EXPECT_THAT(answer({"show", "tree/simulate.h5"}),
              HasSubstr("run 1, from run 0: an impact without collision at A"));
  EXPECT_EQ(parse_json(answer({"show", "tree/simulate.h5", "--json"})).at("runs"),
            parse_json(read_file(directory() / "tree/simulate.json")).at("runs"));
}

TEST_F(SimulateCliTest, BranchingSaysWhatItLeftOut) {
  std::vector<std::string> args = kBranchingBar;
  args.insert(args.end(), {"--max-runs", "2"});
  const Json out = simulate(args);
  EXPECT_EQ(out.at("limited"), true);
  EXPECT_EQ(out.at("runs").size(), 2U);
  args.insert(args.begin(), "simulate");
  EXPECT_THAT(answer(args), HasSubstr("Not every choice was followed"));
}

TEST_F(SimulateCliTest, BadInput) {
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--until", "0"}),
              HasSubstr("--until: expected a time after the start at 0 s, got 0"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--until", "nan"}), HasSubstr("--until"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--tol", "0"}), HasSubstr("--tol: expected"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--tol", "1"}), HasSubstr("--tol: expected"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--sample", "0"}), HasSubstr("--sample"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--sample", "1e-30"}), HasSubstr("--sample"));
  for (const char* option : {"--until", "--tol", "--sample", "--law", "--max-events", "--out"}) {
    const std::string sentence = std::string(option) + ": expected a value, got nothing";
    EXPECT_THAT(refuse({"simulate", "sliding-block", option, ""}), HasSubstr(sentence));
    EXPECT_THAT(refuse({"simulate", "sliding-block", std::string(option) + "=", "--json"}),
                HasSubstr(sentence));
  }
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--max-events", "0"}),
              HasSubstr("--max-events"));
  EXPECT_THAT(
      refuse({"simulate", "sliding-block", "--law", "hertz"}),
      HasSubstr("--law: expected inelastic, poisson, newton, stronge or fremond, got 'hertz'"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--on-jam", "pray"}),
              HasSubstr("--on-jam: expected impact, lift-off, branch or stop, got 'pray'"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--on-indeterminate", "x"}),
              HasSubstr("--on-indeterminate: expected"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--on-inconsistent", "x"}),
              HasSubstr("--on-inconsistent: expected"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--on-impact", "x"}),
              HasSubstr("--on-impact: expected prefer or branch, got 'x'"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--max-runs", "0"}), HasSubstr("--max-runs"));
  EXPECT_THAT(refuse({"simulate", "sliding-block", "--max-depth", "-1"}), HasSubstr("--max-depth"));
  EXPECT_THAT(refuse({"simulate", "no-such-model"}), HasSubstr("no-such-model"));
  EXPECT_THAT(list_files(), IsEmpty());
}

TEST_F(SimulateCliTest, UnwritablePlaceLeavesNothing) {
  write("file", "");
  // Also before a run that would take hours.
  EXPECT_THAT(refuse({"simulate", "two-link-rail", "--until", "1e9", "--out", "file/below"}),
              HasSubstr("file/below: expected a place to write to, got an error: Not a directory"));
  EXPECT_THAT(list_files(), ElementsAre("file"));
}

TEST_F(SimulateCliTest, DirectoryInAFilesPlaceLeavesNothing) {
  std::filesystem::create_directories(directory() / "here/simulate.h5/x");
  EXPECT_THAT(refuse({"simulate", "bouncing-ball", "--out", "here"}),
              AllOf(HasSubstr("simulate.h5"), HasSubstr("directory")));
  EXPECT_THAT(list_files(), ElementsAre("here", "here/simulate.h5", "here/simulate.h5/x"));
}

}  // namespace
}  // namespace slipstick::testkit
