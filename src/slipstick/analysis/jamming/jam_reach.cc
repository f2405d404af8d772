#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "slipstick/analysis/jamming/slip_family.h"
#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/core/roots.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/jam.h"
#include "slipstick/model/contact_dynamics.h"

namespace slipstick {
namespace {

bool is_turning(const Model& model, int coordinate) {
  return model.tree.elements[static_cast<std::size_t>(coordinate)].is_angle;
}

bool is_within(const Model& model, const CoordinateRange& range, const VecQ& q) {
  double off = q[range.coordinate] - 0.5 * (range.low + range.high);
  if (is_turning(model, range.coordinate)) off = std::remainder(off, 2.0 * std::numbers::pi);
  return std::abs(off) <= 0.5 * (range.high - range.low) * (1.0 + kClosure);
}

/// The points along one coordinate on which p and b depend, the contact's follower with it.
class PointSearch {
 public:
  PointSearch(const ParadoxProblem& problem, std::span<const CoordinateRange> range)
      : problem_(problem),
        model_(*problem.model),
        contact_(problem.sliding.front()),
        range_(range),
        translation_(find_translation(model_, problem.initial, contact_.contact)) {
    slip_ = eval_contact_kinematics(model_, problem.initial).slip[contact_.contact];
  }

  void find_along(const CoordinateRange& along, JamPoints& out) const {
    for (const Chart& chart : follow_coordinate(problem_, along)) {
      const auto p = [&](double s) { return eval(chart.find_closed(problem_, s), 0.0).p; };
      for (const double s : find_roots(p, chart.low, chart.high)) add_points(chart, s, out);
    }
    const int c = along.coordinate;
    std::stable_sort(
        out.points.begin(), out.points.end(),
        [c](const JamPoint& a, const JamPoint& b) { return a.state.q[c] < b.state.q[c]; });
  }

 private:
  [[nodiscard]] SlidingResponse eval(const VecQ& q, double) const {
    return eval_at(q, VecQ::Zero(q.size()));
  }
  [[nodiscard]] SlidingResponse eval_at(const VecQ& q, const VecQ& v) const {
    return eval_sliding_response(model_, {problem_.initial.time, q, v}, contact_.contact,
                                 contact_.slip_sign);
  }

  /// b along the chart's direction is b0 + b1 x + b2 x^2 in the speed x: dampers give b1.
  void add_points(const Chart& chart, double s, JamPoints& out) const {
    const VecQ q = chart.find_closed(problem_, s);
    const VecQ way = chart.find_direction(problem_, q);
    const double b0 = eval_at(q, VecQ::Zero(q.size())).b;
    const double gravity = model_.gravity.norm();
    const double unit = std::sqrt(std::max(std::abs(b0), gravity) / problem_.length);
    if (!(unit > 0.0)) return;
    const double forward = eval_at(q, unit * way).b - b0;
    const double backward = eval_at(q, -unit * way).b - b0;
    const double b1 = 0.5 * (forward - backward);
    const double b2 = 0.5 * (forward + backward);
    for (const double x : solve_quadratic(b0, b1, b2)) add_point(q, unit * x * way, out);
  }

  [[nodiscard]] static std::vector<double> solve_quadratic(double c, double b, double a) {
    const double size = std::max({std::abs(a), std::abs(b), std::abs(c)});
    if (std::abs(a) <= kSolveRounding * size) {
      return std::abs(b) <= kSolveRounding * size ? std::vector<double>{}
                                                  : std::vector<double>{-c / b};
    }
    const double root = b * b - 4.0 * a * c;
    if (root < 0.0) return {};
    const double half = -0.5 * (b + std::copysign(std::sqrt(root), b));
    if (half == 0.0) return {};  // b = c = 0: at rest, where nothing decides
    return {half / a, c / half};
  }

  void add_point(const VecQ& q, const VecQ& v, JamPoints& out) const {
    State state{problem_.initial.time, q, v};
    if (translation_) {
      const double own = eval_contact_kinematics(model_, state).slip[contact_.contact];
      state.v += (slip_ - own) * *translation_;
    }
    JamPoint point = eval_jam_point(model_, state, contact_);
    point.in_range = std::all_of(range_.begin(), range_.end(), [&](const CoordinateRange& range) {
      return is_within(model_, range, q);
    });
    out.points.push_back(std::move(point));
  }

  const ParadoxProblem& problem_;
  const Model& model_;
  SlidingContact contact_;
  std::span<const CoordinateRange> range_;
  std::optional<VecQ> translation_;
  double slip_ = 0.0;
};

/// Where to look for points: the range that is given, and a turn about it.
CoordinateRange find_search_range(const Model& model, const CoordinateRange& deciding) {
  if (!is_turning(model, deciding.coordinate)) return deciding;
  const double middle = 0.5 * (deciding.low + deciding.high);
  const double half = std::max(0.5 * (deciding.high - deciding.low), std::numbers::pi);
  return {deciding.coordinate, middle - half, middle + half};
}

JamPoints find_jam_points(const ParadoxProblem& problem, const CriticalFriction& critical,
                          std::span<const CoordinateRange> range) {
  JamPoints out;
  const std::vector<CoordinateRange>& deciding = critical.deciding;
  if (deciding.size() != 1) {
    out.why = deciding.empty()
                  ? Why{WhyCode::kNeverParadox, "p and b do not depend on any shape"}
                  : Why{WhyCode::kNotComputed,
                        "p and b depend on several coordinates: the points are not isolated"};
    return out;
  }
  out.coordinate = deciding.front().coordinate;
  const CoordinateRange along = find_search_range(*problem.model, deciding.front());
  const double q = problem.initial.q[along.coordinate];
  if (q < along.low || q > along.high) {
    out.why = {WhyCode::kNotFound, "the state lies outside of the range that is searched"};
    return out;
  }
  PointSearch(problem, range).find_along(along, out);
  if (out.points.empty()) {
    out.why = {WhyCode::kNotFound, "p and b do not vanish together at this friction"};
  }
  return out;
}

}  // namespace

JamReach find_jam_reach(const Model& model, const State& initial, std::span<const Closing> closings,
                        std::span<const CoordinateRange> range,
                        std::span<const CoordinateRange> over) {
  JamReach out;
  const std::vector<SlidingContact> sliding = list_sliding_contacts(model, initial);
  if (sliding.size() != 1) {
    out.why = {WhyCode::kSeveralSlide,
               sliding.empty() ? "no contact slides" : "several contacts slide"};
    return out;
  }
  out.contact = sliding.front();
  std::optional<ParadoxProblem> problem;
  try {
    problem = make_sliding_problem(model, initial, sliding, closings);
    out.unrestricted = find_critical_friction(*problem, {});
    out.reachable = find_reachable_friction(*problem, range, over);
    if (!out.unrestricted || !out.reachable) {
      out.why = {WhyCode::kNotFound, "the contact closes nowhere in the range"};
      return out;
    }
    out.points = find_jam_points(*problem, *out.reachable, range);
  } catch (const InputError& error) {  // contacts that the search does not take
    out.why = {WhyCode::kNotComputed, error.what()};
  } catch (
      const std::domain_error& error) {  // numerics failed; how sliding ends is known all the same
    out.why = {WhyCode::kNotComputed, error.what()};
  }
  return out;
}

}  // namespace slipstick
