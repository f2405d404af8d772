#include "slipstick/core/roots.h"

#include <Eigen/Core>
#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <numbers>
#include <utility>

namespace slipstick {
namespace {

using Function1 = std::function<double(double)>;

constexpr int kDegree = 32;
/// Halving stops here even if the function is not resolved (a jump): 2^-30 of the range.
constexpr int kMaxDepth = 30;
/// More intervals than this that are not resolved at the same time: the function's values are
/// noisier than was said.
constexpr std::size_t kMostUnresolved = 256;

/// A Chebyshev interpolant on [middle - half, middle + half].
struct ChebyshevFit {
  double middle = 0.0, half = 1.0;
  Eigen::VectorXd c;

  [[nodiscard]] double eval(double x) const {  // Clenshaw
    const double u = (x - middle) / half;
    double b1 = 0.0;
    double b2 = 0.0;
    for (Eigen::Index k = c.size() - 1; k > 0; --k) {
      const double b0 = c[k] + 2.0 * u * b1 - b2;
      b2 = b1;
      b1 = b0;
    }
    return c[0] + u * b1 - b2;
  }
};

/// Chebyshev nodes from +1 to -1, and the matrix from values at them to coefficients.
struct FitNodes {
  Eigen::VectorXd u{kDegree + 1};
  Eigen::MatrixXd to_coefficients{kDegree + 1, kDegree + 1};

