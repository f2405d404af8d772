#include "slipstick/io/phase_regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>

#include "slipstick/analysis/paradox/paradox.h"
#include "slipstick/core/input_error.h"

namespace slipstick {
namespace {

/// The one contact that is closed and slides, or nothing.
std::optional<SlidingContact> find_lone_slider(const std::string& word) {
  const std::size_t first = word.find_first_not_of('F');
  if (first == std::string::npos || word.find_first_not_of('F', first + 1) != std::string::npos ||
      word[first] == 'S') {
    return std::nullopt;
  }
  return SlidingContact{static_cast<int>(first), word[first] == 'P' ? 1.0 : -1.0};
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

/// What a coordinate or rate goes through while that contact slides alone, and a tenth more on
/// either side.
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

Json make_values(const MapAxis& axis) {
  Json out = Json::array();
  for (int i = 0; i < axis.count; ++i) {
    out.push_back(axis.low + (axis.high - axis.low) * i / (axis.count - 1));
  }
  return out;
}

/// The regions in the plane of a coordinate and its rate; null where other values matter too.
Json make_region(const ParadoxProblem& problem, std::span<const MotionRows> runs, int coordinate) {
  const MapAxis x = make_axis(problem, runs, coordinate, false);
  const MapAxis y = make_axis(problem, runs, coordinate, true);
  if (!is_plane_of_cases(problem, x, y)) return nullptr;
  const ParadoxMap map = find_paradox_map(problem, x, y);
  const SlidingContact& slider = problem.sliding[0];
  Json boundaries = Json::array();
  for (const Boundary& boundary : map.boundaries) {
    boundaries.push_back({{"of", boundary.what.substr(0, 1)},  // "p = 0" or "b = 0"
                          {"points", make_points(boundary.points)}});
  }
  const std::string& name = problem.model->coordinates[static_cast<std::size_t>(coordinate)];
  return {{"x", name},
          {"y", rate_name(name)},
          {"contact", slider.contact},
          {"slip", slider.slip_sign > 0.0 ? "P" : "N"},
          {"values_x", make_values(x)},
          {"values_y", make_values(y)},
          {"cases", map.regions},
          {"boundaries", boundaries}};
}

}  // namespace

Json make_phase_regions(const Model& model, std::span<const MotionRows> runs,
                        std::vector<std::string>& notices) {
  Json out = Json::array();
  const std::optional<ParadoxProblem> problem = find_problem(model, runs);
  if (!problem) return out;
  for (int i = 0; i < model.size(); ++i) {
    if (!model.tree.elements[static_cast<std::size_t>(i)].is_angle) continue;
    try {
      if (Json region = make_region(*problem, runs, i); !region.is_null()) out.push_back(region);
    } catch (const std::exception& error) {
      const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
      notices.push_back(fmt::format("The Coulomb cases in the plane of {} and {} are left out: {}.",
                                    name, rate_name(name), error.what()));
    }
  }
  return out;
}

}  // namespace slipstick
