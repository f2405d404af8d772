/// What the public headers of io give is what the program writes (tests/cli, tests/unit/io).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "slipstick/classify.h"
#include "slipstick/json.h"
#include "slipstick/model_file.h"
#include "slipstick/page.h"
#include "slipstick/result_file.h"
#include "slipstick/simulate.h"
#include "slipstick/tables.h"

namespace slipstick {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A ball that falls 1 m under 9.81 m/s^2 and bounces after sqrt(2/9.81) s.
class PublicIo : public ::testing::Test {
 protected:
  PublicIo() {
    options_.until = 0.6;
    tree_ = make_tree(simulate(*ball_.model, ball_.initial, options_));
  }

  LoadedModel ball_ = read_model("bouncing-ball", {});
  SimulationOptions options_;
  RunTree tree_;
};

TEST_F(PublicIo, JsonOfARun) {
  const json document = json::parse(make_json_text(ball_, tree_));
  EXPECT_EQ(document["end"]["reason"], "time");
  ASSERT_EQ(document["events"].size(), 1U);
  EXPECT_NEAR(document["events"][0]["time"].get<double>(), std::sqrt(2.0 / 9.81), 1e-12);
}

TEST_F(PublicIo, JsonOfAState) {
  const json document =
      json::parse(make_json_text(ball_, classify(*ball_.model, ball_.initial, Tolerances{})));
  EXPECT_EQ(document["class"], "consistent");
}

TEST_F(PublicIo, Tables) {
  EXPECT_THAT(make_trajectory_csv(ball_, tree_, {}), StartsWith("t,y,y_dot,"));
  EXPECT_EQ(json::parse(make_event_lines(ball_, tree_))["type"], "impact");
}

/// RFC 4180: a field with a comma or a quote is quoted, and quotes in it are doubled.
TEST_F(PublicIo, TableQuotesNamesOfContacts) {
  const LoadedModel named =
      parse_model("ball.toml",
                  "[[bodies]]\nname = \"b\"\nmass = 1\ngyration = 0\n"
                  "joint = { type = \"translation\", coordinates = [\"x\", \"y\"] }\n"
                  "[[surfaces]]\nname = \"s\"\n"
                  "[[contacts]]\nname = 'foot, \"left\"'\nbody = \"b\"\nsurface = \"s\"\n",
                  {});
  const RunTree tree = make_tree(simulate(*named.model, named.initial, options_));
  EXPECT_THAT(make_trajectory_csv(named, tree, {}),
              HasSubstr("modes,\"gap_foot, \"\"left\"\"\",\"slip_foot, \"\"left\"\"\","));
}

TEST_F(PublicIo, ResultFileIsReadBack) {
  const std::string bytes = make_result_file(ball_, {options_, {}, {}, false}, tree_);
  const ResultFile read = parse_result_file("ball.h5", bytes);
  EXPECT_EQ(read.tree.runs.at(0).run.events.at(0).time, tree_.runs[0].run.events[0].time);
  EXPECT_EQ(repeat_run(read).runs.at(0).run.state.q, tree_.runs[0].run.state.q);
}

TEST_F(PublicIo, PageHasTheRun) {
  if (!has_viewer()) GTEST_SKIP() << "built without the viewer";
  EXPECT_THAT(make_run_page(ball_, tree_, "a test"), HasSubstr("\"command\":\"a test\""));
}

}  // namespace
}  // namespace slipstick
