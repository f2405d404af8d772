#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "gait_perturb.h"
#include "gait_text.h"
#include "options.h"
#include "progress.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/json/gait_json.h"
#include "slipstick/io/ranges.h"
#include "slipstick/outcomes.h"
#include "uncertain_options.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct GaitVerbOptions {
  ModelOptions model;
  OutputOptions output;
  GaitOptions gait;
  std::string along;
  bool follows_doubled = false, unchecked = false;
  std::string slips;
  std::vector<std::string> perturb;
  std::optional<int> phases;
  UncertainOptions uncertain;
};

void check_model(const LoadedModel& loaded) {
  const std::string where = "model '" + loaded.model->name + "'";
  if (!loaded.model->gait) {
    throw InputError(where, "expected a table [gait] that names the section, got none");
  }
  if (loaded.model->depends_on_time) {
    throw InputError(where,
                     "expected loads and surfaces that do not depend on time, because a step "
                     "must not depend on when it is made");
  }
}

GaitSlips read_slips(const GaitVerbOptions& options, const LoadedModel& loaded) {
  if (loaded.model->gait->advance < 0) {
    throw InputError("--slips " + options.slips,
                     "expected a model whose [gait] has an advance, got none");
  }
  GaitSlips out;
  out.slips = parse_grid(loaded, "--slips", options.slips);
  out.phases = options.phases.value_or(out.phases);
  constexpr double kMostPoints = 1e7;
  if (static_cast<double>(out.slips.size()) * out.phases > kMostPoints) {
    throw InputError("--slips " + options.slips,
                     fmt::format("expected at most 10 million points, got {} x {}",
                                 out.slips.size(), out.phases));
  }
  return out;
}

GaitPath make_path(const GaitVerbOptions& options, const LoadedModel& given,
                   const ParameterRange& range) {
  return {range.name,
          range.low,
          range.high,
          make_family(given, range.name),
          eval_in_model(given, range.name, range.name),
          {given.model, given.initial},
          options.follows_doubled};
}

/// Reports the progress of the slow parts of the work. After the first report of a part, Ctrl-C
/// ends the work and keeps what is done.
void tell_progress(GaitQuestion& question, Progress& progress) {
  const auto tell_times = [&progress](int phases) {
    return [&progress, phases](int done) {
      const Interruption interruption;
      progress.tell([&] { return fmt::format("time {} of {}", done, phases); });
      return !interruption.came();
    };
  };
  if (question.slips) question.slips->keep_going = tell_times(question.slips->phases);
  if (question.perturbation) {
    question.perturbation->keep_going = tell_times(question.perturbation->phases);
  }
  if (!question.path) return;
  question.path->keep_going = [&progress, name = question.path->parameter](double value) {
    const Interruption interruption;
    progress.tell([&] { return fmt::format("{} = {:.6g}", name, value); });
    return !interruption.came();
  };
}

/// The gait with drawn values, searched from their own initial state, then from the gait of the
/// model's own values along a straight line to the drawn ones.
Outcome find_drawn_gait(const GaitVerbOptions& options, const LoadedModel& own,
                        const std::optional<Orbit>& known, const LoadedModel& drawn,
                        std::span<const double> values) {
  const GaitOptions& gait = options.gait;
  if (!known) {
    return find_gait_outcome(*drawn.model, drawn.initial, gait.simulation, gait.steps);
  }
  return find_gait_outcome(*drawn.model, drawn.initial, gait, *known,
                           make_family_between(own, list_names(own, options.uncertain), values));
}

