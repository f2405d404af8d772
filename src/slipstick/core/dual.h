#pragma once

/// A number with its rate along one direction: arithmetic on it differentiates exactly.

#include <Eigen/Core>
#include <cmath>

namespace slipstick {

struct Dual {
  double value, rate;

  Dual() = default;  ///< not set: arrays of them are as cheap as of numbers
  Dual(double constant) : value(constant), rate(0.0) {}  // NOLINT(google-explicit-constructor)
  Dual(double at, double along) : value(at), rate(along) {}

  Dual& operator+=(const Dual& b) { return *this = {value + b.value, rate + b.rate}; }
  Dual& operator-=(const Dual& b) { return *this = {value - b.value, rate - b.rate}; }
  Dual& operator*=(const Dual& b) {
    return *this = {value * b.value, rate * b.value + value * b.rate};
  }
  Dual& operator/=(const Dual& b) {
    return *this = {value / b.value, (rate - value / b.value * b.rate) / b.value};
  }
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.rate}; }
  friend bool operator==(const Dual& a, double b) { return a.value == b; }
};

[[nodiscard]] inline Dual sin(const Dual& a) {
  return {std::sin(a.value), std::cos(a.value) * a.rate};
}
[[nodiscard]] inline Dual cos(const Dual& a) {
  return {std::cos(a.value), -std::sin(a.value) * a.rate};
}
[[nodiscard]] inline Dual hypot(const Dual& a, const Dual& b) {
  const double value = std::hypot(a.value, b.value);
  return {value, (a.value * a.rate + b.value * b.rate) / value};
}

}  // namespace slipstick

/// What Eigen must know of it.
template <>
struct Eigen::NumTraits<slipstick::Dual> : Eigen::NumTraits<double> {
  using Real = slipstick::Dual;
  using NonInteger = slipstick::Dual;
  using Nested = slipstick::Dual;
  using Literal = double;
  // NOLINTBEGIN(readability-identifier-naming): Eigen's names
  static constexpr int IsComplex = 0;
  static constexpr int IsInteger = 0;
  static constexpr int IsSigned = 1;
  static constexpr int RequireInitialization = 0;
  static constexpr int ReadCost = 2;
  static constexpr int AddCost = 2;
  static constexpr int MulCost = 4;
  // NOLINTEND(readability-identifier-naming)
};
