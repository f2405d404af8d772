/// Every future where the laws leave a choice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "physics/runs.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::Case;
using testkit::list_types;
using testkit::run_case;

RunTree grow(Case in) {
  const LoadedModel loaded = read_model(in.model, in.overrides);
  in.options.until = in.until;
  return simulate_tree(*loaded.model, loaded.initial, in.options);
}

std::vector<std::string> list_choices(const RunTree& tree) {
  std::vector<std::string> out;
  for (const BranchRun& run : tree.runs) out.push_back(run.choice);
  return out;
}

void expect_same_end(const Run& a, const Run& b) {
  EXPECT_EQ(a.end.reason, b.end.reason);
  EXPECT_EQ(a.end.time, b.end.time);
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
}

TEST(Branching, WithoutChoicesThereIsOneRun) {
  SimulationOptions options;
  options.on_jam = OnJam::kBranch;
  const RunTree tree = grow({"sliding-block", {}, 10.0, options});
  ASSERT_EQ(tree.runs.size(), 1U);
  EXPECT_EQ(tree.runs[0].parent, -1);
  expect_same_end(tree.runs[0].run, run_case({"sliding-block", {}, 10.0, {}}));
}

/// Each branch of a jam is the run that its policy gives.
TEST(Branching, JamGoesOnByImpactAndByLiftOff) {
  SimulationOptions options;
  options.on_jam = OnJam::kBranch;
  const RunTree tree = grow({"painleve-bar", {}, 1.0, options});
  EXPECT_THAT(list_choices(tree), ElementsAre("", "impact", "lift-off"));
  EXPECT_EQ(tree.runs[0].run.end.reason, EndReason::kBranch);
  EXPECT_THAT(list_types(tree.runs[0].run), ElementsAre("jam"));
  EXPECT_THAT(tree.runs[0].run.events[0].alternatives, ElementsAre("impact", "lift-off"));
  EXPECT_NEAR(tree.runs[0].run.end.time, 0.5984372943, 1e-10);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(tree.runs[i].parent, 0);
    SimulationOptions alone;
    alone.on_jam = i == 1 ? OnJam::kImpact : OnJam::kLiftOff;
    const auto whole = run_case({"painleve-bar", {}, 1.0, alone});
    expect_same_end(tree.runs[i].run, whole);
    EXPECT_EQ(tree.runs[i].run.events.size() + 1, whole.events.size());
  }
}

/// Fremond's law leaves the size of the jump open: one outcome with a range, which does not branch.
TEST(Branching, FremondsJumpIsOneOutcomeWithItsRange) {
  SimulationOptions options;
  options.on_jam = OnJam::kBranch;
  options.on_impact = OnImpact::kBranch;
  const RunTree tree = grow({"painleve-bar", {}, 1.0, options});
  EXPECT_THAT(list_choices(tree), ElementsAre("", "impact", "lift-off"));
  const Event& event = tree.runs[1].run.events.at(0);
  EXPECT_THAT(event.alternatives, ElementsAre("jump 0 to 7.43687"));  // docs/errata.md
  ASSERT_TRUE(event.impact->family);
  const ImpulseFamily& family = *event.impact->family;
  EXPECT_EQ(family.dimension, 1);
  EXPECT_FALSE(family.velocity_is_unique);
  EXPECT_NEAR(family.velocity[2].second - family.velocity[2].first, 7.436872, 5e-7);
  EXPECT_EQ(family.velocity[2].first, event.impact->v_minus[2]);
  EXPECT_EQ(family.impulse_n[0].first, 0.0);
}

/// No jump at all is the same as to lift off.
TEST(Branching, WhatIsTheSameIsFollowedOnce) {
  SimulationOptions options;
  options.on_jam = OnJam::kBranch;
  const RunTree tree = grow({"painleve-bar", {{"jump", "0"}}, 1.0, options});
  EXPECT_THAT(list_choices(tree), ElementsAre("", "impact", "lift-off"));
  EXPECT_EQ(tree.runs[2].merged_into, 1);
  EXPECT_EQ(tree.runs[2].run.end.reason, EndReason::kMerged);
}

TEST(Branching, IndeterminateStateHasARunForEveryMode) {
  SimulationOptions options;
  options.on_indeterminate = OnIndeterminate::kBranch;
  const Case in{
      "rimless-wheel", {{"theta", "-0.2"}, {"theta_dot", "1.5"}, {"x_dot", "0.5"}}, 0.05, options};
  const RunTree tree = grow(in);
  ASSERT_GE(tree.runs.size(), 3U);
  EXPECT_EQ(tree.runs[0].run.events.at(0).type, EventType::kIndeterminate);
  EXPECT_EQ(tree.runs[0].run.end.time, 0.0);
  EXPECT_THAT(list_choices(tree), ::testing::IsSupersetOf({"FFF", "PFF", "impact"}));
  EXPECT_FALSE(tree.limited);
  Case alone = in;
  alone.options.on_indeterminate = OnIndeterminate::kLiftOff;
  EXPECT_EQ(tree.runs[1].choice, "FFF");  // the default comes first
  expect_same_end(tree.runs[1].run, run_case(alone));
}

TEST(Branching, LimitsLeaveAValidTree) {
  SimulationOptions options;
  options.on_jam = OnJam::kBranch;
  options.max_runs = 2;
  const RunTree few = grow({"painleve-bar", {}, 1.0, options});
  EXPECT_TRUE(few.limited);
  EXPECT_LE(few.runs.size(), 2U);
  EXPECT_EQ(few.runs[0].run.end.reason, EndReason::kBranchLimit);
  options.max_runs = 1000;
  options.max_depth = 0;
  const RunTree flat = grow({"painleve-bar", {}, 1.0, options});
  EXPECT_TRUE(flat.limited);
  EXPECT_EQ(flat.runs.size(), 1U);
  EXPECT_EQ(flat.runs[0].run.end.reason, EndReason::kBranchLimit);
}

}  // namespace
}  // namespace slipstick