int run_gait(const GaitVerbOptions& options) {
  const double until = options.gait.simulation.until;
  if (!(until > 0.0) || !std::isfinite(until)) {
    throw InputError("--until", fmt::format("expected a time above 0 s, got {}", until));
  }
  const LoadedModel given = read_model(options.model);
  LoadedModel loaded = given;
  check_model(loaded);
  check_uncertain(loaded, options.uncertain);
  GaitQuestion question{options.gait, !options.unchecked, {}, {}, {}};
  if (!options.along.empty()) {
    const ParameterRange range =
        parse_parameter_range(loaded, "--continue", options.along, RangeForm::kPath);
    loaded = make_with_parameters(given, {range.name}, std::vector<double>{range.low});
    question.path = make_path(options, given, range);
  } else if (options.follows_doubled) {
    throw InputError("--switch", "expected --continue NAME=A:B with it, got none");
  }
  if (options.phases && options.slips.empty() && options.perturb.empty()) {
    throw InputError("--phases", "expected --slips or --perturb with it, got none");
  }
  if (!options.slips.empty()) question.slips = read_slips(options, loaded);
  if (!options.perturb.empty()) {
    question.perturbation = read_perturbation(loaded, options.perturb, options.phases);
  }
  const GaitAnswer answer = [&] {
    Progress progress;
    tell_progress(question, progress);
    return find_gait({loaded.model, loaded.initial}, question);
  }();
  Result result{loaded.model->name + "-gait", "gait.json", make_gait_json(loaded, answer),
                describe_gait(loaded, answer),
                answer.search.orbit ? make_moving(loaded, answer.search.orbit->state,
                                                  {&answer.search.orbit->walk.run})
                                    : make_still(loaded, loaded.initial)};
  if (writes_files(options.output) &&
      (answer.branch || answer.slip_map || answer.perturbation_map)) {
    result.files = {{"gait.h5", make_gait_hdf5(loaded, answer)}};
  }
  const int code =
      Interruption::came()
          ? kAnswered
          : add_shares(
                loaded, options.uncertain,
                [&](const LoadedModel& drawn, std::span<const double> values) {
                  return find_drawn_gait(options, loaded, answer.search.orbit, drawn, values);
                },
                result);
  print_result(options.output, std::move(result));
  if (Interruption::came()) return Interruption::exit_code();
  const bool failed = answer.search.orbit && answer.search.orbit->walk.run.verdict &&
                      !answer.search.orbit->walk.run.verdict->check.passed;
  return failed ? kNumerics : code;
}

}  // namespace

void add_gait_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<GaitVerbOptions>();
  CLI::App* verb = app.add_subcommand(
      "gait", "periodic motion: its stability, the friction it needs, its exposure to the paradox");
  add_model_options(*verb, options->model);
  verb->add_option("--steps", options->gait.steps, "steps in a period")
      ->check(CLI::Range(1, 64))
      ->type_name("N");
  verb->add_option("--until", options->gait.simulation.until, "longest period [s]")->type_name("T");
  verb->add_option("--continue", options->along,
                   "NAME=A:B: follow the gait over a parameter, with its bifurcations")
      ->type_name("NAME=A:B");
  verb->add_flag("--switch", options->follows_doubled,
                 "with --continue: also follow the gait of twice the period");
  verb->add_flag("--no-check", options->unchecked,
                 "skip the check of the period against the laws by independent code");
  verb->add_option("--slips", options->slips,
                   "A:B:N: what happens after each of N slips of the stance foot [m/s]")
      ->type_name("A:B:N");
  verb->add_option(
          "--perturb", options->perturb,
          "KIND NAME=A:B[:N]: what becomes of the gait after perturbations of these sizes, "
          "borders located: slip CONTACT (or a rate), separation CONTACT (or a coordinate), "
          "push COORDINATE (an impulse) or a rate")
      ->expected(2)
      ->type_name("KIND NAME=A:B");
  verb->add_option("--phases", options->phases,
                   "with --slips or --perturb: number of times within the period")
      ->check(CLI::Range(1, 10000))
      ->type_name("N");
  add_uncertain_options(*verb, options->uncertain);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick gait compass-biped --continue alpha=1*deg:6*deg --switch\n"
      "  slipstick gait rimless-wheel --perturb slip stance=-0.5:0.5:11 --phases 9");
  verb->callback([options, &run] { run = [options] { return run_gait(*options); }; });
}

}  // namespace slipstick::cli
