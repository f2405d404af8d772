#pragma once

#include <Eigen/Core>

namespace slipstick {

enum class LinearProgramStatus {
  kOptimal,
  kInfeasible,
  kUnbounded,
  kFailed,  ///< numbers beyond what doubles hold
};

struct LinearProgramResult {
  LinearProgramStatus status = LinearProgramStatus::kInfeasible;
  double value = 0.0;  ///< c . x where optimal
  Eigen::VectorXd x;   ///< the maximiser where optimal
};

/// Maximises c . x over A x <= b, x of any sign, by the dense two-phase simplex method with Bland's
/// rule (no cycling). For the few unknowns of a redundant contact; rows should be scaled to
/// order 1.
[[nodiscard]] LinearProgramResult solve_linear_program(const Eigen::MatrixXd& A,
                                                       const Eigen::VectorXd& b,
                                                       const Eigen::VectorXd& c);

}  // namespace slipstick
