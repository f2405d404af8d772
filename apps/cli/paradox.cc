#include "slipstick/paradox.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numbers>
#include <utility>

#include "options.h"
#include "slipstick/core/roots.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/hdf5/paradox_map_file.h"
#include "slipstick/io/json/json.h"
#include "slipstick/io/ranges.h"
#include "slipstick/outcomes.h"
#include "uncertain_options.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct ParadoxOptions {
  ModelOptions model;
  OutputOptions output;
  std::string along, direction = "initial";
  std::vector<std::string> map;
  int grid = 101;
  UncertainOptions uncertain;
};

std::vector<SlipDirection> list_directions(const std::string& direction) {
  if (direction == "+") return {SlipDirection::kPlus};
  if (direction == "-") return {SlipDirection::kMinus};
  if (direction == "both") return {SlipDirection::kPlus, SlipDirection::kMinus};
  return {SlipDirection::kInitial};
}

/// The slip directions to look at, one problem each.
std::vector<ParadoxProblem> make_problems(const LoadedModel& loaded, const std::string& direction) {
  std::vector<ParadoxProblem> out;
  for (const SlipDirection slip : list_directions(direction)) {
    out.push_back(
        make_paradox_problem(*loaded.model, loaded.initial, loaded.closings, slip, Tolerances{}));
  }
  return out;
}

std::string describe_intervals(const std::vector<Interval>& intervals, bool degrees) {
  std::string out;
  for (const Interval& interval : intervals) {
    out += fmt::format("  {:.12g} to {:.12g}", interval.low, interval.high);
    if (degrees) {
      constexpr double kDegrees = 180.0 / std::numbers::pi;
      out += fmt::format("   ({:.6f} to {:.6f} deg)", interval.low * kDegrees,
                         interval.high * kDegrees);
    }
    out += "\n";
  }
  return out.empty() ? "  none\n" : out;
}

ParadoxAlong find_along(const LoadedModel& loaded, const CoordinateRange& along,
                        const std::string& direction) {
  ParadoxAlong result;
  for (const ParadoxProblem& problem : make_problems(loaded, direction)) {
    const ParadoxAlong part = find_paradox_along(problem, along);
    result.intervals.insert(result.intervals.end(), part.intervals.begin(), part.intervals.end());
    result.reachable = part.reachable;
    // Both directions have the same points, because closing the contacts does not depend on slip.
    if (result.curve.empty()) result.curve = part.curve;
    for (std::size_t i = 0; i < result.curve.size(); ++i) {
      result.curve[i].least = std::min(result.curve[i].least, part.curve[i].least);
    }
  }
  result.intervals = join_intervals(std::move(result.intervals), 0.0);
  return result;
}

/// Whether the paradox occurs in the range.
Outcome find_occurrence(const LoadedModel& loaded, const CoordinateRange& along,
                        const std::string& direction) {
  const ParadoxAlong found = find_along(loaded, along, direction);
  Outcome out;
  out.label = found.reachable.empty() ? "contacts cannot close"
                                      : (found.intervals.empty() ? "no paradox" : "paradox");
  return out;
}

int run_along(const ParadoxOptions& options, const LoadedModel& loaded) {
  const NamedRange range = parse_range(loaded, "--along", options.along);
  if (range.is_rate) {
    throw InputError("--along " + options.along,
                     "expected a coordinate, got a rate; p depends on the configuration only");
  }
  const CoordinateRange along{range.coordinate, range.low, range.high};
  const ParadoxAlong found = find_along(loaded, along, options.direction);
  if (found.reachable.empty()) {
    throw InputError("--along " + options.along,
                     "expected configurations in which the contacts close, got none in this range");
  }
  const auto k = static_cast<std::size_t>(along.coordinate);
  const bool degrees = loaded.model->tree.elements[k].is_angle;
  Result result{loaded.model->name + "-paradox", "paradox.json",
                make_along_json(loaded, along, found),
                fmt::format("{}: {}\n\nparadox (no or several solutions for sliding) along {}\n{}"
                            "contacts close for\n{}",
                            loaded.model->name, loaded.model->title, loaded.model->coordinates[k],
                            describe_intervals(found.intervals, degrees),
                            describe_intervals(found.reachable, degrees)),
                make_still(loaded, loaded.initial)};
  const int code = add_shares(
      loaded, options.uncertain,
      [&](const LoadedModel& drawn, std::span<const double>) {
        return find_occurrence(drawn, along, options.direction);
      },
      result);
  print_result(options.output, std::move(result));
  return code;
}

std::string describe_map(const ParadoxMap& map) {
  std::array<int, 5> counts{};
  int total = 0;
  for (const auto& row : map.regions) {
    for (const int region : row) ++counts[static_cast<std::size_t>(region)];
    total += static_cast<int>(row.size());
  }
  static constexpr std::array<const char*, 5> kNames{
      "contacts cannot close", "1 slides", "2 separates", "3 indeterminate", "4 inconsistent"};
  std::string out;
  for (std::size_t i = 1; i < 5; ++i) {
    out +=
        fmt::format("  case {:<18} {:6.2f} % of the plane\n", kNames[i], 100.0 * counts[i] / total);
  }
  if (counts[0] > 0)
    out += fmt::format("  {:<23} {:6.2f} %\n", kNames[0], 100.0 * counts[0] / total);
  for (const Boundary& boundary : map.boundaries) {
    out += fmt::format("  curve {}: {} points\n", boundary.what, boundary.points.size());
  }
  if (map.refused > 0) {
    out += fmt::format("  there is no such model at {} of {} points; first: {}\n", map.refused,
                       total, map.why);
  }
  return out;
}

