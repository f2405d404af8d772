#include "slipstick/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "options.h"
#include "progress.h"
#include "run_table.h"
#include "slipstick/check.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/io/run_text.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct SimulateOptions {
  ModelOptions model;
  OutputOptions output;
  SimulationOptions simulation;
  TableOptions table;
  bool trajectory = false, zero_order = false, unchecked = false;
  std::string law, on_inconsistent = "impact", on_indeterminate = "lift-off", on_jam = "impact",
                   on_impact = "prefer";
};

// --- options in words ---

void check_limit(const char* option, int value) {
  if (value >= 1) return;
  throw InputError(option, fmt::format("expected a whole number above 0, got {}", value));
}

SimulationOptions make_simulation_options(const SimulateOptions& options, double start) {
  SimulationOptions out = options.simulation;
  if (!(out.until > start) || !std::isfinite(out.until)) {
    throw InputError("--until", fmt::format("expected a time after the start at {} s, got {}",
                                            start, out.until));
  }
  constexpr double kFinest = 1e-14;
  constexpr double kCoarsest = 1e-3;
  if (!(out.tolerance >= kFinest && out.tolerance <= kCoarsest)) {
    throw InputError("--tol", fmt::format("expected a tolerance from {} to {}, got {}", kFinest,
                                          kCoarsest, out.tolerance));
  }
  check_limit("--max-events", out.max_events);
  check_limit("--max-runs", out.max_runs);
  check_limit("--max-depth", out.max_depth);
  constexpr double kMostSamples = 1e7;
  if (options.table.sample && !(*options.table.sample * kMostSamples >= out.until - start &&
                                std::isfinite(*options.table.sample))) {
    throw InputError(
        "--sample",
        fmt::format("expected a step above 0, with at most 10 million rows, got {} s for "
                    "a run of {} s",
                    *options.table.sample, out.until - start));
  }
  if (!options.law.empty()) {
    out.law = parse_word<ImpactLaw>("--law", options.law, kImpactLaws);
  }
  out.on_inconsistent =
      parse_word<OnInconsistent>("--on-inconsistent", options.on_inconsistent, kOnInconsistent);
  out.on_indeterminate =
      parse_word<OnIndeterminate>("--on-indeterminate", options.on_indeterminate, kOnIndeterminate);
  out.on_jam = parse_word<OnJam>("--on-jam", options.on_jam, kOnJam);
  out.on_impact = parse_word<OnImpact>("--on-impact", options.on_impact, kOnImpact);
  return out;
}

RunTree simulate_model(const LoadedModel& loaded, SimulationOptions& options, bool checks) {
  const Model& model = *loaded.model;
  if (checks && !options.keep_trajectory && !is_branching(options)) {
    return make_tree(simulate_and_check(model, loaded.initial, options));
  }
  options.keep_trajectory |= checks;
  RunTree out = simulate_tree(model, loaded.initial, options);
  if (checks) check_tree(model, options, out);
  return out;
}

