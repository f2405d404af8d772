#pragma once

/// Intervals of numbers: arithmetic on them encloses all values that a formula takes over a range.
/// Bounds are not rounded outward: what is decided by them must not hang on the last digit.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace slipstick {

struct Interval {
  double low, high;

  Interval() = default;                       ///< not set
  Interval(double at) : low(at), high(at) {}  // NOLINT(google-explicit-constructor)
  Interval(double from, double to) : low(from), high(to) {}

  static Interval everything() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
  }
  /// The hull of some values; everything if one is not a number.
  static Interval hull(std::initializer_list<double> values) {
    for (const double value : values) {
      if (std::isnan(value)) return everything();
    }
    const auto [low, high] = std::minmax(values);
    return {low, high};
  }

  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
  [[nodiscard]] double magnitude() const { return std::max(std::abs(low), std::abs(high)); }

  friend Interval operator+(const Interval& a, const Interval& b) {
    return hull({a.low + b.low, a.high + b.high});
  }
  friend Interval operator-(const Interval& a, const Interval& b) {
    return hull({a.low - b.high, a.high - b.low});
  }
  friend Interval operator-(const Interval& a) { return {-a.high, -a.low}; }
  friend Interval operator*(const Interval& a, const Interval& b) {
    // Zero times anything is zero, also times an unbounded range.
    if ((a.low == 0.0 && a.high == 0.0) || (b.low == 0.0 && b.high == 0.0)) return {0.0};
    return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  }
  friend Interval operator/(const Interval& a, const Interval& b) {
    if (b.contains(0.0)) return everything();
    return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  }
};

/// Of a function that rises within its domain [least, most].
template <class F>
[[nodiscard]] Interval eval_rising(const Interval& x, double least, double most, F&& f) {
  if (x.low < least || x.high > most) return Interval::everything();
  return Interval::hull({f(x.low), f(x.high)});
}

[[nodiscard]] inline Interval cos(const Interval& x) {
  constexpr double kPi = std::numbers::pi;
  constexpr double kLargest = 1e15;  // beyond it the phase of a double is not known
  if (!(x.high - x.low < 2.0 * kPi) || !(x.magnitude() < kLargest)) return {-1.0, 1.0};
  Interval out = Interval::hull({std::cos(x.low), std::cos(x.high)});
  // Extremes at k pi.
  for (double k = std::ceil(x.low / kPi); k * kPi <= x.high; k += 1.0) {
    (std::fmod(k, 2.0) == 0.0 ? out.high : out.low) = std::fmod(k, 2.0) == 0.0 ? 1.0 : -1.0;
  }
  return out;
}
[[nodiscard]] inline Interval sin(const Interval& x) {
  constexpr double kHalfPi = std::numbers::pi / 2.0;
  return cos(Interval(x.low - kHalfPi, x.high - kHalfPi));
}
[[nodiscard]] inline Interval abs(const Interval& x) {
  const double least = x.contains(0.0) ? 0.0 : std::min(std::abs(x.low), std::abs(x.high));
  return {least, x.magnitude()};
}
[[nodiscard]] inline Interval sqrt(const Interval& x) {
  return eval_rising(x, 0.0, std::numeric_limits<double>::infinity(),
                     [](double at) { return std::sqrt(at); });
}
[[nodiscard]] inline Interval exp(const Interval& x) { return {std::exp(x.low), std::exp(x.high)}; }
[[nodiscard]] inline Interval log(const Interval& x) {
  return eval_rising(x, std::numeric_limits<double>::min(), std::numeric_limits<double>::infinity(),
                     [](double at) { return std::log(at); });
}

}  // namespace slipstick
