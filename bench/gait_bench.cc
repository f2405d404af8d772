/// Gaits of the biped: what a derivative, a search and a branch cost in return maps.

#include <benchmark/benchmark.h>

#include <numbers>

#include "slipstick/analysis/gait/continuation.h"
#include "slipstick/analysis/gait/walk_variation.h"
#include "slipstick/io/ranges.h"

namespace slipstick {
namespace {

const LoadedModel& biped() {
  static const LoadedModel loaded = read_model("compass-biped", {});
  return loaded;
}
const Orbit& gait() {
  static const Orbit orbit = *find_orbit(biped().model, biped().initial, {}).orbit;
  return orbit;
}

void return_map_biped(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(walk(biped().model, gait().state, 1, {}));
}
BENCHMARK(return_map_biped);

void derivative_biped(benchmark::State& state) {
  const Section section(biped().model, gait().walk.shape, 1.0);
  const Eigen::MatrixXd tangents = section.find_tangents(gait().state);
  std::vector<Variation> columns;
  for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
    columns.push_back(section.unscale(tangents.col(j)));
  }
  for (auto _ : state) benchmark::DoNotOptimize(vary_walk(biped().model, gait().walk, columns));
}
BENCHMARK(derivative_biped);

/// From the printed three digits.
void gait_biped(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_orbit(biped().model, biped().initial, {}));
  }
}
BENCHMARK(gait_biped);

/// The slope from one to six degrees, with the period doubling; making models included.
void branch_biped(benchmark::State& state) {
  const GaitFamily family = [&](double alpha) {
    return make_with_parameters(biped(), {"alpha"}, std::vector<double>{alpha}).model;
  };
  ContinuationOptions options;
  options.from = std::numbers::pi / 180.0;
  options.to = 6.0 * options.from;
  for (auto _ : state) benchmark::DoNotOptimize(continue_orbit(family, gait(), options));
}
BENCHMARK(branch_biped)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace slipstick
