/// Forces that are polynomials over a short time, away from d = 0, where the plain field is a
/// second way to them.

#include "slipstick/sim/singular/passage.h"

#include <gtest/gtest.h>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// T_0 = 1, T_1 = u, T_2 = 2 u^2 - 1, T_3 = 4 u^3 - 3 u with u from -1 to 1 over the span.
TEST(SmoothForces, AreChebyshevSeries) {
  SmoothForces forces;
  forces.start = 2.0;
  forces.length = 0.5;
  forces.coefficients.setZero(2, SmoothForces::kNodes);
  forces.coefficients.row(0).head(4) << 1.0, 2.0, 3.0, 4.0;
  forces.coefficients(1, 1) = -1.0;
  EXPECT_EQ(forces.end(), 2.5);
  for (const double u : {-1.0, -0.3, 0.0, 0.6, 1.0}) {
    const Vec2C found = forces.eval(2.25 + 0.25 * u);
    EXPECT_NEAR(found[0], 1.0 + 2.0 * u + 3.0 * (2.0 * u * u - 1.0) + 4.0 * (4.0 * u * u - 3.0) * u,
                1e-14);
    EXPECT_NEAR(found[1], -u, 1e-15);
  }
}

/// Where d is not zero the motion is unique, and the forces at its start are those of the field.
TEST(SmoothForces, StartWithTheForcesOfTheField) {
  const Started bar("painleve-bar", {{"theta_dot", "0.4"}});
  const HybridState moving = bar.find_moving();
  const auto found = find_smooth_forces(bar.model(), moving.mode, moving.state, 1e-10);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->start, moving.state.time);
  EXPECT_GT(found->length, 0.0);
  const ModeField field = eval_mode_field(bar.model(), moving.mode, moving.state);
  const Vec2C expected = field.impulse_rate / field.rate;
  EXPECT_NEAR((found->eval(found->start) - expected).norm() / expected.norm(), 0.0, 1e-8);
}

/// Over time itself a block slows down by mu g.
TEST(SmoothForces, NaturalFieldRunsInTime) {
  const Started block("sliding-block");
  const HybridState moving = block.find_moving();
  const ModeField field = eval_natural_field(block.model(), moving.mode, moving.state);
  EXPECT_EQ(field.rate, 1.0);
  EXPECT_NEAR(field.acceleration[0], -0.5 * 9.81, 1e-14);
  EXPECT_NEAR(field.impulse_rate[0], 9.81, 1e-14);
  EXPECT_NEAR(field.impulse_rate[1], -0.5 * 9.81, 1e-14);
}

}  // namespace
}  // namespace slipstick