int run_simulate(const SimulateOptions& options) {
  LoadedModel loaded = read_model(options.model);
  if (options.zero_order) freeze(loaded);
  SimulationOptions simulation = make_simulation_options(options, loaded.initial.time);
  simulation.keep_trajectory =
      writes_files(options.output) || wants_page(options.output) || options.trajectory;
  const Interruption interruption;
  RunTree tree;
  std::int64_t steps_told = 0;
  {
    Progress progress;
    simulation.keep_going = [&](double time) {
      progress.tell([&] { return fmt::format("t = {:.6g} of {:.6g} s", time, simulation.until); });
      if (interruption.came()) return false;
      ++steps_told;
      return true;
    };
    tree = simulate_model(loaded, simulation, !options.unchecked);
  }
  std::vector<const Run*> runs;
  for (const BranchRun& branch : tree.runs) runs.push_back(&branch.run);
  Result result{
      loaded.model->name + "-simulate",
      "simulate.json",
      make_run_json(loaded, tree, options.trajectory ? std::optional(options.table) : std::nullopt),
      describe_runs(*loaded.model, tree),
      make_moving(loaded, loaded.initial, std::move(runs)),
      true};
  // The page has its own rows.
  if (options.trajectory) result.page.result = make_run_json(loaded, tree);
  const auto ends = [&](EndReason reason) {
    return std::any_of(tree.runs.begin(), tree.runs.end(),
                       [&](const BranchRun& branch) { return branch.run.end.reason == reason; });
  };
  const bool interrupted = ends(EndReason::kInterrupted);
  if (writes_files(options.output)) {
    RunRequest request{simulation, options.table.sample, {}, !options.unchecked};
    if (interrupted) request.interrupted_after = steps_told;
    // Large files are made part by part while they are written.
    result.files = {
        {"trajectory.csv", "",
         [&](const ByteSink& sink) { write_trajectory_csv(loaded, tree, options.table, sink); }},
        {"events.jsonl", make_event_lines(loaded, tree)},
        {"simulate.h5", "",
         [&, request](const ByteSink& sink) { write_result_file(loaded, request, tree, sink); }}};
  }
  print_result(options.output, std::move(result));
  if (interrupted) return interruption.exit_code();
  return ends(EndReason::kFailure) ? kNumerics : kAnswered;
}

}  // namespace

void add_simulate_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* verb =
      app.add_subcommand("simulate", "the motion: trajectory, every event, how it ended");
  add_model_options(*verb, options->model);
  verb->add_option("--until", options->simulation.until, "end of the run [s] (default 10)")
      ->type_name("T");
  verb->add_option("--max-events", options->simulation.max_events,
                   "events after which to stop (default 10000)")
      ->type_name("N");
  verb->add_option("--tol", options->simulation.tolerance,
                   "relative local error of a step (default 1e-13)")
      ->type_name("TOL");
  verb->add_option("--sample", options->table.sample,
                   "time between rows of the trajectory [s] (default: several rows per step)")
      ->type_name("DT");
  verb->add_flag("--centres", options->table.centres,
                 "add to the trajectory the acceleration centres of the closed contacts' bodies");
  verb->add_flag("--accelerations", options->table.accelerations,
                 "add to the trajectory the accelerations of the coordinates");
  verb->add_flag("--trajectory", options->trajectory,
                 "add the trajectory to the JSON document, column by column");
  verb->add_flag("--no-check", options->unchecked,
                 "skip the check of the run against the laws by independent code");
  verb->add_flag("--zod", options->zero_order,
                 "zero-order dynamics: masses, loads and directions stay as at the start");
  verb->add_option(
          "--law", options->law,
          "impact law instead of the model's: poisson, newton, stronge, inelastic, fremond")
      ->type_name("LAW");
  verb->add_option("--on-inconsistent", options->on_inconsistent,
                   "where no contact force exists: impact (default) or stop")
      ->type_name("CHOICE");
  verb->add_option(
          "--on-indeterminate", options->on_indeterminate,
          "where several contact forces exist: lift-off (default), slip, impact, branch or stop")
      ->type_name("CHOICE");
  verb->add_option(
          "--on-jam", options->on_jam,
          "where the force grows without bound: impact (default), lift-off, branch or stop")
      ->type_name("CHOICE");
  verb->add_option("--on-impact", options->on_impact,
                   "where an impact has several outcomes: prefer (default) or branch")
      ->type_name("CHOICE");
  verb->add_option("--max-runs", options->simulation.max_runs,
                   "with branch: largest number of runs (default 1000)")
      ->type_name("N");
  verb->add_option("--max-depth", options->simulation.max_depth,
                   "with branch: largest number of choices in a row (default 20)")
      ->type_name("N");
  add_output_options(*verb, options->output);
  verb->footer(
      "With `branch` every choice is followed, in a run of its own.\n\nExamples:\n  slipstick "
      "simulate rimless-wheel --set x_dot=0.5 --set theta=-0.3 "
      "--set theta_dot=0.643 --until 0.2\n"
      "  slipstick simulate painleve-bar --on-jam branch --on-impact branch --until 1");
  verb->callback([options, &run] { run = [options] { return run_simulate(*options); }; });
}

}  // namespace slipstick::cli
