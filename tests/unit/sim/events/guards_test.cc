/// Which guards a mode has, and their values at single states.

#include "slipstick/sim/events/guards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testkit::Started;

std::vector<Guard> list_first_guards(const Started& started) {
  const HybridState moving = started.find_moving();
  return list_guards(started.model(), moving.mode, moving.state, moving.opening);
}

std::vector<GuardType> list_guard_types(const Started& started) {
  std::vector<GuardType> out;
  for (const Guard& guard : list_first_guards(started)) out.push_back(guard.type);
  return out;
}

/// The table of docs/theory/motion.md, Events; every mode watches the time as well.
TEST(Guards, FollowFromTheModes) {
  EXPECT_THAT(list_guard_types(Started("bouncing-ball")),
              ElementsAre(GuardType::kTime, GuardType::kGap));
  EXPECT_THAT(list_guard_types(Started("sliding-block")),
              ElementsAre(GuardType::kTime, GuardType::kSlip, GuardType::kForce));
  EXPECT_THAT(list_guard_types(Started("sliding-block", {{"v0", "0"}})),
              ElementsAre(GuardType::kTime, GuardType::kForce, GuardType::kConePlus,
                          GuardType::kConeMinus));
}

/// A contact that has just rebounded is at zero gap, once.
TEST(Guards, KnowTheZeroAtTheStart) {
  const Started ball("bouncing-ball", {{"height", "0"}, {"y_dot", "2"}});
  EXPECT_EQ(list_first_guards(ball).at(1).zero_at_start, 1);
}

/// Coulomb's cone of mu_s = 0.5 about f_n = 10 N ends at f_t = 5 N to either side.
TEST(Guards, ForcesAreMeasuredFromTheCone) {
  Mode mode;
  mode.closed.emplace_back();
  mode.closed[0].mu_s = 0.5;
  EXPECT_EQ(eval_force_guard(mode, {GuardType::kForce, 0}, 10.0, 2.0), 10.0);
  EXPECT_EQ(eval_force_guard(mode, {GuardType::kConePlus, 0}, 10.0, 2.0), 3.0);
  EXPECT_EQ(eval_force_guard(mode, {GuardType::kConeMinus, 0}, 10.0, 2.0), 7.0);
  mode.closed[0].force_sign = -1.0;  // a bilateral contact that pulls
  EXPECT_EQ(eval_force_guard(mode, {GuardType::kConePlus, 0}, -10.0, 2.0), 3.0);
}

/// The gap of a ball is its height, and the slip of a block its speed.
TEST(Guards, StatesAreMeasuredFromTheSurface) {
  const Started ball("bouncing-ball", {{"height", "0.3"}});
  const Mode flight = ball.find_moving().mode;
  EXPECT_NEAR(eval_state_guard(ball.model(), flight, {GuardType::kGap, 0}, ball.loaded.initial),
              0.3, 1e-16);
  const Started block("sliding-block", {{"v0", "-3"}});
  const Mode slide = block.find_moving().mode;
  EXPECT_NEAR(eval_state_guard(block.model(), slide, {GuardType::kSlip, 0}, block.loaded.initial),
              3.0, 1e-15);
}

/// Two feet of a level body slide downhill, at (l_i, -h) from the centre of mass. The minor of foot
/// i alone is its p over its mobility: with r the gyration radius,
/// p_i = (1 + l_i (l_i - mu_i h)/r^2)/m, that of a frictionless foot (1 + l_i^2/r^2)/m.
TEST(Guards, MinorsAreThoseOfP) {
  const double r = 0.143;
  const double h = 0.1341;
  const Started body("two-contact-body",
                     {{"mu1", "0.1"}, {"mu2", "0.2"}, {"x_dot", "1"}, {"alpha", "0"}});
  const HybridState moving = body.find_moving();
  ASSERT_EQ(moving.mode.closed.size(), 2U);
  ASSERT_TRUE(moving.mode.closed[0].slides() && moving.mode.closed[1].slides());
  const ContactDynamics dynamics =
      eval_contact_dynamics(body.model(), moving.state, as_span(moving.mode.indices));
  const std::vector<Guard> minors = list_minors(moving.mode, dynamics);
  ASSERT_EQ(minors.size(), 2U);  // the minor of both is d
  const auto expected = [&](double l, double mu) {
    return (r * r + l * (l - mu * h)) / (r * r + l * l);
  };
  EXPECT_NEAR(eval_minor(moving.mode, dynamics, minors[0].subset), expected(-0.0512, 0.1), 1e-14);
  EXPECT_NEAR(eval_minor(moving.mode, dynamics, minors[1].subset), expected(0.1688, 0.2), 1e-14);
  EXPECT_GT(eval_state_guard(body.model(), moving.mode, minors[0], moving.state), 0.0);
  const Started block("sliding-block");
  const HybridState alone = block.find_moving();
  EXPECT_THAT(list_minors(alone.mode, eval_contact_dynamics(block.model(), alone.state,
                                                            as_span(alone.mode.indices))),
              IsEmpty());
}

}  // namespace
}  // namespace slipstick
