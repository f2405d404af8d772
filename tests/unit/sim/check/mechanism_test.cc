/// The mechanism of the check at single states, beside values by hand and conservation.

#include "slipstick/sim/check/mechanism.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// Painleve's bar: M = diag(m, m, I); end A is at (x - l cos, y - l sin). m = l = weight = 1.
TEST(CheckMechanism, BarByHand) {
  const Started bar("painleve-bar");
  check::Mechanism mechanism(bar.model());
  State state = bar.loaded.initial;
  state.q << 0.3, 1.1, 0.85;
  state.v << 0.4, -0.2, 0.7;
  EXPECT_NEAR(
      (mechanism.eval_mass_matrix(state) - MatQ(Eigen::Vector3d(1, 1, 1.0 / 12.0).asDiagonal()))
          .norm(),
      0.0, 1e-15);
  check::Placed placed;
  mechanism.place(state, check::Gradient{}.data(), 1.0, placed);
  const double s = std::sin(0.85);
  const double c = std::cos(0.85);
  EXPECT_NEAR(placed.kinetic, 0.5 * (0.16 + 0.04 + 0.49 / 12.0), 1e-15);
  EXPECT_NEAR(placed.balance[1], 1.0, 1e-15);  // the weight, on the left side
  EXPECT_NEAR(placed.contacts[0].gap, 1.1 - s, 1e-15);
  EXPECT_NEAR(placed.contacts[0].gap_rate, -0.2 - c * 0.7, 1e-15);
  EXPECT_NEAR(placed.contacts[0].slip, 0.4 + s * 0.7, 1e-15);
  EXPECT_NEAR(placed.contacts[0].bias_n, s * 0.49, 1e-15);
  EXPECT_NEAR(placed.contacts[0].bias_t, c * 0.49, 1e-15);
  EXPECT_NEAR(placed.contacts[1].gap, 1.1 + s, 1e-15);
  EXPECT_EQ(mechanism.find_size(), 1.0);  // from the centre to an end
  EXPECT_TRUE(mechanism.is_angle(2));
  EXPECT_FALSE(mechanism.is_angle(1));
}

/// In free motion, v' = -M^-1 h, the energy of a biped does not change: central differences along
/// the motion, to the square of the step.
TEST(CheckMechanism, EnergyIsConserved) {
  const Started biped("compass-biped");
  check::Mechanism mechanism(biped.model());
  State state = biped.loaded.initial;
  for (Eigen::Index i = 0; i < state.v.size(); ++i) {
    state.v[i] = 0.3 + 0.2 * static_cast<double>(i);
  }
  check::Placed placed;
  mechanism.place(state, check::Gradient{}.data(), 1.0, placed);
  const VecQ h = Eigen::Map<const Eigen::VectorXd>(placed.balance.data(), state.v.size());
  const VecQ a = -mechanism.eval_mass_matrix(state).ldlt().solve(h);
  const auto eval_energy_after = [&](double time) {
    const State after{time, state.q + time * (state.v + 0.5 * time * a), state.v + time * a};
    mechanism.place(after, check::Gradient{}.data(), 1.0, placed);
    return placed.kinetic + placed.potential;
  };
  constexpr double kStep = 1e-4;
  const double change = eval_energy_after(kStep) - eval_energy_after(-kStep);
  EXPECT_NEAR(change / (2.0 * kStep), 0.0, 1e-6);
}

}  // namespace
}  // namespace slipstick
