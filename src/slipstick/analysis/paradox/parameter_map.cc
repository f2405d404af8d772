#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/analysis/paradox/case_contour.h"
#include "slipstick/analysis/paradox/case_mapper.h"
#include "slipstick/analysis/paradox/closed_branch.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/errors.h"
#include "slipstick/model/model.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

constexpr int kOther = -1;  ///< kind of a model in which other contacts are closed

/// The model at one value of the parameters, with what evaluates its points. It stays where it is
/// made, because its parts refer to each other.
struct ParameterLine {
  ParadoxModel at;
  CaseMapper mapper;
  ClosedBranch branch;
  int kind;

  ParameterLine(ParadoxModel model, int own_kind, const MapAxis& first, const MapAxis& second)
      : at(std::move(model)),
        mapper(at.problem, first, second),
        branch(at.problem, {first, second}, mapper.followers()),
        kind(own_kind) {}
};

/// Which contacts slide forward, as bits; kOther if they are not those of the map's own problem.
int find_kind(const ParadoxProblem& problem, const ParadoxProblem& own) {
  if (problem.sliding.size() != own.sliding.size() || problem.pieces != own.pieces) return kOther;
  int out = 0;
  for (std::size_t i = 0; i < problem.sliding.size(); ++i) {
    if (problem.sliding[i].contact != own.sliding[i].contact) return kOther;
    if (problem.sliding[i].slip_sign > 0.0) out |= 1 << static_cast<int>(i);
  }
  return out;
}

class ParameterPlane {
 public:
  ParameterPlane(const ParadoxProblem& own, const ParadoxFamily& family, const MapAxis& first,
                 const MapAxis& second)
      : own_(own), family_(family), axes_{first, second} {}

  /// The parameters at a place of the plane.
  [[nodiscard]] std::vector<double> list_parameters(const Vec2& at) const {
    std::vector<double> out;
    for (std::size_t k = 0; k < 2; ++k) {
      if (!axes_[k].parameter.empty()) out.push_back(at[static_cast<Eigen::Index>(k)]);
    }
    return out;
  }

  /// The line through a point of the grid, or nothing with the reason.
  [[nodiscard]] std::unique_ptr<ParameterLine> find_line(const Vec2& at, std::string& why) const {
    const std::vector<double> parameters = list_parameters(at);
    std::vector<std::optional<double>> starts{std::nullopt};
    for (const double start : list_starts()) starts.emplace_back(start);
    for (const auto& start : starts) {
      try {
        ParadoxModel model = family_(parameters, start);
        const int kind = find_kind(model.problem, own_);
        auto line = std::make_unique<ParameterLine>(std::move(model), kind, axes_[0], axes_[1]);
        if (line->mapper.can_close()) return line;
      } catch (const InputError& error) {
        if (why.empty()) why = error.what();
      } catch (const std::domain_error& error) {  // a singular mass matrix, say
        if (why.empty()) why = error.what();
      }
    }
    return nullptr;
  }

  /// One value at any place; nothing where there is no model or the contacts do not close.
  [[nodiscard]] std::optional<double> find_value(const Vec2& at, std::size_t which) const {
    const std::vector<double> parameters = list_parameters(at);
    std::vector<std::optional<double>> starts{std::nullopt};
    for (std::size_t k = 0; k < 2; ++k) {
      if (axes_[k].is_coordinate()) starts.emplace_back(at[static_cast<Eigen::Index>(k)]);
    }
    for (const auto& start : starts) {
      try {
        const ParadoxModel model = family_(parameters, start);
        if (find_kind(model.problem, own_) == kOther) continue;
        const CaseMapper mapper(model.problem, axes_[0], axes_[1]);
        if (!mapper.can_close()) continue;
        const auto state = mapper.find_state(at.x(), at.y());
        if (!state) continue;
        std::vector<double> values(mapper.value_count());
        (void)mapper.eval(*state, values.data());
        if (std::isfinite(values[which])) return values[which];
      } catch (const InputError&) {         // no model there: the curve ends
      } catch (const std::domain_error&) {  // the same
      }
    }
    return std::nullopt;
  }

