#pragma once

/// Polynomials of theta in [0, 1] for many components at once, in the nested form in which
/// integrators give their dense output. Any polynomial can be written in it, so what reads a motion
/// need not know which method made it.

#include <Eigen/Core>
#include <cstddef>

namespace slipstick {

/// Row 0 is the value at theta = 0, row k + 1 the coefficient c_k of every component. `Rows` has
/// `size()` rows of numbers; the room of a row is a multiple of four.
template <class Rows>
struct NestedPolynomial {
  Rows rows;

  /// Component i: start + x (c_0 + (1 - x) (c_1 + x (c_2 + ...))), [Hairer1993] eq. (II.6.20).
  [[nodiscard]] double eval(std::size_t i, double theta) const {
    double sum = 0.0;
    for (std::size_t k = rows.size() - 1; k-- > 0;) {
      sum = (sum + rows[k + 1][i]) * (k % 2 == 0 ? theta : 1.0 - theta);
    }
    return rows[0][i] + sum;
  }

  /// The first components, and up to three more: the room of `out` is a multiple of four.
  void eval_first(std::size_t count, double theta, double* out) const {
    using Four = Eigen::Map<const Eigen::Array4d>;
    const std::size_t coefficients = rows.size() - 1;
    for (std::size_t at = 0; at < count; at += 4) {
      Eigen::Array4d sum = Eigen::Array4d::Zero();
      for (std::size_t k = coefficients; k-- > 0;) {
        sum = (sum + Four(&rows[k + 1][at])) * (k % 2 == 0 ? theta : 1.0 - theta);
      }
      Eigen::Map<Eigen::Array4d>(out + at) = Four(&rows[0][at]) + sum;
    }
  }

  /// d(component i)/d(theta).
  [[nodiscard]] double eval_rate(std::size_t i, double theta) const {
    double sum = 0.0;
    double rate = 0.0;
    for (std::size_t k = rows.size() - 1; k-- > 0;) {
      const bool even = k % 2 == 0;
      const double inner = sum + rows[k + 1][i];
      rate = rate * (even ? theta : 1.0 - theta) + (even ? inner : -inner);
      sum = inner * (even ? theta : 1.0 - theta);
    }
    return rate;
  }
};

}  // namespace slipstick
