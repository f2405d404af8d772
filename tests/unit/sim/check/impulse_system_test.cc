/// Impulses that a change of velocities requires, and the most work that surfaces do by them.

#include "slipstick/sim/check/impulse_system.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using check::find_most_work;
using check::ImpulseSystem;
using testkit::Started;

/// The impulses of a kilogram that changes its velocity by 2 m/s up and 1 m/s forward are 2 N s
/// and 1 N s.
ImpulseSystem make_block_system() {
  const Started block("sliding-block");
  check::Mechanism mechanism(block.model());
  const check::Gradient change{1.0, 2.0};
  check::Placed placed;
  mechanism.place(block.loaded.initial, change.data(), 0.0, placed);
  return make_impulse_system(placed, 2, {0});
}

TEST(ImpulseSystem, HasTheImpulsesOfABlock) {
  const ImpulseSystem system = make_block_system();
  const Eigen::VectorXd impulses = system.A.colPivHouseholderQr().solve(system.b);
  ASSERT_EQ(impulses.size(), 2);
  EXPECT_NEAR(impulses[0], 2.0, 1e-14);
  EXPECT_NEAR(impulses[1], 1.0, 1e-14);
}

/// Work is P_t times the surface's speed. With mu = 0.5 the impulses lie on the border of Coulomb's
/// cone, with more inside. The equations hold to 1e-4 of the change.
TEST(ImpulseSystem, WorkOfASurface) {
  const ImpulseSystem system = make_block_system();
  EXPECT_NEAR(find_most_work(system, {{0.5, 0, false, 3.0}}), 3.0, 1e-3);
  EXPECT_NEAR(find_most_work(system, {{0.8, 0, false, 3.0}}), 3.0, 1e-3);
  EXPECT_NEAR(find_most_work(system, {{0.8, 0, false, -3.0}}), -3.0, 1e-3);
  EXPECT_EQ(find_most_work(system, {{0.8, 0, false, 0.0}}), 0.0);
}

/// Two feet side by side share the impulse, but push at most with mu of the whole: one stands on a
/// surface at 2 m/s and the other at rest, and the bodies need a tangential impulse of zero. Most
/// work: the first gives mu P_1 and the second takes it back by mu P_2, so P_1 = P_2 = P/2.
TEST(ImpulseSystem, RedundantFeetShareTheImpulse) {
  ImpulseSystem system;
  system.A.resize(2, 4);
  system.A << 0, 1, 0, 1, 1, 0, 1, 0;  // rows x, y; columns n, t, n, t
  system.b = Eigen::Vector2d(0.0, 10.0);
  EXPECT_NEAR(find_most_work(system, {{0.5, 0, false, 2.0}, {0.5, 0, false, 0.0}}), 2.0 * 2.5,
              5e-3);
  // Of a bilateral contact that pushes and pulls there is no bound.
  EXPECT_TRUE(std::isinf(find_most_work(system, {{0.5, 0, true, 2.0}, {0.5, 0, true, 0.0}})));
}

}  // namespace
}  // namespace slipstick
