#include "slipstick/contact/lemke.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <limits>
#include <stdexcept>
#include <utility>

namespace slipstick {
namespace {

using Eigen::Index;
using MatC = BoundedMatrix<kMaxContacts, kMaxContacts>;
using RowIndices = boost::container::static_vector<Index, kMaxContacts>;

/// The equations w - P f - z0 (1, ..., 1) = b, solved for the basic variables. Columns: w, f, z0,
/// right-hand sides; the columns of w hold the inverse of the basis.
struct LemkeTableau {
  Index k = 0;
  BoundedMatrix<kMaxContacts, 2 * kMaxContacts + 2> T;
  RowIndices basis;  ///< the variable of each row

  LemkeTableau(const MatC& P, const VecC& b) : k(b.size()), T(k, 2 * k + 2) {
    T << MatC::Identity(k, k), -P, -VecC::Ones(k), b;
    for (Index i = 0; i < k; ++i) basis.push_back(i);
  }

  [[nodiscard]] Index cover() const { return 2 * k; }
  [[nodiscard]] Index right() const { return 2 * k + 1; }
  [[nodiscard]] Index partner(Index variable) const {
    return variable < k ? variable + k : variable - k;
  }

  /// Exchanges the basic variable of a row against `entering`; returns the one that leaves.
  Index pivot(Index row, Index entering) {
    T.row(row) /= T(row, entering);
    for (Index i = 0; i < k; ++i) {
      if (i != row) T.row(i) -= T(i, entering) * T.row(row);
    }
    return std::exchange(basis[static_cast<std::size_t>(row)], entering);
  }

  /// The row with the most negative b, and of tied rows the last one. Then all rows, read from the
  /// right-hand side through the inverse of the basis, become lexicographically positive.
  [[nodiscard]] Index find_first_row() const {
    Index row = 0;
    for (Index i = 1; i < k; ++i) {
      if (T(i, right()) <= T(row, right())) row = i;
    }
    return row;
  }

  /// The row that limits `entering` first, by the lexicographic ratio test; -1 if none does. Pivots
  /// and differences of ratios up to `zero` count as zero: a tie that rounding hides can start a
  /// cycle, while a wrong tie costs only accuracy of that order.
  [[nodiscard]] Index find_leaving_row(Index entering, double zero) const {
    RowIndices rows;
    for (Index i = 0; i < k; ++i) {
      if (T(i, entering) > zero) rows.push_back(i);
    }
    const auto keep_least = [&](Index column) {
      double least = std::numeric_limits<double>::infinity();
      for (const Index i : rows) least = std::min(least, T(i, column) / T(i, entering));
      const auto exceeds = [&](Index i) { return T(i, column) / T(i, entering) > least + zero; };
      rows.erase(std::remove_if(rows.begin(), rows.end(), exceeds), rows.end());
    };
    keep_least(right());
    for (const Index i : rows) {
      if (basis[static_cast<std::size_t>(i)] == cover()) return i;
    }
    for (Index column = 0; column < k && rows.size() > 1; ++column) keep_least(column);
    return rows.empty() ? -1 : rows.front();
  }

  [[nodiscard]] VecC make_solution() const {
    VecC f = VecC::Zero(k);
    for (Index i = 0; i < k; ++i) {
      const Index variable = basis[static_cast<std::size_t>(i)];
      if (variable >= k && variable < cover()) f[variable - k] = std::max(0.0, T(i, right()));
    }
    return f;
  }
};

}  // namespace

LemkeResult solve_lemke(const MatC& P, const VecC& b, const Tolerances& tolerances) {
  const Index k = b.size();
  if (P.rows() != k || P.cols() != k) {
    throw std::invalid_argument("solve_lemke: P must have one row and one column per entry of b");
  }
  if (k == 0 || b.minCoeff() >= 0.0) return {LemkeStatus::kSolved, VecC::Zero(k), 0};
  const double size_P = P.isZero(0.0) ? 1.0 : P.cwiseAbs().maxCoeff();
  const double size_b = b.cwiseAbs().maxCoeff();
  LemkeTableau tableau(P / size_P, b / size_b);
  // z0 is basic, and one pair (k choices) has no basic member; the others have either.
  const Index bases = k << (k - 1);
  Index row = tableau.find_first_row();
  Index entering = tableau.cover();
  for (int pivots = 1; pivots <= bases + 1; ++pivots) {
    const Index leaving = tableau.pivot(row, entering);
    if (leaving == tableau.cover()) {
      return {LemkeStatus::kSolved, size_b / size_P * tableau.make_solution(), pivots};
    }
    entering = tableau.partner(leaving);
    row = tableau.find_leaving_row(entering, tolerances.rank);
    if (row < 0) return {LemkeStatus::kRay, {}, pivots};
  }
  return {LemkeStatus::kCycle, {}, static_cast<int>(bases) + 1};
}

}  // namespace slipstick
