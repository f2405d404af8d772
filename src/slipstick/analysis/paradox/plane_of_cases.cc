#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "slipstick/analysis/paradox/case_mapper.h"
#include "slipstick/analysis/paradox/closed_branch.h"
#include "slipstick/model/closing.h"
#include "slipstick/model/scale.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

/// p and b at a point of the plane, the other coordinates and rates as in `state`.
using CaseValues = std::array<double, 2>;
std::optional<CaseValues> find_values(const CaseMapper& mapper, double x, double y, State state) {
  std::vector<Closing> closings = mapper.followers();
  for (Closing& closing : closings) closing.near = state.q[closing.coordinate];
  const ClosingResult closed = solve_closing(*mapper.problem().model, state.q, closings);
  state.q = closed.q;
  if (!closed.closed || !follow_to(mapper.problem(), mapper.followers(), mapper.driven(),
                                   mapper.list_targets(x, y), state.q)) {
    return std::nullopt;
  }
  mapper.set_axes(x, y, state);
  if (!mapper.set_rates(state)) return std::nullopt;
  CaseValues out{};
  (void)mapper.eval(state, out.data());
  return out;
}

bool are_same(const CaseValues& a, const CaseValues& b) {
  constexpr double kSameValues = 1e-9;  // of the values: rounding of the way to them
  return std::abs(a[0] - b[0]) <= kSameValues * std::abs(b[0]) &&
         std::abs(a[1] - b[1]) <= kSameValues * std::abs(b[1]);
}

/// The unit of fast rates on the map [1/s]: from the axes' ranges, or from the initial state.
double find_fastest(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second) {
  double out = eval_rate_scale(problem.unit, problem.initial.v);
  for (const MapAxis* axis : {&first, &second}) {
    if (!axis->is_rate) continue;
    out = std::max(out, (axis->high - axis->low) / problem.unit[axis->coordinate]);
  }
  return out;
}

/// The initial state with one coordinate or rate changed that is neither on an axis nor follows.
std::vector<State> list_moved_off(const ParadoxProblem& problem, const CaseMapper& mapper,
                                  const MapAxis& first, const MapAxis& second) {
  std::vector<State> out;
  const double rate = find_fastest(problem, first, second);
  for (int i = 0; i < problem.model->size(); ++i) {
    for (const bool is_rate : {false, true}) {
      const auto is_axis = [&](const MapAxis& axis) {
        return axis.coordinate == i && axis.is_rate == is_rate;
      };
      if (is_axis(first) || is_axis(second) || mapper.follows(i)) continue;
      out.push_back(problem.initial);
      const double by = 0.37 * problem.unit[i];  // any number that is not a symmetry
      (is_rate ? out.back().v : out.back().q)[i] += is_rate ? by * rate : by;
    }
  }
  return out;
}

}  // namespace

bool is_plane_of_cases(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second) {
  if (problem.sliding.size() != 1 || problem.model->depends_on_time) return false;
  const auto contact = static_cast<std::size_t>(problem.sliding[0].contact);
  if (problem.model->contacts[contact].bilateral) return false;
  const CaseMapper mapper(problem, first, second);
  if (!mapper.can_close()) return false;
  for (const double part : {0.2, 0.5, 0.8}) {
    const double x = first.low + part * (first.high - first.low);
    const double y = second.low + (1.0 - part) * (second.high - second.low);
    const auto plain = find_values(mapper, x, y, problem.initial);
    if (!plain) continue;
    for (const State& moved : list_moved_off(problem, mapper, first, second)) {
      const auto other = find_values(mapper, x, y, moved);
      if (!other || !are_same(*other, *plain)) return false;
    }
  }
  return true;
}

}  // namespace slipstick
