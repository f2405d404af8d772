#pragma once

/// The impulses of contacts that a change of velocities requires, as linear equations.

#include <Eigen/Core>
#include <vector>

#include "slipstick/sim/check/mechanism.h"

namespace slipstick::check {

/// A P = b for M dv + h dt = W P. Rows are divided by sqrt(M_ii); P has the normal and the
/// tangential impulse of each contact [N s].
struct ImpulseSystem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

/// For a mechanism placed with w = dv and pace = dt.
[[nodiscard]] ImpulseSystem make_impulse_system(const Placed& placed, int coordinates,
                                                const std::vector<int>& contacts);

/// The limits of one contact while the velocities change.
struct ImpulseLimits {
  double mu = 0.0;
  int slip = 0;          ///< +-1: slides along +-t all the time, so that P_t = -slip mu P_n
  bool pulls = false;    ///< bilateral
  double surface = 0.0;  ///< speed [m/s]
};

/// The most work that the surfaces can put in within Coulomb's law, sum of P_t times their speeds
/// [J]. Infinite if it is not bounded (a bilateral contact that pushes and pulls).
[[nodiscard]] double find_most_work(const ImpulseSystem& system,
                                    const std::vector<ImpulseLimits>& limits);

}  // namespace slipstick::check
