/// Cost of one evaluation of a formula of a model file, with and without its rate, beside the same
/// formula in C++: the floor.

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "slipstick/model/expression.h"

namespace slipstick::bench {
namespace {

const std::vector<std::string> kNames{"t", "x", "y", "x_dot", "y_dot"};
const Constants kValues{{"F", 8.0}, {"T", 0.13}, {"k", 100.0}, {"c", 2.0}, {"l", 0.8}};

Expression make_formula(const char* text) { return {"bench", text, kNames, kValues}; }

void run_formula(benchmark::State& run, const char* text) {
  const Expression formula = make_formula(text);
  std::array values{0.5, 0.3, 0.2, 1.0, 2.0};
  for (auto _ : run) {
    benchmark::DoNotOptimize(values);
    benchmark::DoNotOptimize(formula.eval(values));
  }
}
void run_formula_with_rate(benchmark::State& run, const char* text) {
  const Expression formula = make_formula(text);
  std::array values{Dual(0.5, 1.0), Dual(0.3), Dual(0.2), Dual(1.0), Dual(2.0)};
  for (auto _ : run) {
    benchmark::DoNotOptimize(values);
    benchmark::DoNotOptimize(formula.eval_dual(values));
  }
}
template <class F>
void run_floor(benchmark::State& run, const F& eval) {
  std::array values{0.5, 0.3, 0.2, 1.0, 2.0};
  for (auto _ : run) {
    benchmark::DoNotOptimize(values);
    benchmark::DoNotOptimize(eval(values));
  }
}

constexpr const char* kSpring = "-k*x - c*x_dot";
constexpr const char* kSquareWave = "sin(2*pi*t/T) > 0 ? F : -F/2";
constexpr const char* kFoot = "x + 2*l*(sin(x) + sin(y))";

void formula_spring(benchmark::State& run) { run_formula(run, kSpring); }
void formula_square_wave(benchmark::State& run) { run_formula(run, kSquareWave); }
void formula_foot(benchmark::State& run) { run_formula(run, kFoot); }
void formula_square_wave_with_rate(benchmark::State& run) {
  run_formula_with_rate(run, kSquareWave);
}
void floor_spring(benchmark::State& run) {
  run_floor(run, [](const auto& at) { return -100.0 * at[1] - 2.0 * at[3]; });
}
void floor_square_wave(benchmark::State& run) {
  run_floor(run, [](const auto& at) {
    return std::sin(2.0 * std::numbers::pi * at[0] / 0.13) > 0.0 ? 8.0 : -4.0;
  });
}
void floor_foot(benchmark::State& run) {
  run_floor(run,
            [](const auto& at) { return at[1] + 2.0 * 0.8 * (std::sin(at[1]) + std::sin(at[2])); });
}

BENCHMARK(formula_spring);
BENCHMARK(floor_spring);
BENCHMARK(formula_square_wave);
BENCHMARK(formula_square_wave_with_rate);
BENCHMARK(floor_square_wave);
BENCHMARK(formula_foot);
BENCHMARK(floor_foot);

}  // namespace
}  // namespace slipstick::bench
