#include "slipstick/analysis/paradox/jam_friction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/core/differentiate.h"
#include "slipstick/core/roots.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

/// The point p = b = 0 at one configuration, with the friction at which p vanishes there.
struct CriticalPoint {
  double mu = 0.0;     ///< mu_P(q)
  double alpha = 0.0;  ///< rate of p per p in stretched time, at unit speed along the chart
  double beta = 0.0;   ///< rate of b per b
  double b_rest = 0.0, b_speed = 0.0;  ///< b = b_rest + b_speed (speed in rate units)^2
};

class FrictionSearch {
 public:
  FrictionSearch(const ParadoxProblem& problem, const JamSpace& space)
      : problem_(problem),
        follower_(space.follower),
        follows_(space.follows),
        index_{problem.sliding.front().contact} {}

  /// Smallest mu_P on the part of a chart where the force is unbounded. Near G_nt = 0, where mu_P
  /// is beyond all friction, the conditions are noise and are not evaluated.
  [[nodiscard]] std::optional<LeastJam> find(const Chart& chart) const {
    constexpr double kLeastInverse = 1e-3;  // of mu_P: a friction of 1000
    const auto beyond = [&](double s) {
      const VecQ q = chart.find_closed(problem_, s);
      const ContactDynamics at = eval_at(q, VecQ::Zero(q.size()));
      const double inverse = at.G(0, 1) / at.G(0, 0);
      const double slope = kLeastInverse * kLeastInverse - inverse * inverse;
      if (!follows_) return slope;
      double off = q[follower_] - 0.5 * (follows_->low + follows_->high);
      const auto k = static_cast<std::size_t>(follower_);
      if (problem_.model->tree.elements[k].is_angle) {
        off = std::remainder(off, 2.0 * std::numbers::pi);
      }
      const double excess = std::abs(off) - 0.5 * (follows_->high - follows_->low);
      return std::max(slope, excess / problem_.unit[follower_]);
    };
    std::optional<LeastJam> best;
    for (const Interval& part : find_negative_intervals(beyond, chart.low, chart.high)) {
      Chart shorter = chart;
      shorter.low = part.low;
      shorter.high = part.high;
      const std::optional<LeastJam> least = find_in(shorter);
      if (least) keep_lesser(problem_, *least, best);
    }
    return best;
  }

 private:
  [[nodiscard]] std::optional<LeastJam> find_in(const Chart& chart) const {
    // Unbounded: 0 < beta/alpha < 1, and some speed makes b = 0.
    const std::array<std::function<double(double)>, 3> conditions{
        [&](double s) { return bounded(eval(chart, s), 0); },
        [&](double s) { return bounded(eval(chart, s), 1); },
        [&](double s) { return bounded(eval(chart, s), 2); }};
    std::vector<double> edges{chart.low, chart.high};
    for (const auto& condition : conditions) {
      const std::vector<double> roots =
          find_roots(condition, chart.low, chart.high, kOfDifferences);
      edges.insert(edges.end(), roots.begin(), roots.end());
    }
    std::sort(edges.begin(), edges.end());
    std::optional<LeastJam> best;
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
        if (!std::isfinite(mu)) continue;
        LeastJam found{mu, chart.find_closed(problem_, s)};
        turn_to_range(*problem_.model, follower_, found.at);
        keep_lesser(problem_, found, best);
      }
    }
    return best;
  }

  /// The conditions as bounded functions with the same changes of sign; 0 where they are not
  /// defined.
  static double bounded(const CriticalPoint& point, int which) {
    const double a2 = point.alpha * point.alpha;
    const double b2 = point.beta * point.beta;
    const auto divide = [](double value, double by) { return by > 0.0 ? value / by : 0.0; };
    if (which == 0) return divide(point.alpha * point.beta, a2 + b2);
    if (which == 1) return divide(a2 - b2, a2 + b2);
    return divide(-point.b_rest * point.b_speed,
                  point.b_rest * point.b_rest + point.b_speed * point.b_speed);
  }

  [[nodiscard]] ContactDynamics eval_at(const VecQ& q, const VecQ& v) const {
    return eval_contact_dynamics(*problem_.model, {problem_.initial.time, q, v}, index_);
  }

  [[nodiscard]] CriticalPoint eval(const Chart& chart, double s) const {
    VecQ q = chart.find_closed(problem_, s);
    turn_to_range(*problem_.model, follower_, q);
    const VecQ rest = VecQ::Zero(q.size());
    const VecQ v = chart.find_direction(problem_, q);  // per unit along the chart
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
    out.b_rest = here.a_free[0];
    const VecQ w = here.M_inverse_W.col(0) - friction * here.M_inverse_W.col(1);
    // b is quadratic in v, so central differences are exact, and odd terms (dampers) cancel. At
    // velocities for which the parts of b are of the same size, they keep their digits.
    const double rate = find_rate_unit(problem_, out.b_rest);
    const double size = eval_rate_scale(problem_.unit, w) / rate;
    const auto b_at = [&](const VecQ& velocity) { return eval_at(q, velocity).a_free[0]; };
    const VecQ x = rate * v;
    const VecQ y = w / size;
    out.beta = -0.5 * (b_at(x + y) - b_at(x - y) - b_at(y) + b_at(-y)) * (size / rate);
    out.b_speed = 0.5 * (b_at(x) + b_at(-x)) - out.b_rest;
    return out;
  }

  static constexpr double kStep = 0.02;  // of the chart's parameter: the first of shrinking steps
  static constexpr double kOfDifferences = 1e-8;  // of differences
  const ParadoxProblem& problem_;
  int follower_;
  std::optional<Interval> follows_;
  std::array<int, 1> index_;
};

