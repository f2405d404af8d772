/// First-order changes of a mode's motion beside differences, and the equations behind them.

#include "slipstick/sim/mode/mode_variation.h"

#include <gtest/gtest.h>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// Acceleration and forces per unit time, from the stretched field.
ModeVariation eval_plain_field(const Model& model, const Mode& mode, const State& state) {
  const ModeField field = eval_mode_field(model, mode, state);
  return {field.acceleration / field.rate, field.impulse_rate / field.rate};
}

Variation make_change(const Started& bar) {
  Variation out{VecQ::Zero(bar.model().size()), VecQ::Zero(bar.model().size())};
  out.q << 0.2, -0.4, 0.7;
  out.v << -0.3, 0.5, 1.1;
  return out;
}

/// Central differences over 1e-4, which leave 1e-8 of a third derivative of order one to ten.
TEST(ModeVariation, AgreesWithDifferences) {
  const Started bar("painleve-bar", {{"theta_dot", "0.4"}});
  const HybridState moving = bar.find_moving();
  const Variation change = make_change(bar);
  constexpr double kStep = 1e-4;
  const auto eval_at = [&](double step) {
    State state = moving.state;
    state.q += step * change.q;
    state.v += step * change.v;
    return eval_plain_field(bar.model(), moving.mode, state);
  };
  const ModeVariation after = eval_at(kStep);
  const ModeVariation before = eval_at(-kStep);
  const VariedMode varied(bar.model(), moving.mode, moving.state);
  ASSERT_TRUE(varied.regular());
  const ModeVariation found = varied.vary(change);
  const VecQ acceleration = (after.acceleration - before.acceleration) / (2.0 * kStep);
  const Vec2C force = (after.force - before.force) / (2.0 * kStep);
  EXPECT_NEAR((found.acceleration - acceleration).norm() / acceleration.norm(), 0.0, 1e-6);
  EXPECT_NEAR((found.force - force).norm() / force.norm(), 0.0, 1e-6);
}

/// The motion itself is that of the mode: f_n of a sliding block is its weight, friction half.
TEST(ModeVariation, StartsFromTheMotionOfTheMode) {
  const Started block("sliding-block");
  const HybridState moving = block.find_moving();
  const VariedMode varied(block.model(), moving.mode, moving.state);
  ASSERT_TRUE(varied.regular());
  EXPECT_NEAR(varied.force()[0], 9.81, 1e-14);
  EXPECT_NEAR(varied.force()[1], -0.5 * 9.81, 1e-14);
  EXPECT_EQ(varied.flow().q, moving.state.v);
  EXPECT_NEAR(varied.flow().v[0], -0.5 * 9.81, 1e-14);
}

/// What is solved: M u - W F x = g, and W^T u = c in the rows that are held.
TEST(ModeVariation, HeldSystemSolvesItsEquations) {
  const Started bar("painleve-bar", {{"theta_dot", "0.4"}});
  const HybridState moving = bar.find_moving();
  const Dynamics dynamics = eval_dynamics(bar.model(), moving.state);
  const ContactKinematics contacts = eval_contact_kinematics(bar.model(), moving.state);
  const ModeEquations equations = make_mode_equations(
      moving.mode, eval_contact_dynamics(bar.model(), moving.state, as_span(moving.mode.indices)));
  const VecQ g = (VecQ(3) << 0.3, -0.2, 0.5).finished();
  const Vec2C c = (Vec2C(1) << 0.7).finished();
  const HeldSystem system(dynamics, as_span(moving.mode.indices), equations);
  const HeldSystem::Solution found = system.solve(g, c);
  const VecQ left = dynamics.M * found.rates - contacts.W_n.col(0) * found.force[0] -
                    contacts.W_t.col(0) * found.force[1];
  EXPECT_NEAR((left - g).norm(), 0.0, 1e-13);
  EXPECT_NEAR(contacts.W_n.col(0).dot(found.rates), 0.7, 1e-14);
  EXPECT_NEAR(found.force[1], 0.9 * found.force[0], 1e-13);  // it slides to -x, mu = 0.9
}

}  // namespace
}  // namespace slipstick
