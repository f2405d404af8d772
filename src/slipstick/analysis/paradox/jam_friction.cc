#include "slipstick/analysis/paradox/jam_friction.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/core/differentiate.h"
#include "slipstick/model/contact_dynamics.h"

namespace slipstick {
namespace {

/// The point p = b = 0 of one configuration, seen in the friction that makes p vanish there.
struct CriticalPoint {
  double mu = 0.0;     ///< mu_P(q)
  double alpha = 0.0;  ///< rate of p per p in stretched time, at unit speed along the chart
  double beta = 0.0;   ///< rate of b per b
  double b_rest = 0.0, b_speed = 0.0;  ///< b = b_rest + b_speed (speed)^2
};

class FrictionSearch {
 public:
  explicit FrictionSearch(const ParadoxProblem& problem)
      : problem_(problem), index_{problem.sliding.front().contact} {}

  /// Smallest mu_P over the stretch of a chart on which the force is unbounded. Where mu_P is
  /// beyond all friction, near G_nt = 0, the conditions are noise and are not asked for.
  [[nodiscard]] std::optional<double> find(const Chart& chart) const {
    constexpr double kLeastInverse = 1e-3;
    const auto beyond = [&](double s) {
      const VecQ q = *chart.find_configuration(problem_, s);
      const ContactDynamics at = eval_at(q, VecQ::Zero(q.size()));
      const double inverse = at.G(0, 1) / at.G(0, 0);
      return kLeastInverse * kLeastInverse - inverse * inverse;
    };
    std::optional<double> best;
    for (const Interval& part : find_negative_intervals(beyond, chart.low, chart.high)) {
      Chart shorter = chart;
      shorter.low = part.low;
      shorter.high = part.high;
      const std::optional<double> mu = find_in(shorter);
      if (mu && (!best || *mu < *best)) best = mu;
    }
    return best;
  }

 private:
  [[nodiscard]] std::optional<double> find_in(const Chart& chart) const {
    // Unbounded: 0 < beta/alpha < 1, and some speed makes b = 0.
    const std::array<std::function<double(double)>, 3> conditions{
        [&](double s) { return bounded(eval(chart, s), 0); },
        [&](double s) { return bounded(eval(chart, s), 1); },
        [&](double s) { return bounded(eval(chart, s), 2); }};
    std::vector<double> edges{chart.low, chart.high};
    for (const auto& condition : conditions) {
      const std::vector<double> roots = find_roots(condition, chart.low, chart.high, kAccuracy);
      edges.insert(edges.end(), roots.begin(), roots.end());
    }
    std::sort(edges.begin(), edges.end());
    std::optional<double> best;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const double low = edges[i];
      const double high = edges[i + 1];
      if (high - low < 1e-10) continue;
      const CriticalPoint middle = eval(chart, 0.5 * (low + high));
      const bool unbounded =
          bounded(middle, 0) > 0.0 && bounded(middle, 1) > 0.0 && bounded(middle, 2) > 0.0;
      if (!unbounded) continue;
      // alpha = 0 at an extremum of mu_P, so there beta/alpha > 1: the least is at an end.
      for (const double s : {low, high}) {
        const double mu = eval(chart, s).mu;
        if (std::isfinite(mu) && (!best || mu < *best)) best = mu;
      }
    }
    return best;
  }

  /// The conditions as bounded functions that change sign where they do.
  static double bounded(const CriticalPoint& point, int which) {
    const double a2 = point.alpha * point.alpha;
    const double b2 = point.beta * point.beta;
    if (which == 0) return point.alpha * point.beta / (a2 + b2);
    if (which == 1) return (a2 - b2) / (a2 + b2);
    return -point.b_rest * point.b_speed /
           (point.b_rest * point.b_rest + point.b_speed * point.b_speed);
  }

  [[nodiscard]] ContactDynamics eval_at(const VecQ& q, const VecQ& v) const {
    return eval_contact_dynamics(*problem_.model, {problem_.initial.time, q, v}, index_);
  }

  [[nodiscard]] CriticalPoint eval(const Chart& chart, double s) const {
    const VecQ q = *chart.find_configuration(problem_, s);
    const VecQ rest = VecQ::Zero(q.size());
    const VecQ v = chart.find_direction(problem_, q);  // unit speed along the chart
    const ContactDynamics here = eval_at(q, rest);
    CriticalPoint out;
    const double sign = here.G(0, 1) < 0.0 ? -1.0 : 1.0;
    out.mu = here.G(0, 0) / std::abs(here.G(0, 1));
    const double friction = sign * out.mu;
    out.alpha = find_derivative(
        [&](double t) {
          const ContactDynamics at = eval_at(q + t * v, rest);
          return at.G(0, 0) - friction * at.G(0, 1);
        },
        0.0, kStep);
    const VecQ w = here.M_inverse_W.col(0) - friction * here.M_inverse_W.col(1);
    const auto b_at = [&](const VecQ& velocity) { return eval_at(q, velocity).a_free[0]; };
    // b is quadratic in v: central differences are exact, and odd terms (dampers) drop out here.
    out.beta = -0.5 * (b_at(v + w) - b_at(v - w) - b_at(w) + b_at(-w));
    out.b_rest = b_at(rest);
    out.b_speed = 0.5 * (b_at(v) + b_at(-v)) - out.b_rest;
    return out;
  }

  static constexpr double kStep = 0.02;
  static constexpr double kAccuracy = 1e-8;  // of differences
  const ParadoxProblem& problem_;
  std::array<int, 1> index_;
};

}  // namespace

std::optional<double> find_jam_scale(const ParadoxProblem& problem, const CoordinateRange& over) {
  const FrictionSearch search(problem);
  const int contact = problem.sliding.front().contact;
  const double mu = problem.model->contacts[static_cast<std::size_t>(contact)].mu;
  std::optional<double> best;
  for (const Chart& chart : follow_coordinate(problem, over)) {
    const std::optional<double> least = search.find(chart);
    if (least && (!best || *least / mu < *best)) best = *least / mu;
  }
  return best;
}

}  // namespace slipstick
