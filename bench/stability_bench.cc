/// Stability of a rest on two contacts: one sample of R and growth in units of sincos, a verdict in
/// units of samples, and verdicts per second of a map.

#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>

#include "slipstick/analysis/stability/stability.h"
#include "slipstick/model_file.h"
#include "slipstick/stability_map.h"

namespace slipstick::bench {
namespace {

struct Posture {
  const char *rho, *l1, *l2;
};
constexpr std::array<Posture, 3> kPostures{Posture{"0.143", "-0.0512", "0.1688"},
                                           Posture{"0.1469", "0.0161", "0.0761"},
                                           Posture{"0.1379", "0.0288", "0.0888"}};

TwoContactBody make_body(std::int64_t posture) {
  const Posture& p = kPostures[static_cast<std::size_t>(posture)];
  const LoadedModel loaded = read_model(
      "two-contact-body", std::vector<Override>{{"rho", p.rho}, {"l1", p.l1}, {"l2", p.l2}});
  return make_two_contact_body(*loaded.model, loaded.initial, Tolerances{});
}

/// Angles all over the interval, in an order that no branch predictor learns.
std::vector<double> list_angles() {
  constexpr int kCount = 4096;
  std::vector<double> out;
  out.reserve(kCount);
  for (int i = 0; i < kCount; ++i) {
    out.push_back(std::numbers::pi * (std::fmod(i * 0.618033988749895, 1.0) - 0.5));
  }
  return out;
}

void sincos_floor(benchmark::State& run) {
  const std::vector<double> angles = list_angles();
  std::size_t i = 0;
  for (auto _ : run) {
    double sine = std::sin(angles[i % angles.size()]);
    double cosine = std::cos(angles[i++ % angles.size()]);
    benchmark::DoNotOptimize(sine);
    benchmark::DoNotOptimize(cosine);
  }
}
BENCHMARK(sincos_floor);

void sample_of_maps(benchmark::State& run) {
  const ZeroOrder dynamics(make_body(run.range(0)), Tolerances{});
  const std::vector<double> angles = list_angles();
  std::size_t i = 0;
  for (auto _ : run) {
    auto value = eval_return(dynamics, angles[i++ % angles.size()]);
    benchmark::DoNotOptimize(value);
  }
}
BENCHMARK(sample_of_maps)->DenseRange(0, 2);

void verdict(benchmark::State& run) {
  const TwoContactBody body = make_body(run.range(0));
  for (auto _ : run) {
    auto stability = find_stability(body, Tolerances{});
    benchmark::DoNotOptimize(stability);
  }
}
BENCHMARK(verdict)->DenseRange(0, 2);

/// [Or2021] Fig. 6 where every point is feasible: part of it around B and D.
void map_of_verdicts(benchmark::State& run) {
  const TwoContactBody middle = make_body(1);
  const auto make = [&](std::span<const double> at) {
    TwoContactBody body = middle;
    for (Vec2& lever : body.lever) lever += Vec2(at[0], at[1]);
    return body;
  };
  const int points = static_cast<int>(run.range(0));
  const std::vector<StabilityAxis> axes{{{-0.01, 0.015}, points}, {{-0.01, 0.02}, points}};
  for (auto _ : run) {
    auto map = find_stability_map(make, axes, Tolerances{});
    benchmark::DoNotOptimize(map);
  }
  run.counters["verdicts/s"] = benchmark::Counter(static_cast<double>(points) * points,
                                                  benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(map_of_verdicts)->Arg(100)->Arg(1000)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace slipstick::bench