/// True if a closed configuration lies on the chart.
bool contains(const ParadoxProblem& problem, const Chart& chart, const VecQ& q) {
  constexpr double kSame = 1e-6;  // units of coordinates; closings agree to 1e-12
  double s = 0.0;
  for (std::size_t j = 0; j < chart.active.size(); ++j) {
    const int c = chart.active[j];
    s += chart.tangent[static_cast<Eigen::Index>(j)] * (q[c] - chart.start[c]) / problem.unit[c];
  }
  if (s < chart.low - kSame || s > chart.high + kSame) return false;
  const std::optional<VecQ> at = chart.find_configuration(problem, s);
  return at && (*at - q).cwiseQuotient(problem.unit).cwiseAbs().maxCoeff() < kSame;
}

}  // namespace

void turn_to_range(const Model& model, int coordinate, VecQ& q) {
  if (!model.tree.elements[static_cast<std::size_t>(coordinate)].is_angle) return;
  q[coordinate] = std::remainder(q[coordinate], 2.0 * std::numbers::pi);
}

void keep_lesser(const ParadoxProblem& problem, const LeastJam& other,
                 std::optional<LeastJam>& least) {
  if (!least) return void(least = other);
  constexpr double kEqual = 1e-6;  // relative: the accuracy of both searches
  const auto distance = [&](const VecQ& q) {
    return (q - problem.initial.q).cwiseQuotient(problem.unit).norm();
  };
  const bool is_equal = std::abs(other.mu - least->mu) <= kEqual * least->mu;
  const bool is_nearer = distance(other.at) < distance(least->at) - kEqual;
  if (is_equal ? is_nearer : other.mu < least->mu) least->at = other.at;
  least->mu = std::min(least->mu, other.mu);
}

double find_rate_unit(const ParadoxProblem& problem, double b) {
  const double acceleration = std::max(std::abs(b), problem.model->gravity.norm());
  return acceleration > 0.0 ? std::sqrt(acceleration / problem.length) : 1.0;
}

std::optional<LeastJam> find_jam_friction_along(const ParadoxProblem& problem,
                                                const JamSpace& space) {
  const CoordinateRange& over = space.free.front();
  const FrictionSearch search(problem, space);
  std::optional<LeastJam> best;
  std::vector<Chart> searched;
  for (const VecQ& start : space.starts) {
    VecQ q = problem.initial.q;  // coordinates that decide nothing stay there
    for (const int i : {over.coordinate, space.follower}) q[i] = start[i];
    const auto is_known = [&](const Chart& chart) { return contains(problem, chart, q); };
    if (!space.close(q) || std::any_of(searched.begin(), searched.end(), is_known)) continue;
    ParadoxProblem from = problem;
    from.initial.q = q;
    for (const Chart& chart : follow_branch(from, over, {over.coordinate, space.follower})) {
      const std::optional<LeastJam> least = search.find(chart);
      if (least) keep_lesser(problem, *least, best);
      searched.push_back(chart);
    }
  }
  return best;
}

}  // namespace slipstick
