/// Modes followed to their ends, beside closed forms.

#include "slipstick/sim/events/integrate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/sim/jamming_bar.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::find_bar_angle;
using testkit::kBarMu;
using testkit::Started;

ModeEnd follow_first_mode(const Started& started, SimulationOptions options = {}) {
  const HybridState moving = started.find_moving();
  Pace pace;
  slipstick::Run run;
  const auto tell = [](const MinorChange&) { return true; };
  return integrate_mode(started.model(), moving.mode,
                        {moving.state, moving.opening, std::nullopt, std::nullopt}, options, tell,
                        pace, run);
}

/// A ball falls from 1 m for sqrt(2/g), and arrives with sqrt(2 g).
TEST(IntegrateMode, FallEndsAtTheGround) {
  const ModeEnd end = follow_first_mode(Started("bouncing-ball"));
  ASSERT_EQ(end.type, ModeEndType::kGuards);
  ASSERT_EQ(end.guards.size(), 1U);
  EXPECT_EQ(end.guards[0].type, GuardType::kGap);
  EXPECT_NEAR(end.state.time, std::sqrt(2.0 / 9.81), 1e-14);
  EXPECT_NEAR(end.state.v[0], -std::sqrt(2.0 * 9.81), 1e-13);
}

/// A block slides for v/(mu g).
TEST(IntegrateMode, SlidingEndsWithTheSlip) {
  const ModeEnd end = follow_first_mode(Started("sliding-block"));
  ASSERT_EQ(end.type, ModeEndType::kGuards);
  ASSERT_EQ(end.guards.size(), 1U);
  EXPECT_EQ(end.guards[0].type, GuardType::kSlip);
  EXPECT_NEAR(end.state.time, 3.0 / (0.5 * 9.81), 1e-14);
}

/// Otherwise at the end of the run, or where someone interrupts it.
TEST(IntegrateMode, EndsWithTheRun) {
  SimulationOptions options;
  options.until = 0.25;
  const ModeEnd end = follow_first_mode(Started("sliding-block"), options);
  EXPECT_EQ(end.type, ModeEndType::kTime);
  EXPECT_NEAR(end.state.time, 0.25, 1e-15);
  EXPECT_NEAR(end.state.v[0], 3.0 - 0.5 * 9.81 * 0.25, 1e-14);
}

/// The point p = b = 0 of Painleve's bar, and the exponent there: near it p' = p_theta theta', and
/// the force alone changes b by -2 theta' tan(theta) b/p, so f ~ (t* - t)^(beta/alpha - 1) with
/// beta/alpha = -2 tan(theta)/p_theta.
TEST(IntegrateMode, SlidingEndsInAJam) {
  const ModeEnd end = follow_first_mode(Started("painleve-bar", testkit::set_before_jam(1e-3)));
  ASSERT_EQ(end.type, ModeEndType::kJam);
  const double theta = find_bar_angle();
  EXPECT_NEAR(end.state.q[2], theta, 1e-13);
  EXPECT_NEAR(std::pow(end.state.v[2], 2) * std::sin(theta), 1.0, 1e-12);
  const double p_theta = -12.0 * (std::sin(2.0 * theta) + kBarMu * std::cos(2.0 * theta));
  EXPECT_NEAR(end.exponent, -2.0 * std::tan(theta) / p_theta - 1.0, 1e-10);
  EXPECT_FALSE(end.marginal);
}

}  // namespace
}  // namespace slipstick