  FitNodes() {
    for (int j = 0; j <= kDegree; ++j) u[j] = std::cos(std::numbers::pi * j / kDegree);
    for (int k = 0; k <= kDegree; ++k) {
      for (int j = 0; j <= kDegree; ++j) {
        const double weight =
            (j == 0 || j == kDegree ? 0.5 : 1.0) * (k == 0 || k == kDegree ? 1.0 : 2.0);
        to_coefficients(k, j) =
            weight / kDegree * std::cos(std::numbers::pi * ((j * k) % (2 * kDegree)) / kDegree);
      }
    }
  }
};

template <class F>
ChebyshevFit make_interpolant(const F& f, double low, double high) {
  static const FitNodes kNodes;
  ChebyshevFit out{0.5 * (low + high), 0.5 * (high - low), {}};
  Eigen::VectorXd values(kDegree + 1);
  for (int j = 0; j <= kDegree; ++j) values[j] = f(out.middle + out.half * kNodes.u[j]);
  out.c = kNodes.to_coefficients * values;
  return out;
}

/// True if the last coefficients are rounding and the interpolant agrees with the function between
/// the nodes.
bool is_resolved(const Function1& f, const ChebyshevFit& g, double accuracy) {
  const double size = g.c.cwiseAbs().maxCoeff();
  if (!std::isfinite(size)) return false;
  if (g.c.tail(4).cwiseAbs().maxCoeff() > accuracy * size) return false;
  for (const double u : {-0.7236067977, 0.1180339887, 0.6180339887}) {  // not nodes
    const double x = g.middle + u * g.half;
    if (!(std::abs(f(x) - g.eval(x)) <= 100.0 * accuracy * size)) return false;
  }
  return true;
}

/// Roots of an interpolant that is accurate to `rounding`, by halving. The bounds |T_k| <= 1 and
/// |T_k'| <= k^2 exclude roots, or show that there is only one.
void collect_roots(const Function1& f, const ChebyshevFit& g, double rounding, int depth,
                   std::vector<double>& out) {
  const auto n = g.c.size();
  const double others = g.c.tail(n - 1).cwiseAbs().sum();
  if (std::abs(g.c[0]) > others + rounding) return;
  if (others <= rounding) {  // zero, as far as is known
    out.push_back(g.middle);
    return;
  }
  double bend = 0.0;
  for (Eigen::Index k = 2; k < n; ++k) bend += static_cast<double>(k * k) * std::abs(g.c[k]);
  const double low = g.middle - g.half;
  const double high = g.middle + g.half;
  if (std::abs(g.c[1]) > bend) {  // monotone
    const double g_low = g.eval(low);
    const double g_high = g.eval(high);
    // A root at an end belongs to both neighbours, whatever the sign of its rounding error.
    if (std::abs(g_low) <= 10.0 * rounding) out.push_back(low);
    if (std::abs(g_high) <= 10.0 * rounding) out.push_back(high);
    if ((g_low > 0.0) != (g_high > 0.0)) out.push_back(find_zero_between(f, low, high));
    return;
  }
  if (depth == 0) {  // treated as a double root
    out.push_back(g.middle);
    return;
  }
  const auto proxy = [&](double x) { return g.eval(x); };
  collect_roots(f, make_interpolant(proxy, low, g.middle), rounding, depth - 1, out);
  collect_roots(f, make_interpolant(proxy, g.middle, high), rounding, depth - 1, out);
}

/// Halves the range until interpolants reproduce the function, and collects their roots.
void collect(const Function1& f, const Interval& range, double accuracy, std::vector<double>& out) {
  constexpr int kHalvings = 26;  // a double root is known to half the digits
  std::vector<Interval> level{range};
  for (int depth = 0; !level.empty(); ++depth) {
    const bool noisy = level.size() > 2 * kMostUnresolved;
    std::vector<Interval> next;
    for (const Interval& part : level) {
      const ChebyshevFit g = make_interpolant(f, part.low, part.high);
      if (depth < kMaxDepth && !noisy && !is_resolved(f, g, accuracy)) {
        next.push_back({part.low, g.middle});
        next.push_back({g.middle, part.high});
        continue;
      }
      const double noise = noisy ? g.c.tail(4).cwiseAbs().maxCoeff() : 0.0;
      collect_roots(f, g, 1e-2 * accuracy * g.c.cwiseAbs().sum() + noise, kHalvings, out);
    }
    level = std::move(next);
  }
}

}  // namespace

double find_zero_between(const std::function<double(double)>& f, double low, double high) {
  const double f_low = f(low);
  const double f_high = f(high);
  const bool brackets = (f_low < 0.0 && f_high > 0.0) || (f_low > 0.0 && f_high < 0.0);
  if (!brackets) return std::abs(f_low) <= std::abs(f_high) ? low : high;
  std::uintmax_t iterations = 200;
  const auto exact = [](double a, double b) { return std::nextafter(a, b) >= b; };
  const auto [a, b] =
      boost::math::tools::toms748_solve(f, low, high, f_low, f_high, exact, iterations);
  return std::abs(f(a)) <= std::abs(f(b)) ? a : b;
}

std::vector<double> find_roots(const std::function<double(double)>& f, double low, double high,
                               double accuracy) {
  if (!(low < high)) return {};
  std::vector<double> candidates;
  collect(f, {low, high}, accuracy, candidates);
  std::sort(candidates.begin(), candidates.end());
  // Neighbours closer than this are one root seen from two intervals, or a double one.
  const double near = 1e-8 * (high - low);
  std::vector<double> separate;
  for (const double x : candidates) {
    if (separate.empty() || x - separate.back() > near) separate.push_back(x);
  }
  return separate;
}

std::vector<Interval> join_intervals(std::vector<Interval> intervals, double slack) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.low < b.low; });
  std::vector<Interval> out;
  for (const Interval& interval : intervals) {
    if (!out.empty() && interval.low <= out.back().high + slack) {
      out.back().high = std::max(out.back().high, interval.high);
    } else {
      out.push_back(interval);
    }
  }
  return out;
}

std::vector<Interval> find_negative_intervals(const std::function<double(double)>& f, double low,
                                              double high) {
  std::vector<double> edges = find_roots(f, low, high);
  edges.insert(edges.begin(), low);
  edges.push_back(high);
  std::vector<Interval> out;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    if (!(edges[i] < edges[i + 1]) || !(f(0.5 * (edges[i] + edges[i + 1])) < 0.0)) continue;
    if (!out.empty() && out.back().high == edges[i]) {
      out.back().high = edges[i + 1];
    } else {
      out.push_back({edges[i], edges[i + 1]});
    }
  }
  return out;
}

}  // namespace slipstick
