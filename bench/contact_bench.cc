/// Cost of one evaluation of the contact dynamics, of a classification and of a map's pixel, beside
/// hand-written closed forms of the same states: the floor. Ratios in one run are what counts.

#include <benchmark/benchmark.h>

#include <array>

#include "closed_forms.h"
#include "slipstick/classify.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick::bench {
namespace {

template <class F>
void run_floor(benchmark::State& run, const char* model, const F& eval) {
  const LoadedModel loaded = read_model(model, {});
  State state = loaded.initial;
  for (auto _ : run) {
    benchmark::DoNotOptimize(state);
    auto result = eval(state.q.data(), state.v.data());
    benchmark::DoNotOptimize(result);
  }
}

void floor_biped_stick(benchmark::State& run) {
  run_floor(run, "compass-biped", [biped = Biped{}](const double* q, const double* v) {
    return eval_biped_stick(biped, q, v);
  });
}
void floor_biped_slip(benchmark::State& run) {
  run_floor(run, "compass-biped", [biped = Biped{}](const double* q, const double* v) {
    return eval_biped_slip(biped, q, v);
  });
}
void floor_wheel_stick(benchmark::State& run) {
  run_floor(run, "rimless-wheel", [wheel = Wheel{}](const double* q, const double* v) {
    return eval_wheel_stick(wheel, q, v);
  });
}
void floor_wheel_slip(benchmark::State& run) {
  run_floor(run, "rimless-wheel", [wheel = Wheel{}](const double* q, const double* v) {
    return eval_wheel_slip(wheel, q, v);
  });
}
BENCHMARK(floor_biped_stick);
BENCHMARK(floor_biped_slip);
BENCHMARK(floor_wheel_stick);
BENCHMARK(floor_wheel_slip);

void contact_dynamics(benchmark::State& run, const char* model) {
  const LoadedModel loaded = read_model(model, {});
  State state = loaded.initial;
  constexpr std::array<int, 1> kFirst{0};
  for (auto _ : run) {
    benchmark::DoNotOptimize(state);
    auto result = eval_contact_dynamics(*loaded.model, state, kFirst);
    benchmark::DoNotOptimize(result);
  }
}
BENCHMARK_CAPTURE(contact_dynamics, biped, "compass-biped");
BENCHMARK_CAPTURE(contact_dynamics, wheel, "rimless-wheel");
BENCHMARK_CAPTURE(contact_dynamics, arm, "two-link-rail");

/// All that a right-hand side with its events needs at a state: the kinematics of all contacts, the
/// dynamics of the closed one, and the forces of one mode.
void kernel(benchmark::State& run, const char* model) {
  const LoadedModel loaded = read_model(model, {});
  const Classification at_start = classify(*loaded.model, loaded.initial, Tolerances{});
  const Mode mode = make_mode(*loaded.model, loaded.initial, at_start.solutions[0]);
  State state = loaded.initial;
  ContactKinematics kinematics;
  ContactDynamics dynamics;
  constexpr std::array<int, 1> kFirst{0};
  for (auto _ : run) {
    benchmark::DoNotOptimize(state);
    eval_contact_kinematics(*loaded.model, state, kinematics);
    eval_contact_dynamics(*loaded.model, state, kFirst, dynamics);
    auto field = make_mode_field(mode, dynamics);
    benchmark::DoNotOptimize(kinematics);
    benchmark::DoNotOptimize(field);
  }
}
BENCHMARK_CAPTURE(kernel, biped, "compass-biped");
BENCHMARK_CAPTURE(kernel, wheel, "rimless-wheel");

void classify_state(benchmark::State& run, const char* model) {
  const LoadedModel loaded = read_model(model, {});
  for (auto _ : run) {
    auto result = classify(*loaded.model, loaded.initial, Tolerances{});
    benchmark::DoNotOptimize(result);
  }
}
BENCHMARK_CAPTURE(classify_state, biped, "compass-biped");
BENCHMARK_CAPTURE(classify_state, wheel, "rimless-wheel");

/// Items are pixels, and the CPU time is that of all threads: time per pixel and core.
void map_of_wheel(benchmark::State& run) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kPlus, Tolerances{});
  const auto points = static_cast<int>(run.range(0));
  for (auto _ : run) {
    auto map =
        find_paradox_map(problem, {2, false, -0.3, 0.3, points}, {2, true, -1.2, 1.2, points});
    benchmark::DoNotOptimize(map);
  }
  run.SetItemsProcessed(run.iterations() * points * points);
}
BENCHMARK(map_of_wheel)->Arg(1000)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace slipstick::bench
