#include "slipstick/sim/events/crossing.h"

#include <Eigen/Core>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// Chebyshev points of the first kind: none at an end, where a known zero may sit.
template <int size>
struct ChebyshevPoints {
  Eigen::Matrix<double, size, 1> u;
  Eigen::Matrix<double, size, size> to_coefficients;

  ChebyshevPoints() {
    for (int j = 0; j < size; ++j) u[j] = -std::cos(std::numbers::pi * (j + 0.5) / size);
    for (int k = 0; k < size; ++k) {
      for (int j = 0; j < size; ++j) {
        to_coefficients(k, j) =
            (k == 0 ? 1.0 : 2.0) / size * std::cos(std::numbers::pi * k * (size - j - 0.5) / size);
      }
    }
  }
};

constexpr int kSize = 12;
using Series = Eigen::Matrix<double, kSize, 1>;

double eval_series(const Series& c, double u) {  // Clenshaw
  double b1 = 0.0;
  double b2 = 0.0;
  for (Eigen::Index k = kSize - 1; k > 0; --k) {
    const double b0 = c[k] + 2.0 * u * b1 - b2;
    b2 = b1;
    b1 = b0;
  }
  return c[0] + u * b1 - b2;
}

const ChebyshevPoints<kSize>& points() {
  static const ChebyshevPoints<kSize> kPoints;
  return kPoints;
}

template <class F>
Series make_series(const F& f, double low, double high) {
  const ChebyshevPoints<kSize>& at = points();
  Series values;
  for (Eigen::Index j = 0; j < kSize; ++j) {
    values[j] = f(0.5 * (low + high) + 0.5 * (high - low) * at.u[j]);
  }
  return at.to_coefficients.lazyProduct(values);
}

/// The root between two values of different signs, to rounding: the better of the two last doubles.
template <class F>
double find_root_between(const F& g, double low, double high, double g_low, double g_high) {
  std::uintmax_t iterations = 200;
  const auto exact = [](double a, double b) { return std::nextafter(a, b) >= b; };
  const auto [a, b] =
      boost::math::tools::toms748_solve(g, low, high, g_low, g_high, exact, iterations);
  return a == b || std::abs(g(a)) <= std::abs(g(b)) ? a : b;
}

class CrossingSearch {
 public:
  explicit CrossingSearch(const CrossingProblem& problem)
      : problem_(problem),
        residue_(problem.zero_at_start > 0 ? problem.guard(0.0) : 0.0),
        noise_(problem.zero_at_start > 0 ? 0.0 : problem.noise) {}

  /// First theta in [low, high] where sign * guard falls to zero.
  [[nodiscard]] std::optional<double> find(double low, double high, double sign, int depth) const {
    constexpr int kCost = 20;  // values of the guard
    if (!pays(kCost)) return std::nullopt;
    const auto g = [&](double theta) { return sign * eval_deflated(theta); };
    if (is_certain(g, low, high)) return std::nullopt;
    const Series series = make_series(g, low, high);
    const double size = series.cwiseAbs().maxCoeff();
    if (size <= noise_) return std::nullopt;  // a guard that stays at zero does not fall
    const double tail = series.tail(3).cwiseAbs().maxCoeff();
    constexpr double kResolvedTail = 1e-7;  // of the series: roots are refined later
    constexpr int kDeepest = 12;
    if (tail > kResolvedTail * size + 10.0 * noise_ && depth < kDeepest) {
      const double middle = 0.5 * (low + high);
      if (const auto first = find(low, middle, sign, depth + 1)) return first;
      return find(middle, high, sign, depth + 1);
    }
    const Piece whole{series, low, high, sign, tail};
    return find_in_series(whole, -1.0, 1.0, 0);
  }

  /// True if the guard is below zero by more than rounding.
  [[nodiscard]] bool is_below(double theta) const {
    return problem_.guard(theta) - residue_ < -problem_.noise;
  }

  /// The start of the last stretch below zero, found by halving from the end.
  [[nodiscard]] double find_by_halving() const {
    double high = 1.0;
    while (high > kLeastPart && eval_deflated(0.5 * high) <= 0.0) high *= 0.5;
    double low = 0.5 * high;
    for (int i = 0; i < 60 && eval_deflated(low) > 0.0; ++i) {
      const double middle = 0.5 * (low + high);
      (eval_deflated(middle) > 0.0 ? low : high) = middle;
    }
    return high;
  }

  [[nodiscard]] double eval_deflated(double theta) const {
    double value = problem_.guard(theta) - residue_;
    for (int i = 0; i < problem_.zero_at_start; ++i) value /= theta;
    return value;
  }

 private:
  /// Tests eight points, and proves if possible that no polynomial through them has a root, or that
  /// the guard is below zero throughout, so that it cannot fall through zero either.
  template <class F>
  [[nodiscard]] bool is_certain(const F& g, double low, double high) const {
    static const ChebyshevPoints<8> kQuick;
    const auto eval = [&](Eigen::Index j) {
      return g(0.5 * (low + high) + 0.5 * (high - low) * kQuick.u[j]);
    };
    Eigen::Matrix<double, 8, 1> quick;
    quick[0] = eval(0);
    quick[7] = eval(7);
    if ((quick[0] > 0.0) != (quick[7] > 0.0)) return false;  // the rest cannot change it
    for (Eigen::Index j = 1; j < 7; ++j) quick[j] = eval(j);
    const Eigen::Matrix<double, 8, 1> c = kQuick.to_coefficients.lazyProduct(quick);
    const double doubt = std::abs(c[6]) + std::abs(c[7]);
    return std::abs(c[0]) > c.tail(7).cwiseAbs().sum() + doubt + noise_;
  }

