#pragma once

/// A number with its rate along one direction: arithmetic on it differentiates exactly. The numbers
/// may be intervals, which then enclose the rate over a range.

#include <Eigen/Core>
#include <cmath>

namespace slipstick {

template <class T>
struct BasicDual {
  T value, rate;

  BasicDual() = default;  ///< not set: arrays of them are as cheap as of numbers
  BasicDual(T constant) : value(constant), rate(0.0) {}  // NOLINT(google-explicit-constructor)
  BasicDual(T at, T along) : value(at), rate(along) {}

  BasicDual& operator+=(const BasicDual& b) { return *this = {value + b.value, rate + b.rate}; }
  BasicDual& operator-=(const BasicDual& b) { return *this = {value - b.value, rate - b.rate}; }
  BasicDual& operator*=(const BasicDual& b) {
    return *this = {value * b.value, rate * b.value + value * b.rate};
  }
  BasicDual& operator/=(const BasicDual& b) {
    return *this = {value / b.value, (rate - value / b.value * b.rate) / b.value};
  }
  friend BasicDual operator+(BasicDual a, const BasicDual& b) { return a += b; }
  friend BasicDual operator-(BasicDual a, const BasicDual& b) { return a -= b; }
  friend BasicDual operator*(BasicDual a, const BasicDual& b) { return a *= b; }
  friend BasicDual operator/(BasicDual a, const BasicDual& b) { return a /= b; }
  friend BasicDual operator-(const BasicDual& a) { return {-a.value, -a.rate}; }
  friend bool operator==(const BasicDual& a, double b) { return a.value == b; }

  friend BasicDual sin(const BasicDual& a) {
    using std::cos, std::sin;
    return {sin(a.value), cos(a.value) * a.rate};
  }
  friend BasicDual cos(const BasicDual& a) {
    using std::cos, std::sin;
    return {cos(a.value), -sin(a.value) * a.rate};
  }
  friend BasicDual hypot(const BasicDual& a, const BasicDual& b) {
    using std::hypot;
    const T value = hypot(a.value, b.value);
    return {value, (a.value * a.rate + b.value * b.rate) / value};
  }
};

using Dual = BasicDual<double>;

}  // namespace slipstick

/// Traits that Eigen needs.
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
