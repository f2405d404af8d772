/// The contact equations of modes put together by hand.

#include "slipstick/sim/mode/mode_equations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;

/// Two contacts with these accelerations by unit forces. Entries are n, t, n, t.
ContactDynamics make_coupled_dynamics() {
  ContactDynamics out;
  out.free_acceleration = VecQ::Zero(1);
  out.M_inverse_W = MatQ2C::Zero(1, 4);
  out.G.resize(4, 4);
  out.G << 4, 1, 2, 0.5, 1, 9, 3, 1, 2, 3, 16, 1, 0.5, 1, 1, 25;
  out.a_free.resize(4);
  out.a_free << -5, -6, -7, -8;
  return out;
}

/// The first contact slides along +t with mu = 0.5, the second one sticks.
Mode make_slide_and_stick() {
  Mode mode;
  mode.closed.resize(2);
  mode.closed[0].mode = ContactMode::kSlipPlus;
  mode.closed[0].slip_sign = 1.0;
  mode.closed[0].mu = 0.5;
  mode.closed[1].contact = 1;
  mode.indices = {0, 1};
  return mode;
}

/// Unknowns are both normal forces and the second friction; the first one is -f_n/2. By hand:
/// column 1 of E is G_n1 - G_t1/2.
TEST(ModeEquations, FrictionOfSlidingContactsIsEliminated) {
  const ModeEquations equations =
      make_mode_equations(make_slide_and_stick(), make_coupled_dynamics());
  EXPECT_THAT(equations.rows, ElementsAre(0, 2, 3));
  Mat2C expected(3, 3);
  expected << 4 - 0.5 * 1, 2, 0.5, 2 - 0.5 * 3, 16, 1, 0.5 - 0.5 * 1, 1, 25;
  EXPECT_EQ((equations.E - expected).norm(), 0.0);
  EXPECT_EQ(equations.r, (Vec2C(3) << 5, 7, 8).finished());
  EXPECT_EQ(equations.determinant_scale, 4.0 * 16.0 * 25.0);
  EXPECT_EQ(equations.F * Eigen::Vector3d(10, 20, 30), (Vec2C(4) << 10, -5, 20, 30).finished());
}

/// 1/sqrt(mobility); a row that does not move has the unit of the most mobile one.
TEST(ModeEquations, UnitsMakeMobilityOne) {
  EXPECT_EQ(make_force_units((Vec2C(3) << 4, 0, 25).finished()),
            (Vec2C(3) << 0.5, 0.2, 0.2).finished());
  EXPECT_EQ(make_force_units(Vec2C::Zero(2)), Vec2C::Ones(2));
}

/// The contacts of a chain 0 - 1 - 2 feel each other, the fourth one feels none of them.
TEST(ModeEquations, CouplingGoesThroughOthers) {
  Mat2C G = Mat2C::Identity(8, 8);
  G(0, 2) = G(2, 0) = 0.1;
  G(3, 4) = G(4, 3) = -0.1;
  EXPECT_THAT(find_coupled(G, {true, false, false, false}), ElementsAre(true, true, true, false));
  EXPECT_THAT(find_coupled(G, {false, false, false, true}), ElementsAre(false, false, false, true));
}

/// A part has the equations of its contacts alone, and its forces find back to their places.
TEST(ModeEquations, PartsAreTheirContactsAlone) {
  Mode mode = make_slide_and_stick();
  mode.closed[0].shares = true;
  const ContactDynamics all = make_coupled_dynamics();
  const ModePart part = take_part(mode, all, false);
  EXPECT_THAT(part.mode.indices, ElementsAre(1));
  EXPECT_EQ(part.dynamics.G, all.G.bottomRightCorner(2, 2));
  EXPECT_EQ(part.dynamics.a_free, all.a_free.tail(2));
  Vec2C forces = Vec2C::Constant(4, 1.0);
  place_forces(part, (Vec2C(2) << 7, 8).finished(), forces);
  EXPECT_EQ(forces, (Vec2C(4) << 1, 1, 7, 8).finished());
}

}  // namespace
}  // namespace slipstick
