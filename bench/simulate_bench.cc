/// Cost of runs in units of their own right-hand sides, and how many of those a run needs, beside
/// Boost.Odeint's dense Dormand-Prince method of order 5 on the same field.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <string>
#include <vector>

#include "slipstick/check.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/mode/mode_step.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick::bench {
namespace {

const std::vector<Override> kJammingWheel{
    {"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "0.5"}};

Mode find_first_mode(const LoadedModel& loaded) {
  SimulationOptions options;
  options.until = 1e-3;
  return simulate(*loaded.model, loaded.initial, options).trajectory->modes.at(0);
}

/// One evaluation of y' = f(y) in the mode at the start, by the function that the integrator calls:
/// the unit of what follows. Each waits for all of the last one, as in a run: these are steps of
/// Euler's method, tiny ones. Processors would work on independent ones at the same time.
void right_hand_side(benchmark::State& run, const LoadedModel& loaded, const Mode& mode) {
  const SimulationOptions options;
  RunCounts counts;
  ModeStep step(*loaded.model, mode, std::nullopt, options.until, true, options, counts);
  step.start(loaded.initial);
  ModeStep::Vector y = step.method().start();
  ModeStep::Vector slope{};
  const std::size_t size = step.time_index() + 1 + 2 * mode.closed.size();
  for (auto _ : run) {
    step.eval(y, slope);
    constexpr double kStandsStill = 1e-30;
    for (std::size_t i = 0; i < size; ++i) y[i] += kStandsStill * slope[i];
    benchmark::DoNotOptimize(y);
  }
}

void right_hand_side(benchmark::State& run, const char* model,
                     const std::vector<Override>& overrides) {
  const LoadedModel loaded = read_model(model, overrides);
  right_hand_side(run, loaded, find_first_mode(loaded));
}

/// Counters: evaluations and events per run, the time of a run per evaluation, where it ended.
void count_run(benchmark::State& run, const LoadedModel& loaded, SimulationOptions options) {
  options.keep_trajectory = false;
  Run last;
  for (auto _ : run) last = simulate(*loaded.model, loaded.initial, options);
  const auto evaluations = static_cast<double>(last.counts.evaluations);
  const auto events = static_cast<double>(last.events.size());
  const auto runs = static_cast<double>(run.iterations());
  run.counters["evaluations"] = evaluations;
  run.counters["end_time"] = last.end.time;
  run.counters["per_evaluation"] = benchmark::Counter(
      evaluations * runs, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  run.counters["events_per_second"] =
      benchmark::Counter(events * runs, benchmark::Counter::kIsRate);
}

/// Up to its first event.
void simulate_run(benchmark::State& run, const char* model, const std::vector<Override>& overrides,
                  double until, double tolerance) {
  SimulationOptions options;
  options.until = until;
  options.tolerance = tolerance;
  options.on_jam = OnJam::kStop;
  options.max_events = 1;
  count_run(run, read_model(model, overrides), options);
}

void right_hand_side_biped(benchmark::State& run) { right_hand_side(run, "compass-biped", {}); }
void right_hand_side_wheel(benchmark::State& run) {
  right_hand_side(run, "rimless-wheel", kJammingWheel);
}
void right_hand_side_arm(benchmark::State& run) { right_hand_side(run, "two-link-rail", {}); }
void right_hand_side_one_slider(benchmark::State& run) {
  right_hand_side(run, "jamming-chain-level", {});
}
void right_hand_side_two_sliders(benchmark::State& run) {
  right_hand_side(run, "jamming-chain", {});
}
/// The same mechanism on one of its two contacts.
void right_hand_side_one_of_two(benchmark::State& run) {
  const LoadedModel loaded = read_model("jamming-chain", {});
  Mode mode = find_first_mode(loaded);
  mode.closed.pop_back();
  mode.indices.pop_back();
  right_hand_side(run, loaded, mode);
}
void step_of_biped(benchmark::State& run) { simulate_run(run, "compass-biped", {}, 1.0, 1e-9); }
void step_of_biped_default(benchmark::State& run) {
  simulate_run(run, "compass-biped", {}, 1.0, 1e-13);
}
void jam_of_wheel(benchmark::State& run) {
  simulate_run(run, "rimless-wheel", kJammingWheel, 1.0, 1e-9);
}
void jam_of_wheel_default(benchmark::State& run) {
  simulate_run(run, "rimless-wheel", kJammingWheel, 1.0, 1e-13);
}
BENCHMARK(right_hand_side_biped);
BENCHMARK(right_hand_side_wheel);
BENCHMARK(right_hand_side_arm);
BENCHMARK(right_hand_side_one_slider);
BENCHMARK(right_hand_side_one_of_two);
BENCHMARK(right_hand_side_two_sliders);
BENCHMARK(step_of_biped)->Unit(benchmark::kMicrosecond);
BENCHMARK(step_of_biped_default)->Unit(benchmark::kMicrosecond);

/// A second of the arm on its rail: some ten impacts and slips.
void second_of_arm(benchmark::State& run) {
  SimulationOptions options;
  options.until = 1.0;
  count_run(run, read_model("two-link-rail", {}), options);
}
BENCHMARK(second_of_arm)->Unit(benchmark::kMicrosecond);

/// The check of runs that are done: beside walk_of_biped and second_of_arm, or them with files.
void check_of(benchmark::State& run, const char* model, double until) {
  const LoadedModel loaded = read_model(model, {});
  SimulationOptions options;
  options.until = until;
  const Run motion = simulate(*loaded.model, loaded.initial, options);
  for (auto _ : run) benchmark::DoNotOptimize(check_run(*loaded.model, options, motion));
}
void check_of_biped(benchmark::State& run) {
  check_of(run, "compass-biped", static_cast<double>(run.range(0)));
}
void check_of_arm(benchmark::State& run) { check_of(run, "two-link-rail", 1.0); }
BENCHMARK(check_of_biped)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(check_of_arm)->Unit(benchmark::kMicrosecond);
BENCHMARK(jam_of_wheel)->Unit(benchmark::kMicrosecond);
BENCHMARK(jam_of_wheel_default)->Unit(benchmark::kMicrosecond);

/// Bars like Painleve's, apart from each other, that jam one after the other. At its jam each jumps
/// by what Fremond's law leaves open: here, bar by bar, or in a tree all, half and nothing.
constexpr std::size_t kBars = 4;
LoadedModel load_bars(const std::array<double, kBars>& jumps) {
  std::string text = "gravity = [0, -1]\n[[surfaces]]\nname = \"plane\"\n";
  std::string initial = "[initial]\n";
  for (std::size_t i = 0; i < kBars; ++i) {
    text += fmt::format(R"toml([[bodies]]
name = "bar{0}"
mass = 1
inertia = "1/12"
joint = {{ type = "free", coordinates = ["x{0}", "y{0}", "theta{0}"] }}
[[contacts]]
name = "end{0}"
body = "bar{0}"
point = [-1, 0]
surface = "plane"
mu = 0.9
law = "fremond"
jump = {1}
)toml",
                        i, jumps[i]);
    initial +=
        fmt::format("theta{0} = {1}\nx{0}_dot = -7\ny{0} = {{ close = \"end{0}\", near = 1 }}\n", i,
                    0.89 - 0.01 * static_cast<double>(i));
  }
  return parse_model("bars.toml", text + initial, {});
}

/// Time of a run or tree per evaluation; how many there were.
void count_evaluations(benchmark::State& run, long evaluations) {
  const auto count = static_cast<double>(evaluations);
  run.counters["evaluations"] = count;
  run.counters["per_evaluation"] =
      benchmark::Counter(count * static_cast<double>(run.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// A tree of some hundred leaves,
void tree_of_bars(benchmark::State& run) {
  const LoadedModel loaded = load_bars({});
  SimulationOptions options;
  options.until = 1.0;
  options.on_jam = OnJam::kBranch;
  options.on_impact = OnImpact::kBranch;
  RunTree tree;
  for (auto _ : run) tree = simulate_tree(*loaded.model, loaded.initial, options);
  std::vector<bool> leaf(tree.runs.size(), true);
  long evaluations = 0;
  for (const BranchRun& branch : tree.runs) {
    if (branch.parent >= 0) leaf[static_cast<std::size_t>(branch.parent)] = false;
    evaluations += branch.run.counts.evaluations;
  }
  count_evaluations(run, evaluations);
  run.counters["leaves"] = static_cast<double>(std::count(leaf.begin(), leaf.end(), true));
}

/// and the ways from its root to those leaves that are not merged into others, one by one.
void runs_of_bars(benchmark::State& run) {
  constexpr std::array<double, 3> kJumps{100.0, 3.9, 0.0};
  std::vector<LoadedModel> models;
  for (std::size_t way = 0; way < 81; ++way) {
    models.push_back(
        load_bars({kJumps[way % 3], kJumps[way / 3 % 3], kJumps[way / 9 % 3], kJumps[way / 27]}));
  }
  SimulationOptions options;
  options.until = 1.0;
  long evaluations = 0;
  for (auto _ : run) {
    evaluations = 0;
    for (const LoadedModel& loaded : models) {
      evaluations += simulate(*loaded.model, loaded.initial, options).counts.evaluations;
    }
  }
  count_evaluations(run, evaluations);
}
BENCHMARK(tree_of_bars)->Unit(benchmark::kMillisecond);
BENCHMARK(runs_of_bars)->Unit(benchmark::kMillisecond);

/// So many seconds of the biped's walk, and the result file of that run: what the file costs.
SimulationOptions make_walk(const benchmark::State& run) {
  SimulationOptions out;
  out.until = static_cast<double>(run.range(0));
  return out;
}
void walk_of_biped(benchmark::State& run) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const SimulationOptions options = make_walk(run);
  for (auto _ : run) {
    auto result = simulate(*loaded.model, loaded.initial, options);
    benchmark::DoNotOptimize(result);
  }
}
void result_file_of_biped(benchmark::State& run) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const SimulationOptions options = make_walk(run);
  const RunTree walk = simulate_tree(*loaded.model, loaded.initial, options);
  double bytes = 0.0;
  for (auto _ : run) {
    const std::string file = make_result_file(loaded, {options, {}, {}}, walk);
    bytes = static_cast<double>(file.size());
  }
  run.counters["bytes"] = bytes;
}
BENCHMARK(walk_of_biped)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(result_file_of_biped)->Arg(10)->Arg(100)->Unit(benchmark::kMicrosecond);

/// The biped's step without events, by a peer: evaluations only.
void step_of_biped_odeint(benchmark::State& run) {
  namespace odeint = boost::numeric::odeint;
  using Vector = std::vector<double>;
  const LoadedModel loaded = read_model("compass-biped", {});
  const Mode mode = find_first_mode(loaded);
  const auto n = static_cast<std::size_t>(loaded.model->size());
  long evaluations = 0;
  const auto system = [&](const Vector& y, Vector& slope, double time) {
    ++evaluations;
    State state{time, VecQ(loaded.model->size()), VecQ(loaded.model->size())};
    for (std::size_t i = 0; i < n; ++i) {
      state.q[static_cast<Eigen::Index>(i)] = y[i];
      state.v[static_cast<Eigen::Index>(i)] = y[n + i];
    }
    const ModeField field = eval_mode_field(*loaded.model, mode, state);
    for (std::size_t i = 0; i < n; ++i) {
      slope[i] = y[n + i];
      slope[n + i] = field.acceleration[static_cast<Eigen::Index>(i)];
    }
  };
  for (auto _ : run) {
    Vector y(2 * n);
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = loaded.initial.q[static_cast<Eigen::Index>(i)];
      y[n + i] = loaded.initial.v[static_cast<Eigen::Index>(i)];
    }
    odeint::integrate_const(
        odeint::make_dense_output(1e-11, 1e-11, odeint::runge_kutta_dopri5<Vector>()), system, y,
        0.0, 0.7456316363272, 0.05);
    benchmark::DoNotOptimize(y);
  }
  run.counters["evaluations"] =
      static_cast<double>(evaluations) / static_cast<double>(run.iterations());
}
BENCHMARK(step_of_biped_odeint)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace slipstick::bench
