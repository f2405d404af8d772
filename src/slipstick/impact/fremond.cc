#include "slipstick/impact/fremond.h"

#include <Eigen/LU>
#include <vector>

namespace slipstick {

std::optional<Vec2C> solve_slip_reversal(const SlipReversal& problem) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < problem.slip.size(); ++i) {
    rows.push_back(2 * i);
    if (problem.mu[i] > 0.0 && problem.slip[i] != 0.0) rows.push_back(2 * i + 1);
  }
  const auto size = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd A(size, size);
  Eigen::VectorXd change(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::Index row = rows[static_cast<std::size_t>(i)];
    change[i] = row % 2 == 0 ? 0.0 : -2.0 * problem.slip[row / 2];
    for (Eigen::Index j = 0; j < size; ++j) {
      A(i, j) = problem.G(row, rows[static_cast<std::size_t>(j)]);
    }
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  if (!lu.isInvertible()) return std::nullopt;
  const Eigen::VectorXd x = lu.solve(change);
  Vec2C out = Vec2C::Zero(2 * problem.slip.size());
  for (Eigen::Index i = 0; i < size; ++i) out[rows[static_cast<std::size_t>(i)]] = x[i];
  return out;
}

}  // namespace slipstick