  struct Piece {
    Series series;
    double low, high, sign, tail;
    [[nodiscard]] double theta(double u) const {
      return 0.5 * (low + high) + 0.5 * (high - low) * u;
    }
  };

  [[nodiscard]] std::optional<double> find_in_series(const Piece& piece, double u_low,
                                                     double u_high, int depth) const {
    if (!pays(1)) return std::nullopt;
    const auto proxy = [&](double u) { return eval_series(piece.series, u); };
    const Series c = depth == 0 ? piece.series : make_series(proxy, u_low, u_high);
    const double others = c.tail(kSize - 1).cwiseAbs().sum();
    if (std::abs(c[0]) > others + noise_) return std::nullopt;
    double bend = 0.0;
    for (Eigen::Index k = 2; k < kSize; ++k) bend += static_cast<double>(k * k) * std::abs(c[k]);
    if (std::abs(c[1]) > bend) return refine(piece, u_low, u_high);
    constexpr int kHalvings = 26;  // a double root is known to half the digits
    if (depth == kHalvings) {
      const double theta = piece.theta(0.5 * (u_low + u_high));
      // The polynomial is zero there; the guard itself decides.
      if (std::abs(eval_deflated(theta)) > noise_ + 10.0 * piece.tail) return std::nullopt;
      // Near a known zero, rounding touches zero as well: a real touch must come from above.
      const bool came = problem_.zero_at_start == 0 ||
                        problem_.guard(0.5 * theta) - residue_ > 10.0 * problem_.noise;
      return came ? std::optional(theta) : std::nullopt;
    }
    const double middle = 0.5 * (u_low + u_high);
    if (const auto first = find_in_series(piece, u_low, middle, depth + 1)) return first;
    return find_in_series(piece, middle, u_high, depth + 1);
  }

  /// The guard is monotone here: at most one root, which counts only if the guard falls.
  [[nodiscard]] std::optional<double> refine(const Piece& piece, double u_low,
                                             double u_high) const {
    const auto g = [&](double theta) { return piece.sign * eval_deflated(theta); };
    double low = piece.theta(u_low);
    double high = piece.theta(u_high);
    double g_high = g(high);
    if (problem_.zero_at_start > 0 && low == 0.0) {
      // Close to the known zero the quotient is noise: start farther up, where the sign is right.
      low = 0.5 * high;
      for (double g_at = g(low); g_at <= 0.0 && low > kLeastPart; g_at = g(low)) {
        high = low;
        g_high = g_at;
        low *= 0.5;
      }
    }
    const double g_low = g(low);
    // Near a known zero the guard may also fall below zero by rounding.
    if (g_high > 0.0 || (problem_.zero_at_start > 0 && !is_below(high))) return std::nullopt;
    if (g_high == 0.0) return high;
    if (g_low <= 0.0) {
      // Already below: an event at the piece's start, if the guard was above just before.
      return std::abs(g_low) <= noise_ ? std::optional(low) : std::nullopt;
    }
    return find_root_between(g, low, high, g_low, g_high);
  }

  /// A guard with known zeros takes some hundred values and series. One that is noise, or jumps,
  /// would take millions: what it does at the end counts then.
  static constexpr int kMostEffort = 20000;
  [[nodiscard]] bool pays(int effort) const { return (effort_ += effort) <= kMostEffort; }

  const CrossingProblem& problem_;
  mutable int effort_ = 0;
  double residue_;  ///< rounding of the known zero
  double noise_;    ///< of the guard over its known zeros: none that is known
};

}  // namespace

std::optional<double> find_crossing_of_fall(const std::function<double(double)>& guard) {
  const double first = guard(0.0);
  const double last = guard(1.0);
  if (last > 0.0) return std::nullopt;
  if (last == 0.0) return 1.0;
  if (first <= 0.0) return 0.0;
  return find_root_between(guard, 0.0, 1.0, first, last);
}

std::optional<double> find_first_crossing(const CrossingProblem& problem) {
  const CrossingSearch search(problem);
  double low = 0.0;
  const bool starts_below =
      problem.zero_at_start > 0 ? !problem.leaves_upward : problem.guard(0.0) < -problem.noise;
  if (starts_below && problem.zero_at_start == 0) {
    const auto rises = search.find(0.0, 1.0, -1.0, 0);
    if (!rises || *rises >= 1.0) return std::nullopt;
    // After the rise the guard is positive; the zero at the rise is not an event.
    low = std::min(1.0, *rises + kJustAfter);
  }
  auto theta = search.find(low, 1.0, 1.0, 0);
  // It started above and ends below, so it has crossed, however close to the start.
  if (!theta && !starts_below && search.is_below(1.0)) {
    theta = search.find_by_halving();
  }
  return theta;
}

}  // namespace slipstick
