#include "slipstick/core/linear_program.h"

#include <cmath>
#include <vector>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

using Eigen::Index;

constexpr double kPivot = 1e-11;  // of rows that callers scale to 1: some tens of roundings add up

/// Rows: constraints, last row: minus the reduced costs; last column: right-hand sides.
struct SimplexTableau {
  Eigen::MatrixXd T;
  std::vector<Index> basis;

  [[nodiscard]] Index rows() const { return T.rows() - 1; }
  [[nodiscard]] Index cols() const { return T.cols() - 1; }

  void pivot(Index row, Index col) {
    T.row(row) /= T(row, col);
    for (Index i = 0; i < T.rows(); ++i) {
      if (i != row && T(i, col) != 0.0) T.row(i) -= T(i, col) * T.row(row);
    }
    basis[static_cast<std::size_t>(row)] = col;
  }

  /// Bland's rule over the first `usable` columns: the first column that improves, then the first
  /// of the tightest rows. In exact arithmetic this ends; with rounding or NaN it may not.
  LinearProgramStatus maximise(Index usable) {
    const Index most_pivots = 100 * (rows() + usable);
    for (Index count = 0; count < most_pivots; ++count) {
      Index col = 0;
      while (col < usable && T(rows(), col) >= -kPivot) ++col;
      if (col == usable) return LinearProgramStatus::kOptimal;
      if (!std::isfinite(T(rows(), col))) break;
      Index best = -1;
      for (Index i = 0; i < rows(); ++i) {
        if (T(i, col) <= kPivot) continue;
        if (best < 0) {
          best = i;
          continue;
        }
        const double ratio = T(i, cols()) / T(i, col);
        const double least = T(best, cols()) / T(best, col);
        if (ratio < least || (ratio == least && basis[static_cast<std::size_t>(i)] <
                                                    basis[static_cast<std::size_t>(best)])) {
          best = i;
        }
      }
      if (best < 0) return LinearProgramStatus::kUnbounded;
      pivot(best, col);
    }
    return LinearProgramStatus::kFailed;
  }
};

/// Columns: x+, x-, slacks, artificials of the rows with a negative right-hand side.
SimplexTableau make_tableau(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Index m = A.rows();
  const Index n = A.cols();
  SimplexTableau out;
  out.T = Eigen::MatrixXd::Zero(m + 1, 2 * n + 2 * m + 1);
  out.basis.resize(static_cast<std::size_t>(m));
  for (Index i = 0; i < m; ++i) {
    const double sign = b[i] < 0.0 ? -1.0 : 1.0;
    out.T.row(i).head(n) = sign * A.row(i);
    out.T.row(i).segment(n, n) = -sign * A.row(i);
    out.T(i, 2 * n + i) = sign;
    out.T(i, out.cols()) = sign * b[i];
    const Index start = sign > 0.0 ? 2 * n + i : 2 * n + m + i;
    out.T(i, start) = 1.0;
    out.basis[static_cast<std::size_t>(i)] = start;
    if (sign < 0.0) {  // phase one maximises minus the sum of the artificials
      out.T.row(m).head(2 * n + m) -= out.T.row(i).head(2 * n + m);
      out.T(m, out.cols()) -= out.T(i, out.cols());
    }
  }
  return out;
}

}  // namespace

LinearProgramResult solve_linear_program(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                         const Eigen::VectorXd& c) {
  const Index m = A.rows();
  const Index n = A.cols();
  const Index real = 2 * n + m;
  SimplexTableau tableau = make_tableau(A, b);
  const LinearProgramStatus first = tableau.maximise(real);
  if (first == LinearProgramStatus::kFailed) return {first, 0.0, {}};
  const bool bounded = first == LinearProgramStatus::kOptimal;
  if (!bounded || tableau.T(m, tableau.cols()) < -kProgramError) return {};
  // Artificials still in the basis are zero; move them out where a real column can replace them.
  for (Index i = 0; i < m; ++i) {
    if (tableau.basis[static_cast<std::size_t>(i)] < real) continue;
    for (Index j = 0; j < real; ++j) {
      if (std::abs(tableau.T(i, j)) > kPivot) {
        tableau.pivot(i, j);
        break;
      }
    }
  }
  tableau.T.row(m).setZero();
  tableau.T.row(m).head(n) = -c;
  tableau.T.row(m).segment(n, n) = c;
  for (Index i = 0; i < m; ++i) {
    const Index col = tableau.basis[static_cast<std::size_t>(i)];
    if (tableau.T(m, col) != 0.0) tableau.T.row(m) -= tableau.T(m, col) * tableau.T.row(i);
  }
  const LinearProgramStatus second = tableau.maximise(real);
  if (second != LinearProgramStatus::kOptimal) return {second, 0.0, {}};
  Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
  for (Index i = 0; i < m; ++i) {
    const Index col = tableau.basis[static_cast<std::size_t>(i)];
    if (col < n) x[col] += tableau.T(i, tableau.cols());
    if (col >= n && col < 2 * n) x[col - n] -= tableau.T(i, tableau.cols());
  }
  return {LinearProgramStatus::kOptimal, c.dot(x), x};
}

}  // namespace slipstick
