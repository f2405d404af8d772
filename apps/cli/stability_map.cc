#include "slipstick/stability_map.h"

#include <fmt/format.h>

#include <memory>

#include "options.h"
#include "progress.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/hdf5/stability_map_file.h"
#include "slipstick/io/ranges.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct StabilityMapOptions {
  ModelOptions model;
  OutputOptions output;
  std::vector<std::string> over;
};

std::vector<ParameterRange> read_axes(const StabilityMapOptions& options,
                                      const LoadedModel& loaded) {
  std::vector<ParameterRange> out;
  for (const std::string& text : options.over) {
    out.push_back(parse_parameter_range(loaded, "--over", text, RangeForm::kGrid));
    if (out.size() > 2) {
      throw InputError("--over " + text, "expected one or two parameters, got a third");
    }
    if (out.size() == 2 && out[0].name == out[1].name) {
      throw InputError("--over " + text, "expected two parameters, got one twice");
    }
  }
  constexpr double kMostPoints = 1e7;
  if (out.size() == 2 && static_cast<double>(out[0].count) * out[1].count > kMostPoints) {
    throw InputError("--over", fmt::format("expected at most 10 million points, got {} x {}",
                                           out[0].count, out[1].count));
  }
  return out;
}

std::string describe(const LoadedModel& loaded, const std::vector<ParameterRange>& axes,
                     const StabilityMap& map) {
  std::string out = fmt::format("{}: {}\n\n", loaded.model->name, loaded.model->title);
  for (const ParameterRange& axis : axes) {
    out += fmt::format("{:<10} {:.10g} to {:.10g}, {} points\n", axis.name, axis.low, axis.high,
                       axis.count);
  }
  std::array<long, kVerdicts.size()> counts{};
  long total = 0;
  for (const auto& row : map.verdicts) {
    for (const Verdict verdict : row) {
      ++counts[static_cast<std::size_t>(verdict)];
      ++total;
    }
  }
  out += "\n";
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    out += fmt::format("{:<12} {:9} points, {:.2f} %\n", kVerdicts[i], counts[i],
                       100.0 * static_cast<double>(counts[i]) / static_cast<double>(total));
  }
  for (const StabilityBorder& border : map.borders) {
    out += fmt::format("border between {} and {}: {} points", find_word(kVerdicts, border.from),
                       find_word(kVerdicts, border.to), border.points.size());
    if (axes.size() == 1) {
      out += ", at";
      for (const Vec2& point : border.points) out += fmt::format(" {:.10g}", point.x());
    }
    out += "\n";
  }
  return out;
}

int run_stability_map(const StabilityMapOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  const std::vector<ParameterRange> axes = read_axes(options, loaded);
  const Tolerances tolerances;
  std::vector<std::string> names;
  std::vector<StabilityAxis> grid;
  for (const ParameterRange& axis : axes) {
    names.push_back(axis.name);
    grid.push_back({{axis.low, axis.high}, axis.count});
  }
  const MakeBody make_body = make_body_family(loaded, std::move(names), tolerances);
  StabilityMap map;
  {
    const Interruption interruption;
    Progress progress;
    const int rows = axes.size() == 2 ? axes[1].count : 1;
    map = find_stability_map(make_body, grid, tolerances, [&](int done) {
      progress.tell([&] { return fmt::format("row {} of {}", done, rows); });
      return !interruption.came();
    });
    if (interruption.came()) return interruption.exit_code();
  }
  Result result{loaded.model->name + "-stability-map", "stability-map.json",
                make_stability_map_json(loaded, axes, map), describe(loaded, axes, map),
                make_still(loaded, loaded.initial)};
  result.in_one_line = true;
  if (writes_files(options.output)) {
    result.files = {{"stability-map.h5", make_stability_map_hdf5(loaded, axes, map)}};
  }
  print_result(options.output, std::move(result));
  return kAnswered;
}

}  // namespace

void add_stability_map_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<StabilityMapOptions>();
  CLI::App* verb = app.add_subcommand(
      "stability-map", "verdicts on a rest on two contacts over one or two parameters");
  add_model_options(*verb, options->model);
  verb->add_option("--over", options->over,
                   "NAME=A:B:N: a parameter's range and points; one or two")
      ->required()
      ->allow_extra_args(false)
      ->type_name("NAME=A:B:N");
  add_output_options(*verb, options->output);
  verb->footer(
      "Example:\n  slipstick stability-map two-contact-body --set l2=l1+0.06 "
      "--over l1=-0.02:0.06:81 --over h=0.08:0.2:61");
  verb->callback([options, &run] { run = [options] { return run_stability_map(*options); }; });
}

}  // namespace slipstick::cli
