/// The fixed point of Painleve's bar at p = b = 0, with m = l = weight = 1, I = 1/12:
///   p = 1 + 12 c (c - mu s),  b = theta'^2 s - 1,  theta'' = f_n/c at p = 0.
/// Near it p' = p_theta theta' and, by the force alone, b' = -2 theta' tan(theta) b/p. So the two
/// rates of approach are p_theta theta' and -2 theta' tan(theta), up to a common factor.

#include "slipstick/sim/singular/jam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/simulate.h"
#include "unit/sim/jamming_bar.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::find_bar_angle;
using testkit::kBarMu;
using testkit::set_before_jam;
using testkit::Started;

/// The limit lies on p = b = 0 to second order in the distance.
TEST(Jam, LimitIsTheFixedPoint) {
  double before = 1e-2;
  for (int i = 0; i < 3; ++i, before *= 0.1) {
    const Started bar("painleve-bar", set_before_jam(before));
    const HybridState moving = bar.find_moving();
    const JamApproach found = find_jam_ahead(bar.model(), moving.mode, moving.state);
    ASSERT_TRUE(found.regular);
    const double theta = found.limit.q[2];
    const double spin = found.limit.v[2];
    EXPECT_NEAR(theta, find_bar_angle(), 10.0 * before * before);
    EXPECT_NEAR(spin * spin * std::sin(theta), 1.0, 10.0 * before * before);
    EXPECT_GT(found.limit.time, moving.state.time);
  }
}

/// The rates above give f ~ (t* - t)^(beta/alpha - 1), beta/alpha = -2 tan(theta)/p_theta.
TEST(Jam, ExponentOfTheForce) {
  const Started bar("painleve-bar", set_before_jam(1e-6));
  const HybridState moving = bar.find_moving();
  const JamApproach found = find_jam_ahead(bar.model(), moving.mode, moving.state);
  ASSERT_TRUE(found.regular);
  const double theta = find_bar_angle();
  const double p_theta = -12.0 * (std::sin(2.0 * theta) + kBarMu * std::cos(2.0 * theta));
  EXPECT_NEAR(found.exponent(), -2.0 * std::tan(theta) / p_theta - 1.0, 1e-8);
  EXPECT_FALSE(found.force_is_bounded());
}

/// Only the end that slides carries a force that can grow, and it is the first to let go.
TEST(Jam, OnlySlidingContactsJam) {
  const Started bar("painleve-bar", set_before_jam(1e-3));
  const HybridState moving = bar.find_moving();
  EXPECT_THAT(list_jamming(bar.model(), moving.mode, moving.state), ElementsAre(0));
  EXPECT_THAT(list_first_released(bar.model(), moving.mode, moving.state), ElementsAre(0));
}

/// States of one motion ever closer to its jam. Looks begin near d = 0, and come again each time d
/// has fallen by twenty. Estimates that agree are the end, which lies on p = b = 0 to rounding.
TEST(Jam, WatchEndsWhereEstimatesAgree) {
  const Started bar("painleve-bar", set_before_jam(1e-3));
  const Mode mode = bar.find_moving().mode;
  SimulationOptions options;
  options.on_jam = OnJam::kStop;
  const double last = simulate(bar.model(), bar.loaded.initial, options).end.time;
  JamWatch watch(bar.model(), mode, 1e-9);
  EXPECT_FALSE(watch.is_due(0.1));
  EXPECT_TRUE(watch.is_due(1e-4));
  std::optional<JamEnd> end;
  for (double left = 1e-4; left > 1e-12 && !end; left /= 25.0) {
    options.until = last - left;
    const State state = simulate(bar.model(), bar.loaded.initial, options).state;
    const double d = eval_mode_field(bar.model(), mode, state).determinant;
    EXPECT_TRUE(watch.is_due(d));
    end = watch.look(state, d, eval_rate(bar.model(), state));
    EXPECT_FALSE(watch.is_due(0.1 * d));
  }
  ASSERT_TRUE(end);
  EXPECT_EQ(end->type, JamEndType::kJam);
  EXPECT_FALSE(end->marginal);
  EXPECT_NEAR(end->state.q[2], find_bar_angle(), 1e-13);
  EXPECT_NEAR(std::pow(end->state.v[2], 2) * std::sin(end->state.q[2]), 1.0, 1e-12);
}

}  // namespace
}  // namespace slipstick
