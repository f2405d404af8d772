#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/analysis/paradox/case_contour.h"
#include "slipstick/analysis/paradox/case_mapper.h"
#include "slipstick/analysis/paradox/closed_branch.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/errors.h"
#include "slipstick/model/function.h"
#include "slipstick/model/model.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

/// The mapper and the branch on which it evaluates.
struct MapPlane {
  const CaseMapper& mapper;
  const ClosedBranch& branch;

  /// One value at a place near a point of the grid; nothing where the contacts do not close or it
  /// is not finite.
  [[nodiscard]] std::optional<double> find_value(int i, int j, const Vec2& at,
                                                 std::size_t which) const {
    const auto q = branch.find_near(i, j, at.x(), at.y());
    if (!q) return std::nullopt;
    State state = mapper.problem().initial;
    state.q = *q;
    mapper.set_axes(at.x(), at.y(), state);
    if (!mapper.set_rates(state)) return std::nullopt;
    std::vector<double> values(mapper.value_count());
    (void)mapper.eval(state, values.data());
    if (!std::isfinite(values[which])) return std::nullopt;
    return values[which];
  }
};

void fill_row(const MapPlane& plane, int row, CaseGrid& grid) {
  const auto j = static_cast<std::size_t>(row);
  const CaseMapper& mapper = plane.mapper;
  double* values = &grid.values[grid.index_of(0, j, 0)];
  State state = mapper.problem().initial;
  for (std::size_t i = 0; i < grid.width(); ++i, values += grid.value_count) {
    const auto q = plane.branch.find_at(static_cast<int>(i), row);
    if (!q) continue;
    state.q = *q;
    state.v = mapper.problem().initial.v;
    mapper.set_axes(grid.points[0][i], grid.points[1][j], state);
    if (mapper.set_rates(state)) grid.cases[j][i] = mapper.eval(state, values);
  }
}

}  // namespace

double MapAxis::value_at(int i) const { return low + (high - low) * i / (count - 1); }

std::string name_axis(const Model& model, const MapAxis& axis) {
  if (!axis.parameter.empty()) return axis.parameter;
  const std::string& name = model.coordinates[static_cast<std::size_t>(axis.coordinate)];
  return axis.is_rate ? rate_name(name) : name;
}

ParadoxMap find_paradox_map(const ParadoxProblem& problem, const MapAxis& first,
                            const MapAxis& second) {
  const CaseMapper mapper(problem, first, second);
  if (!mapper.can_close()) {
    throw InputError(
        problem.model->name,
        "expected axes that leave the closed contacts a coordinate to follow with, got "
        "axes that fix them");
  }
  const ClosedBranch branch(problem, {first, second}, mapper.followers());
  const MapPlane plane{mapper, branch};
  CaseGrid grid = make_case_grid(first, second, mapper.value_count());
  // Rows do not depend on each other, so the result does not depend on the threads.
  parallel_for(grid.cases.size(),
               [&](std::size_t j) { fill_row(plane, static_cast<int>(j), grid); });
  ParadoxMap out;
  const auto find = [&](int i, int j, const Vec2& at, std::size_t which) {
    return plane.find_value(i, j, at, which);
  };
  for (std::size_t which = 0; which < grid.value_count; ++which) {
    for (auto& line : find_case_contours(grid, which, find)) {
      out.boundaries.push_back({mapper.name_value(which), std::move(line)});
    }
  }
  out.regions = std::move(grid.cases);
  return out;
}

}  // namespace slipstick