 private:
  /// Initial values of the coordinate on an axis, those near the model's own first.
  [[nodiscard]] std::vector<double> list_starts() const {
    constexpr int kTries = 16;
    std::vector<double> out;
    for (const MapAxis& axis : axes_) {
      if (!axis.is_coordinate()) continue;
      const double own = own_.initial.q[axis.coordinate];
      for (int k = 0; k < kTries; ++k) {
        out.push_back(axis.low + (axis.high - axis.low) * k / (kTries - 1));
      }
      std::stable_sort(out.begin(), out.end(),
                       [own](double a, double b) { return std::abs(a - own) < std::abs(b - own); });
    }
    return out;
  }

  const ParadoxProblem& own_;
  const ParadoxFamily& family_;
  std::array<MapAxis, 2> axes_;
};

/// Sets the case and the values of one point.
void fill_point(const ParameterLine& line, std::size_t i, std::size_t j, CaseGrid& grid) {
  const auto q = line.branch.find_at(static_cast<int>(i), static_cast<int>(j));
  if (!q) return;
  State state = line.mapper.problem().initial;
  state.q = *q;
  line.mapper.set_axes(grid.points[0][i], grid.points[1][j], state);
  if (!line.mapper.set_rates(state)) return;
  std::vector<double> values(line.mapper.value_count());
  grid.cases[j][i] = line.mapper.eval(state, values.data());
  grid.kinds[j * grid.width() + i] = line.kind;
  if (line.kind != kOther) {
    std::copy(values.begin(), values.end(),
              grid.values.begin() + static_cast<std::ptrdiff_t>(grid.index_of(i, j, 0)));
  }
}

/// The points of one column or row, which share their parameters.
using PointList = std::vector<std::array<std::size_t, 2>>;

std::vector<PointList> list_lines(const MapAxis& first, const MapAxis& second) {
  const auto width = static_cast<std::size_t>(first.count);
  const auto height = static_cast<std::size_t>(second.count);
  std::vector<PointList> out;
  for (std::size_t j = 0; j < height; ++j) {
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t line = first.parameter.empty()    ? j
                               : second.parameter.empty() ? i
                                                          : j * width + i;
      if (line >= out.size()) out.resize(line + 1);
      out[line].push_back({i, j});
    }
  }
  return out;
}

}  // namespace

ParadoxMap find_paradox_map(const ParadoxProblem& problem, const ParadoxFamily& family,
                            const MapAxis& first, const MapAxis& second) {
  const CaseMapper own(problem, first, second);
  if (!own.can_close()) {
    throw InputError(problem.model->name,
                     "expected an axis that leaves the closed contacts a coordinate to follow "
                     "with, got one that fixes it");
  }
  const ParameterPlane plane(problem, family, first, second);
  CaseGrid grid = make_case_grid(first, second, own.value_count());
  grid.kinds.assign(grid.width() * grid.cases.size(), kOther);
  const std::vector<PointList> lines = list_lines(first, second);
  std::vector<std::string> whys(lines.size());
  std::vector<char> refused(lines.size());
  // Lines do not depend on each other, so the result does not depend on the threads.
  parallel_for(lines.size(), [&](std::size_t k) {
    const auto [i, j] = lines[k].front();
    const auto line = plane.find_line({grid.points[0][i], grid.points[1][j]}, whys[k]);
    refused[k] = line ? 0 : 1;
    if (!line) return;
    for (const auto& point : lines[k]) fill_point(*line, point[0], point[1], grid);
  });
  ParadoxMap out;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (refused[k] == 0) continue;
    out.refused += static_cast<long>(lines[k].size());
    if (out.why.empty()) out.why = whys[k];
  }
  const auto find = [&](int /*i*/, int /*j*/, const Vec2& at, std::size_t which) {
    return plane.find_value(at, which);
  };
  for (std::size_t which = 0; which < grid.value_count; ++which) {
    for (auto& line : find_case_contours(grid, which, find)) {
      out.boundaries.push_back({own.name_value(which), std::move(line)});
    }
  }
  out.regions = std::move(grid.cases);
  return out;
}

}  // namespace slipstick
