#include "slipstick/analysis/paradox/phase_regions.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>

#include "slipstick/errors.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

/// The only contact that is closed, if it slides; else nothing.
std::optional<SlidingContact> find_lone_slider(const ModeWord& word) {
  const auto closed = std::find_if(word.begin(), word.end(), is_closed);
  if (std::count_if(word.begin(), word.end(), is_closed) != 1 || !is_sliding(*closed)) {
    return std::nullopt;
  }
  return SlidingContact{static_cast<int>(std::distance(word.begin(), closed)),
                        static_cast<double>(eval_slip_sign(*closed))};
}

std::optional<ParadoxProblem> find_problem(const Model& model, std::span<const MotionRows> runs) {
  for (const MotionRows& rows : runs) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto slider = find_lone_slider(rows.words[static_cast<std::size_t>(rows.mode[i])]);
      if (!slider) continue;
      try {
        return make_sliding_problem(model, make_state_at(model, rows, i), {*slider}, {});
      } catch (const InputError&) {  // a contact that cannot open has no cases
        return std::nullopt;
      }
    }
  }
  return std::nullopt;
}

/// The range of a coordinate or rate while that contact slides alone, and a tenth more on either
/// side.
MapAxis make_axis(const ParadoxProblem& problem, std::span<const MotionRows> runs, int coordinate,
                  bool is_rate) {
  constexpr int kPoints = 61;
  const auto width = static_cast<std::size_t>(problem.model->size());
  const int contact = problem.sliding[0].contact;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const MotionRows& rows : runs) {
    const std::vector<double>& values = is_rate ? rows.v : rows.q;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto slider = find_lone_slider(rows.words[static_cast<std::size_t>(rows.mode[i])]);
      if (!slider || slider->contact != contact) continue;
      const double value = values[i * width + static_cast<std::size_t>(coordinate)];
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double margin = high > low ? 0.1 * (high - low) : 0.1;
  return {coordinate, is_rate, low - margin, high + margin, kPoints};
}

/// Nothing if other values matter, too.
std::optional<PhaseRegion> find_region(const ParadoxProblem& problem,
                                       std::span<const MotionRows> runs, int coordinate) {
  const MapAxis x = make_axis(problem, runs, coordinate, false);
  const MapAxis y = make_axis(problem, runs, coordinate, true);
  if (!is_plane_of_cases(problem, x, y)) return std::nullopt;
  return PhaseRegion{coordinate, problem.sliding[0], x, y, find_paradox_map(problem, x, y)};
}

}  // namespace

PhaseRegions find_phase_regions(const Model& model, std::span<const MotionRows> runs) {
  PhaseRegions out;
  const std::optional<ParadoxProblem> problem = find_problem(model, runs);
  if (!problem) return out;
  for (int i = 0; i < model.size(); ++i) {
    if (!model.tree.elements[static_cast<std::size_t>(i)].is_angle) continue;
    try {
      if (auto region = find_region(*problem, runs, i)) out.regions.push_back(std::move(*region));
    } catch (const std::exception& error) {
      out.missing.push_back({i, {WhyCode::kNotComputed, error.what()}});
    }
  }
  return out;
}

}  // namespace slipstick
