/// Gaits of the biped: what a derivative, a search and a branch cost in return maps.

#include <benchmark/benchmark.h>

#include <numbers>

#include "slipstick/analysis/gait/section.h"
#include "slipstick/analysis/gait/walk_variation.h"
#include "slipstick/families.h"
#include "slipstick/gait_branch.h"
#include "slipstick/gait_slips.h"
#include "slipstick/io/ranges.h"

namespace slipstick {
namespace {

const LoadedModel& biped() {
  static const LoadedModel kLoaded = read_model("compass-biped", {});
  return kLoaded;
}
const Orbit& gait() {
  static const Orbit kOrbit = *find_orbit(*biped().model, biped().initial, {}).orbit;
  return kOrbit;
}

void return_map_biped(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(walk(*biped().model, gait().state, 1, {}));
}
BENCHMARK(return_map_biped);

void derivative_biped(benchmark::State& state) {
  const Section section(*biped().model, gait().walk.shape, 1.0);
  const Eigen::MatrixXd tangents = section.find_tangents(gait().state);
  std::vector<Variation> columns;
  for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
    columns.push_back(section.unscale(tangents.col(j)));
  }
  for (auto _ : state) benchmark::DoNotOptimize(vary_walk(*biped().model, gait().walk, columns));
}
BENCHMARK(derivative_biped);

/// From the printed three digits.
void gait_biped(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(find_orbit(*biped().model, biped().initial, {}));
  }
}
BENCHMARK(gait_biped);

/// The slope from one to six degrees, with the period doubling; making models included.
void branch_biped(benchmark::State& state) {
  const GaitFamily family = make_family(biped(), "alpha");
  ContinuationOptions options;
  options.from = std::numbers::pi / 180.0;
  options.to = 6.0 * options.from;
  for (auto _ : state) benchmark::DoNotOptimize(continue_orbit(family, gait(), options));
}
BENCHMARK(branch_biped)->Unit(benchmark::kMillisecond);

/// 100 x 100 slips up to half a metre per second.
SlipGrid make_slips() {
  constexpr int kCount = 100;
  SlipGrid out;
  for (int i = 0; i < kCount; ++i) {
    out.times.push_back(gait().period() * (i + 0.5) / kCount);
    out.slips.push_back(-0.5 + (i + 0.5) / kCount);
  }
  return out;
}

void slip_map_biped(benchmark::State& state) {
  const SlipGrid grid = make_slips();
  for (auto _ : state) benchmark::DoNotOptimize(find_slip_map(*biped().model, gait(), grid, {}));
}
BENCHMARK(slip_map_biped)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

/// The same map with one slip after the other: the cost of a point alone.
void slips_one_by_one_biped(benchmark::State& state) {
  const SlipGrid grid = make_slips();
  for (auto _ : state) {
    for (const double time : grid.times) {
      for (const double slip : grid.slips) {
        benchmark::DoNotOptimize(find_slip_map(*biped().model, gait(), {{time}, {slip}}, {}));
      }
    }
  }
}
BENCHMARK(slips_one_by_one_biped)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

}  // namespace
}  // namespace slipstick
