#include "slipstick/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "motion_options.h"
#include "options.h"
#include "progress.h"
#include "run_table.h"
#include "slipstick/check.h"
#include "slipstick/core/is_tenth.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/errors.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/io/model/run_formulas.h"
#include "slipstick/io/run_text.h"
#include "slipstick/outcomes.h"
#include "uncertain_options.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct SimulateOptions {
  ModelOptions model;
  OutputOptions output;
  MotionOptions motion;
  TableOptions table;
  std::vector<std::string> observables;  ///< NAME = EXPR
  std::vector<std::string> columns;      ///< of the trajectory, beside the usual ones
  bool trajectory = false, zero_order = false;
  UncertainOptions uncertain;
};

/// What `--columns` may ask for.
constexpr Words<6> kColumns{"p", "b", "energy", "work", "centres", "accelerations"};

TableOptions read_table_options(const SimulateOptions& options) {
  TableOptions out = options.table;
  const std::array<bool*, kColumns.size()> flags{&out.p,    &out.b,       &out.energy,
                                                 &out.work, &out.centres, &out.accelerations};
  for (const std::string& column : options.columns) {
    *flags[parse_word<std::size_t>("--columns", column, kColumns)] = true;
  }
  return out;
}

/// Those of the command line, which are added to the model's.
std::vector<Observable> read_observables(const SimulateOptions& options, LoadedModel& loaded) {
  std::vector<Observable> out;
  for (const std::string& text : options.observables) {
    out.push_back(parse_observable("--observe", text));
  }
  add_observables(loaded, out);
  return out;
}

SimulationOptions read_simulation_options(const SimulateOptions& options,
                                          const LoadedModel& loaded) {
  SimulationOptions out = make_simulation_options(options.motion, loaded);
  const double start = loaded.initial.time;
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

/// The first event, or the end, of a run with drawn values.
Outcome find_drawn_outcome(const SimulateOptions& options, const LoadedModel& drawn,
                           std::span<const double> values) {
  LoadedModel loaded = drawn;
  if (options.zero_order) freeze(loaded);
  RunQuestion question;
  question.checks = !options.motion.unchecked && is_tenth(values);
  return find_run_outcome(*loaded.model, loaded.initial,
                          make_simulation_options(options.motion, loaded), question);
}

void check_drawn(const SimulateOptions& options, const LoadedModel& loaded,
                 const SimulationOptions& simulation) {
  check_uncertain(loaded, options.uncertain);
  if (!options.uncertain.values.empty() && is_branching(simulation)) {
    throw InputError("--uncertain", "expected one way on at every choice, got branch");
  }
}

int run_simulate(const SimulateOptions& options) {
  LoadedModel loaded = read_model(options.model);
  if (options.zero_order) freeze(loaded);
  const std::vector<Observable> observables = read_observables(options, loaded);
  SimulationOptions simulation = read_simulation_options(options, loaded);
  check_drawn(options, loaded, simulation);
  simulation.keep_trajectory = writes_files(options.output) || wants_page(options.output) ||
                               options.trajectory || !loaded.observables.empty();
  const TableOptions table = read_table_options(options);
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
    tree = simulate_model(loaded, simulation, !options.motion.unchecked);
    observe(loaded, simulation.tolerance, tree);
    if (options.motion.unchecked && table.work) balance_tree(*loaded.model, simulation, tree);
  }
  std::vector<const Run*> runs;
  for (const BranchRun& branch : tree.runs) runs.push_back(&branch.run);
  Result result{
      loaded.model->name + "-simulate",
      "simulate.json",
      make_run_json(loaded, tree, options.trajectory ? std::optional(table) : std::nullopt),
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
    RunRequest request{
        simulation, options.table.sample, {}, !options.motion.unchecked, observables};
    if (interrupted) request.interrupted_after = steps_told;
    // Large files are made part by part while they are written.
    result.files = {
        {"trajectory.csv", "",
         [&](const ByteSink& sink) { write_trajectory_csv(loaded, tree, table, sink); }},
        {"events.jsonl", make_event_lines(loaded, tree)},
        {"simulate.h5", "",
         [&, request](const ByteSink& sink) { write_result_file(loaded, request, tree, sink); }}};
  }
  const int code = interrupted ? kAnswered
                               : add_shares(
                                     loaded, options.uncertain,
                                     [&](const LoadedModel& drawn, std::span<const double> values) {
                                       return find_drawn_outcome(options, drawn, values);
                                     },
                                     result);
  print_result(options.output, std::move(result));
  if (interrupted) return interruption.exit_code();
  return ends(EndReason::kFailure) ? kNumerics : code;
}

}  // namespace

void add_simulate_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* verb =
      app.add_subcommand("simulate", "the motion: trajectory, every event, how it ended");
  add_model_options(*verb, options->model);
  add_motion_options(*verb, options->motion);
  verb->add_option("--sample", options->table.sample,
                   "time between rows of the trajectory [s] (default: several rows per step)")
      ->type_name("DT");
  verb->add_flag("--centres", options->table.centres,
                 "add to the trajectory the acceleration centres of the closed contacts' bodies");
  verb->add_flag("--accelerations", options->table.accelerations,
                 "add to the trajectory the accelerations of the coordinates");
  verb->add_option(
          "--observe", options->observables,
          "follow a quantity of your own, 'NAME = EXPR': its zeros, extremes and a column; "
          "repeatable")
      ->allow_extra_args(false)
      ->type_name("'NAME = EXPR'");
  verb->add_option("--columns", options->columns,
                   "add to the trajectory: p and b of sliding contacts, energy (potential, and the "
                   "sum), work since the start, centres, accelerations")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("p,b,energy,work,...");
  verb->add_flag("--trajectory", options->trajectory,
                 "add the trajectory to the JSON document, column by column");
  verb->add_flag("--zod", options->zero_order,
                 "zero-order dynamics: masses, loads and directions stay as at the start");
  verb->add_option("--max-runs", options->motion.simulation.max_runs,
                   "with branch: largest number of runs (default 1000)")
      ->type_name("N");
  verb->add_option("--max-depth", options->motion.simulation.max_depth,
                   "with branch: largest number of choices in a row (default 20)")
      ->type_name("N");
  add_uncertain_options(*verb, options->uncertain);
  add_output_options(*verb, options->output);
  verb->footer(
      "With `branch` every choice is followed, in a run of its own.\n\nExamples:\n  slipstick "
      "simulate rimless-wheel --set x_dot=0.5 --set theta=-0.3 "
      "--set theta_dot=0.643 --until 0.2\n"
      "  slipstick simulate painleve-bar --on-jam branch --on-impact branch --until 1\n"
      "  slipstick simulate rimless-wheel --set theta=-0.3 --set theta_dot=0.643 "
      "--uncertain x_dot=0.35:0.45 --until 0.2\n"

      "  slipstick simulate sliding-block --until 0.2*v0 --observe way=x/v0 "
      "--columns energy,work");
  verb->callback([options, &run] { run = [options] { return run_simulate(*options); }; });
}

}  // namespace slipstick::cli
