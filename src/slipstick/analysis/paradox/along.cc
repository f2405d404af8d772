#include <algorithm>

#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/core/roots.h"
#include "slipstick/core/scales.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

void add_curve(const ParadoxProblem& problem, const CoordinateRange& along, const Chart& chart,
               std::vector<OrientationPoint>& out) {
  constexpr int kParts = 16;
  std::vector<OrientationPoint> points;
  for (int i = 0; i <= kParts; ++i) {
    const VecQ q = chart.find_closed(problem, chart.low + (chart.high - chart.low) * i / kParts);
    const double at = q[along.coordinate];
    const std::vector<double> all = eval_orientations(problem, q);
    if (at < along.low || at > along.high) continue;
    points.push_back({at, *std::min_element(all.begin(), all.end())});
  }
  if (!points.empty() && points.front().at > points.back().at) {
    std::reverse(points.begin(), points.end());
  }
  out.insert(out.end(), points.begin(), points.end());
}

}  // namespace

ParadoxAlong find_paradox_along(const ParadoxProblem& problem, const CoordinateRange& along) {
  ParadoxAlong out;
  const auto add = [&](std::vector<Interval>& list, double a, double b) {
    const double low = std::max(along.low, std::min(a, b));
    const double high = std::min(along.high, std::max(a, b));
    if (low < high) list.push_back({low, high});
  };
  for (const Chart& chart : follow_coordinate(problem, along)) {
    const auto coordinate = [&](double s) {
      return chart.find_closed(problem, s)[along.coordinate];
    };
    add(out.reachable, coordinate(chart.low), coordinate(chart.high));
    add_curve(problem, along, chart, out.curve);
    const std::size_t pieces =
        eval_orientations(problem, chart.find_closed(problem, chart.low)).size();
    for (std::size_t i = 0; i < pieces; ++i) {
      const auto orientation = [&](double s) {
        return eval_orientations(problem, chart.find_closed(problem, s))[i];
      };
      for (const Interval& s : find_negative_intervals(orientation, chart.low, chart.high)) {
        add(out.intervals, coordinate(s.low), coordinate(s.high));
      }
    }
  }
  // Neighbouring charts meet to rounding of the coordinate.
  const double slack = kResultRounding * (along.high - along.low) +
                       eval_rounding(problem, problem.initial.q) * problem.unit[along.coordinate];
  out.intervals = join_intervals(std::move(out.intervals), slack);
  out.reachable = join_intervals(std::move(out.reachable), slack);
  return out;
}

}  // namespace slipstick
