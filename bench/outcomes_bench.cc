/// Outcomes over parameters: a map against its runs one by one, a threshold in runs beyond the
/// scan, and the borders of a map in evaluations per cell of a fine one.

#include <benchmark/benchmark.h>

#include <array>

#include "slipstick/families.h"
#include "slipstick/outcomes.h"
#include "slipstick/simulate.h"

namespace slipstick::bench {
namespace {

const std::vector<std::string>& list_axes() {
  static const std::vector<std::string> names{"theta", "theta_dot"};
  return names;
}

LoadedModel make_sliding_wheel() {
  return read_model("rimless-wheel", std::vector<Override>{{"x_dot", "0.5"}});
}

SimulationOptions make_short_run() {
  SimulationOptions out;
  out.until = 2.0;  // [s]; most runs end at their first event
  return out;
}

/// How sliding of the wheel ends, over theta and theta_dot.
OutcomeQuestion ask_wheel(const LoadedModel& wheel, int count) {
  OutcomeQuestion question;
  question.axes = {{"theta", {-0.3, 0.3}, count, false}, {"theta_dot", {-1.0, 1.0}, count, false}};
  question.find = [&wheel](std::span<const double> at) {
    const LoadedModel other = make_with_parameters(wheel, list_axes(), at);
    return find_run_outcome(*other.model, other.initial, make_short_run(), {});
  };
  return question;
}

/// The runs of a map, one by one and up to their first event.
void runs_one_by_one(benchmark::State& run) {
  const LoadedModel wheel = make_sliding_wheel();
  const OutcomeQuestion question = ask_wheel(wheel, static_cast<int>(run.range(0)));
  SimulationOptions options = make_short_run();
  options.max_events = 1;
  options.keep_trajectory = false;
  for (auto _ : run) {
    for (int j = 0; j < question.axes[1].count; ++j) {
      for (int i = 0; i < question.axes[0].count; ++i) {
        const std::array<double, 2> at{question.axes[0].value(static_cast<std::size_t>(i)),
                                       question.axes[1].value(static_cast<std::size_t>(j))};
        const LoadedModel other = make_with_parameters(wheel, list_axes(), at);
        Run out = simulate(*other.model, other.initial, options);
        benchmark::DoNotOptimize(out);
      }
    }
  }
}
BENCHMARK(runs_one_by_one)->Arg(60)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// The same as a map: `evaluations` per point.
void points_of_map(benchmark::State& run) {
  const LoadedModel wheel = make_sliding_wheel();
  OutcomeQuestion question = ask_wheel(wheel, static_cast<int>(run.range(0)));
  question.borders = false;
  for (auto _ : run) {
    OutcomeMap map = find_outcomes(question);
    benchmark::DoNotOptimize(map);
  }
}
BENCHMARK(points_of_map)->Arg(60)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// With borders to 1e-6 of the axes: evaluations as a part of a million cells.
void borders_of_map(benchmark::State& run) {
  const LoadedModel wheel = make_sliding_wheel();
  const OutcomeQuestion question = ask_wheel(wheel, static_cast<int>(run.range(0)));
  OutcomeMap map;
  for (auto _ : run) {
    map = find_outcomes(question);
    benchmark::DoNotOptimize(map);
  }
  constexpr double kCells = 1e6;
  run.counters["evaluations"] = static_cast<double>(map.found);
  run.counters["of_a_million"] = static_cast<double>(map.found) / kCells;
}
BENCHMARK(borders_of_map)->Arg(41)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

/// Thresholds of the wheel's slip: evaluations for each, beyond those of the scan.
void thresholds_of_slip(benchmark::State& run) {
  const LoadedModel wheel =
      read_model("rimless-wheel", std::vector<Override>{{"theta", "-0.3"}, {"theta_dot", "0.643"}});
  OutcomeQuestion question;
  question.axes = {{"x_dot", {0.1, 1.0}, 101, false}};
  question.find = [&wheel](std::span<const double> at) {
    const LoadedModel other = make_with_parameters(wheel, {"x_dot"}, at);
    return find_run_outcome(*other.model, other.initial, make_short_run(), {});
  };
  OutcomeMap map;
  for (auto _ : run) {
    map = find_outcomes(question);
    benchmark::DoNotOptimize(map);
  }
  run.counters["each"] = static_cast<double>(map.found - question.axes[0].count) /
                         static_cast<double>(map.thresholds.size());
}
BENCHMARK(thresholds_of_slip)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace slipstick::bench
