/// A motion followed by hand. A block at 3 m/s with mu g = 4.905 m/s^2 stops after 3/4.905 s.

#include "slipstick/sim/hybrid/motion.h"

#include <gtest/gtest.h>

#include "slipstick/mode_letters.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

constexpr double kBlockStops = 3.0 / (0.5 * 9.81);  // [s]

TEST(Motion, SettlesBeforeItGoesOn) {
  const Started block("sliding-block");
  const SimulationOptions options;
  Motion motion(block.model(), block.loaded.initial, options);
  EXPECT_FALSE(motion.at().moves());
  motion.settle();
  EXPECT_TRUE(motion.at().moves());
  EXPECT_EQ(motion.at().state, block.loaded.initial);
  EXPECT_EQ(to_letters(motion.at().mode.word), "P");
}

/// Its way is v^2/(2 mu g).
TEST(Motion, GoesOnToRest) {
  const Started block("sliding-block");
  const SimulationOptions options;
  Motion motion(block.model(), block.loaded.initial, options);
  motion.go_on();
  const slipstick::Run run = motion.take_run();
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  EXPECT_NEAR(run.end.time, kBlockStops, 1e-14);
  EXPECT_NEAR(run.state.q[0], 9.0 / (2.0 * 0.5 * 9.81), 1e-13);
  EXPECT_FALSE(run.trajectory.empty());
  EXPECT_TRUE(motion.take_run().trajectory.empty());  // it was taken
}

/// The second half starts where the first one has ended.
TEST(Motion, GoesOnFromWhereItWas) {
  const Started block("sliding-block");
  SimulationOptions first;
  first.until = 0.3;
  Motion begin(block.model(), block.loaded.initial, first);
  begin.go_on();
  EXPECT_EQ(begin.at().state.time, 0.3);
  const SimulationOptions second;
  Motion rest(block.model(), begin.at(), second);
  rest.go_on();
  EXPECT_NEAR(rest.take_run().end.time, kBlockStops, 1e-14);
}

/// Painleve's bar with p < 0 < b has two modes and an impulse; each is a motion of its own.
TEST(Motion, BranchesAreSeparateMotions) {
  const Started bar("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"theta_dot", "3"}});
  SimulationOptions options;
  options.on_indeterminate = OnIndeterminate::kBranch;
  Motion motion(bar.model(), bar.loaded.initial, options);
  motion.go_on();
  ASSERT_EQ(motion.ways().size(), 3U);
  EXPECT_EQ(motion.take_run().end.reason, EndReason::kBranch);
  const Motion lifts = motion.follow(motion.ways()[0]);
  const Motion slides = motion.follow(motion.ways()[1]);
  EXPECT_TRUE(lifts.at().moves() && slides.at().moves());
  EXPECT_TRUE(lifts.has_same_future(motion.follow(motion.ways()[0])));
  EXPECT_FALSE(lifts.has_same_future(slides));
}

}  // namespace
}  // namespace slipstick
