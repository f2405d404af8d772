#pragma once

/// A number with a bound on its error: arithmetic on it carries the bound along, to first order.
/// For comparisons of quantities of a motion, which are known to rounding only.

#include <cmath>

#include "slipstick/model/expression_code.h"

namespace slipstick {

struct Blurred {
  double value = 0.0, blur = 0.0;

  Blurred() = default;
  Blurred(double exact) : value(exact) {}  // NOLINT(google-explicit-constructor)
  Blurred(double at, double error) : value(at), blur(error) {}

  /// True if the number may be zero.
  [[nodiscard]] bool is_zero() const { return std::abs(value) <= blur; }

  friend Blurred operator+(const Blurred& a, const Blurred& b) {
    return {a.value + b.value, a.blur + b.blur};
  }
  friend Blurred operator-(const Blurred& a, const Blurred& b) {
    return {a.value - b.value, a.blur + b.blur};
  }
  friend Blurred operator-(const Blurred& a) { return {-a.value, a.blur}; }
  friend Blurred operator*(const Blurred& a, const Blurred& b) {
    return {a.value * b.value, std::abs(a.value) * b.blur + std::abs(b.value) * a.blur};
  }
  friend Blurred operator/(const Blurred& a, const Blurred& b) {
    const double value = a.value / b.value;
    return {value, (a.blur + std::abs(value) * b.blur) / std::abs(b.value)};
  }
};

/// Strictly less by more than the errors; less or equal up to them.
[[nodiscard]] inline Blurred eval_less(const Blurred& a, const Blurred& b) {
  return b.value - a.value > a.blur + b.blur ? 1.0 : 0.0;
}
[[nodiscard]] inline Blurred eval_less_equal(const Blurred& a, const Blurred& b) {
  return a.value - b.value <= a.blur + b.blur ? 1.0 : 0.0;
}
[[nodiscard]] inline Blurred eval_equal(const Blurred& a, const Blurred& b) {
  return std::abs(a.value - b.value) <= a.blur + b.blur ? 1.0 : 0.0;
}
[[nodiscard]] inline Blurred eval_sign(const Blurred& a) {
  return a.is_zero() ? 0.0 : eval_sign(a.value);
}
[[nodiscard]] inline Truth find_truth(const Blurred& a) { return find_truth(a.value); }

[[nodiscard]] inline Blurred eval_unary(Op op, const Blurred& x) {
  if (op == Op::kSign) return eval_sign(x);
  const double value = eval_unary(op, x.value);
  if (x.blur == 0.0) return value;  // also where the slope is infinite
  return {value, std::abs(eval_derivative(op, x.value, value)) * x.blur};
}
[[nodiscard]] inline Blurred eval_power(const Blurred& x, const Blurred& y) {
  const Dual along_x = eval_power(Dual(x.value, x.blur), Dual(y.value, 0.0));
  const Dual along_y = eval_power(Dual(x.value, 0.0), Dual(y.value, y.blur));
  return {along_x.value, std::abs(along_x.rate) + std::abs(along_y.rate)};
}
[[nodiscard]] inline Blurred eval_square(const Blurred& x) {
  return {x.value * x.value, 2.0 * std::abs(x.value) * x.blur};
}
[[nodiscard]] inline Blurred eval_atan2(const Blurred& y, const Blurred& x) {
  const double squares = x.value * x.value + y.value * y.value;
  return {std::atan2(y.value, x.value),
          (std::abs(x.value) * y.blur + std::abs(y.value) * x.blur) / squares};
}
[[nodiscard]] inline Blurred eval_min(const Blurred& a, const Blurred& b) {
  return b.value < a.value ? b : a;
}

}  // namespace slipstick