/// A coordinate, a rate or a parameter; the name decides which.
MapAxis read_axis(const LoadedModel& loaded, const std::string& text, int count) {
  const OutcomeAxis asked = parse_outcome_axis(loaded, "--map", text, count);
  if (asked.logarithmic || asked.count != count) {
    throw InputError("--map " + text,
                     "expected NAME=A:B, got more; --grid has the number of points");
  }
  MapAxis out{0, false, asked.range.low, asked.range.high, count, asked.name};
  for (int i = 0; i < loaded.model->size(); ++i) {
    for (const bool is_rate : {false, true}) {
      const MapAxis own{i, is_rate, out.low, out.high, count, {}};
      if (name_axis(*loaded.model, own) == asked.name) return own;
    }
  }
  return out;
}

ParadoxMap find_map(const LoadedModel& loaded, const std::vector<MapAxis>& axes,
                    const std::string& direction) {
  const ParadoxProblem problem = make_problems(loaded, direction).front();
  if (axes[0].parameter.empty() && axes[1].parameter.empty()) {
    return find_paradox_map(problem, axes[0], axes[1]);
  }
  ParadoxMap out = find_paradox_map(
      problem, make_paradox_family(loaded, axes[0], axes[1], list_directions(direction).front()),
      axes[0], axes[1]);
  if (out.refused == static_cast<long>(axes[0].count) * axes[1].count) {
    throw InputError("--map", "expected values for which there is a model, got none: " + out.why);
  }
  return out;
}

void run_map(const ParadoxOptions& options, const LoadedModel& loaded) {
  std::vector<MapAxis> axes;
  for (const std::string& text : options.map) {
    axes.push_back(read_axis(loaded, text, options.grid));
  }
  if (name_axis(*loaded.model, axes[0]) == name_axis(*loaded.model, axes[1])) {
    throw InputError("--map " + options.map[1], "expected two different axes, got one twice");
  }
  if (options.direction == "both") {
    throw InputError("--direction both", "expected one direction for a map, got both");
  }
  const ParadoxMap map = find_map(loaded, axes, options.direction);
  constexpr int kMostInFile = 500;  // points of an axis: 2 MB of JSON. Of finer maps JSON takes
                                    // ten times as much as the HDF5 file with all points.
  const bool is_fine = options.grid > kMostInFile;
  const bool shows_points = !is_fine || options.output.json || wants_page(options.output);
  Result result{
      loaded.model->name + "-paradox", "paradox-map.json",
      shows_points ? make_map_json(loaded, axes[0], axes[1], map) : Json(),
      fmt::format("{}: {}\n\n{}", loaded.model->name, loaded.model->title, describe_map(map)),
      make_still(loaded, loaded.initial)};
  if (is_fine) result.summary = make_map_json(loaded, axes[0], axes[1], map, false);
  if (writes_files(options.output)) {
    result.files.push_back({"paradox-map.h5", "", [&](const ByteSink& sink) {
                              write_map_hdf5(loaded, axes[0], axes[1], map, sink);
                            }});
  }
  print_result(options.output, std::move(result));
}

int run_paradox(const ParadoxOptions& options) {
  if (options.along.empty() == options.map.empty()) {
    throw InputError("paradox", "expected either --along or --map, got both or none");
  }
  const LoadedModel loaded = read_model(options.model);
  if (options.map.empty()) {
    check_uncertain(loaded, options.uncertain);
    return run_along(options, loaded);
  }
  if (!options.uncertain.values.empty()) {
    throw InputError("--uncertain", "expected --along with it, got --map");
  }
  run_map(options, loaded);
  return kAnswered;
}

}  // namespace

void add_paradox_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<ParadoxOptions>();
  CLI::App* verb = app.add_subcommand(
      "paradox", "where sliding has no solution or several, along a coordinate or in a plane");
  add_model_options(*verb, options->model);
  verb->add_option("--along", options->along, "COORD=A:B: the intervals of one coordinate")
      ->type_name("C=A:B");
  CLI::Option* map =
      verb->add_option("--map", options->map,
                       "NAME=A:B NAME=A:B: cases 1-4 in a plane; coordinates, rates or "
                       "parameters")
          ->expected(2)
          ->type_name("C=A:B");
  verb->add_option("--grid", options->grid, "points per axis of a map")
      ->check(CLI::Range(2, 10000))
      ->needs(map)
      ->capture_default_str();
  verb->add_option("--direction", options->direction,
                   "slip direction: that of the initial state (at rest: +), +, - or both")
      ->check(CLI::IsMember({"initial", "+", "-", "both"}))
      ->capture_default_str();
  add_uncertain_options(*verb, options->uncertain);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick paradox two-link-rail --along theta1=-90*deg:90*deg\n"
      "  slipstick paradox rimless-wheel --map theta=-0.3:0.3 theta_dot=-1:1\n"
      "  slipstick paradox two-link-rail --map H=0.2:0.4 theta1=0:90*deg");
  verb->callback([options, &run] { run = [options] { return run_paradox(*options); }; });
}

}  // namespace slipstick::cli
