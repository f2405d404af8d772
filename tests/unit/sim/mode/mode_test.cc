/// The field of a mode at single states, and projections onto its contacts.

#include "slipstick/sim/mode/mode.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// Painleve's bar slides on its end to -x: p and b of docs, with m = l = weight = 1, I = 1/12.
struct BarTerms {
  double p, p_smooth, b;
};
BarTerms eval_bar(double theta, double spin, double mu) {
  const double c = std::cos(theta);
  const double s = std::sin(theta);
  return {1.0 + 12.0 * c * (c - mu * s), 1.0 + 12.0 * c * c, spin * spin * s - 1.0};
}

/// Time is stretched by d = p/p(mu = 0), forces are -b/p, and friction pushes to +x. The centre
/// accelerates by f_t/m along x.
TEST(Mode, FieldOfASlidingBar) {
  const Started bar("painleve-bar", {{"theta_dot", "0.4"}});
  const HybridState moving = bar.find_moving();
  const ModeField field = eval_mode_field(bar.model(), moving.mode, moving.state);
  const BarTerms expected = eval_bar(0.85, 0.4, 0.9);
  const double d = expected.p / expected.p_smooth;
  const double force = -expected.b / expected.p;
  ASSERT_TRUE(field.regular);
  EXPECT_NEAR(field.determinant, d, 1e-14);
  EXPECT_NEAR(field.rate, d, 1e-14);
  EXPECT_NEAR(field.impulse_rate[0], force * d, 1e-13);
  EXPECT_NEAR(field.impulse_rate[1], 0.9 * force * d, 1e-13);
  EXPECT_NEAR(field.acceleration[0], 0.9 * force * d, 1e-13);
}

/// Where nothing slides with friction, time is not stretched: a block at rest carries its weight.
TEST(Mode, FieldOfABlockAtRest) {
  const Started block("sliding-block", {{"v0", "0"}});
  const HybridState moving = block.find_moving();
  EXPECT_FALSE(moving.mode.stretched);
  const ModeField field = eval_mode_field(block.model(), moving.mode, moving.state);
  EXPECT_EQ(field.rate, 1.0);
  EXPECT_NEAR(field.acceleration.norm(), 0.0, 1e-15);
  EXPECT_NEAR(field.impulse_rate[0], 9.81, 1e-14);
  EXPECT_NEAR(field.impulse_rate[1], 0.0, 1e-15);
}

/// Both corrections use the directions at the state given, so the first one leaves a gap rate of a
/// turn of 1e-9 times the spin of 0.4/s, and the second one none. W_n has no entry along x, where
/// nothing changes.
TEST(Mode, ProjectionClosesTheContact) {
  const Started bar("painleve-bar", {{"theta_dot", "0.4"}});
  const HybridState moving = bar.find_moving();
  State state = moving.state;
  state.q[1] += 1e-9;
  state.v[1] += 1e-9;
  const State before = state;
  const auto project = [&] {
    project_onto_mode(bar.model(), moving.mode, state);
    return eval_contact_kinematics(bar.model(), state);
  };
  const ContactKinematics once = project();
  EXPECT_NEAR(once.gap[0], 0.0, 1e-15);
  EXPECT_NEAR(once.gap_rate[0], 0.0, 1e-15);
  EXPECT_EQ(state.v[0], before.v[0]);
  EXPECT_LT((state.q - before.q).norm(), 2e-9);
}

/// Two ends of a rod on surfaces at right angles, one of which sticks. Where the rod lies along the
/// normal of the other's surface, up to 1e-7, that slip hardly moves anything and cannot be stopped
/// with the rest. The gap rates vanish all the same.
TEST(Mode, GapRatesVanishBesideADeadCentre) {
  const LoadedModel loaded = parse_model("ladder.toml", R"toml([[bodies]]
name = "rod"
mass = 1
gyration = 0.3
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[[surfaces]]
name = "wall"
normal = [1, 0]
[[contacts]]
name = "foot"
body = "rod"
point = [0.5, 0]
surface = "floor"
mu = 1
[[contacts]]
name = "top"
body = "rod"
point = [-0.5, 0]
surface = "wall"
[initial]
x = "0.5*cos(1e-7)"
y = "0.5*sin(1e-7)"
a = -1e-7
)toml",
                                         {});
  State state = loaded.initial;
  state.v << 0.3, -0.2, 0.7;
  const std::array<int, 2> both{0, 1};
  stop_velocities(*loaded.model, both, {both.data(), 1}, state);
  const ContactKinematics contacts = eval_contact_kinematics(*loaded.model, state);
  EXPECT_NEAR(contacts.gap_rate[0], 0.0, 1e-15);
  EXPECT_NEAR(contacts.gap_rate[1], 0.0, 1e-15);
}

/// The impulses of least energy remove the part of v that is orthogonal to what remains, so
/// energies add up (Pythagoras in the metric of M).
TEST(Mode, StoppedVelocityIsOrthogonalToTheRest) {
  const Started bar("painleve-bar", {{"theta_dot", "0.4"}});
  State state = bar.loaded.initial;
  state.v << -1.0, 0.3, 0.7;
  State lost = state;
  const int contact = 0;
  const double before = eval_kinetic_energy(bar.model(), state);
  stop_velocities(bar.model(), {&contact, 1}, {&contact, 1}, state);
  lost.v -= state.v;
  const ContactKinematics contacts = eval_contact_kinematics(bar.model(), state);
  EXPECT_NEAR(contacts.gap_rate[0], 0.0, 1e-15);
  EXPECT_NEAR(contacts.slip[0], 0.0, 1e-15);
  EXPECT_GT(state.v.norm(), 0.1);  // it still turns about its end
  EXPECT_NEAR(eval_kinetic_energy(bar.model(), state) + eval_kinetic_energy(bar.model(), lost),
              before, 1e-14);
}

}  // namespace
}  // namespace slipstick
