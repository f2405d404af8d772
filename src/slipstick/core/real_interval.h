#pragma once

/// Intervals of numbers: arithmetic on them encloses all values that a formula takes over a range.
/// Bounds are not rounded outward, so no decision may depend on their last digit.

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace slipstick {

struct RealInterval {
  double low, high;

  RealInterval() = default;                       ///< not set
  RealInterval(double at) : low(at), high(at) {}  // NOLINT(google-explicit-constructor)
  RealInterval(double from, double to) : low(from), high(to) {}

  static RealInterval everything() {
    const double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  /// The hull of some values; everything if one is not a number.
  static RealInterval hull(std::initializer_list<double> values) {
    for (const double value : values) {
      if (std::isnan(value)) return everything();
    }
    const auto [low, high] = std::minmax(values);
    return {low, high};
  }

  [[nodiscard]] bool contains(double x) const { return low <= x && x <= high; }
  [[nodiscard]] double magnitude() const { return std::max(std::abs(low), std::abs(high)); }

  friend RealInterval operator+(const RealInterval& a, const RealInterval& b) {
    return hull({a.low + b.low, a.high + b.high});
  }
  friend RealInterval operator-(const RealInterval& a, const RealInterval& b) {
    return hull({a.low - b.high, a.high - b.low});
  }
  friend RealInterval operator-(const RealInterval& a) { return {-a.high, -a.low}; }
  friend RealInterval operator*(const RealInterval& a, const RealInterval& b) {
    // Zero times anything is zero, also times an unbounded range.
    if ((a.low == 0.0 && a.high == 0.0) || (b.low == 0.0 && b.high == 0.0)) return {0.0};
    return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  }
  friend RealInterval operator/(const RealInterval& a, const RealInterval& b) {
    if (b.contains(0.0)) return everything();
    return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
  }
};

/// The range of a function that rises within its domain [least, most].
template <class F>
[[nodiscard]] RealInterval eval_rising(const RealInterval& x, double least, double most, F&& f) {
  if (x.low < least || x.high > most) return RealInterval::everything();
  return RealInterval::hull({f(x.low), f(x.high)});
}

[[nodiscard]] inline RealInterval cos(const RealInterval& x) {
  using std::numbers::pi;
  constexpr double kLargestPhase = 1e15;  // beyond it the phase of a double is not known
  if (!(x.high - x.low < 2.0 * pi) || !(x.magnitude() < kLargestPhase)) return {-1.0, 1.0};
  RealInterval out = RealInterval::hull({std::cos(x.low), std::cos(x.high)});
  // Extremes at k pi.
  for (double k = std::ceil(x.low / pi); k * pi <= x.high; k += 1.0) {
    (std::fmod(k, 2.0) == 0.0 ? out.high : out.low) = std::fmod(k, 2.0) == 0.0 ? 1.0 : -1.0;
  }
  return out;
}
[[nodiscard]] inline RealInterval sin(const RealInterval& x) {
  const double quarter = std::numbers::pi / 2.0;
  return cos(RealInterval(x.low - quarter, x.high - quarter));
}
[[nodiscard]] inline RealInterval abs(const RealInterval& x) {
  const double least = x.contains(0.0) ? 0.0 : std::min(std::abs(x.low), std::abs(x.high));
  return {least, x.magnitude()};
}
[[nodiscard]] inline RealInterval sqrt(const RealInterval& x) {
  return eval_rising(x, 0.0, std::numeric_limits<double>::infinity(),
                     [](double at) { return std::sqrt(at); });
}
[[nodiscard]] inline RealInterval exp(const RealInterval& x) {
  return {std::exp(x.low), std::exp(x.high)};
}
[[nodiscard]] inline RealInterval log(const RealInterval& x) {
  return eval_rising(x, std::numeric_limits<double>::min(), std::numeric_limits<double>::infinity(),
                     [](double at) { return std::log(at); });
}

}  // namespace slipstick
