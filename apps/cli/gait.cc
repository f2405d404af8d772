#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "options.h"
#include "progress.h"
#include "slipstick/check.h"
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
  int phases = 41;
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

std::string describe_multiplier(const std::complex<double>& value) {
  std::string out = fmt::format("{:.12g}", value.real());
  if (value.imag() != 0.0)
    out += fmt::format(" {} {:.12g} i", value.imag() < 0.0 ? '-' : '+', std::abs(value.imag()));
  return out;
}

std::string describe_orbit(const Model& model, const Orbit& orbit, const GaitReport& report) {
  const auto name = [&](int contact) {
    return model.contact_names[static_cast<std::size_t>(contact)];
  };
  std::string out = fmt::format("gait            {}\n", orbit.stable() ? "stable" : "unstable");
  out += fmt::format("period          {:.12g} s\n", orbit.period());
  if (report.step_length) out += fmt::format("step length     {:.12g} m\n", *report.step_length);
  out += "state just after the impact\n";
  for (int i = 0; i < model.size(); ++i) {
    const std::string& coordinate = model.coordinates[static_cast<std::size_t>(i)];
    out += fmt::format("  {:<12} {:19.15g}   {:<16} {:19.15g}\n", coordinate,
                       orbit.state.q[i] + 0.0, rate_name(coordinate), orbit.state.v[i] + 0.0);
  }
  out += "multipliers\n";
  for (const auto& value : orbit.multipliers) {
    out += fmt::format("  {:<42} modulus {:.10g}\n", describe_multiplier(value), std::abs(value));
  }
  if (report.mu_stick) {
    out += fmt::format("mu to stick     {:.12g} ({} at {:.6g} s)\n", report.mu_stick->value,
                       name(report.mu_stick->contact), report.mu_stick->time);
  }
  if (report.impulse_ratio) {
    out += fmt::format("impulse ratio   {:.12g}\n", *report.impulse_ratio);
  }
  if (report.least_force) {
    out += fmt::format("least force     {:.6g} N ({} at {:.6g} s)\n", report.least_force->value,
                       name(report.least_force->contact), report.least_force->time);
  }
  out += fmt::format(
      "energy          gravity {:.6g} J, lost at impacts {:.6g} J, to friction and "
      "loads {:.6g} J\n",
      report.energy.gravity, report.energy.impacts, report.energy.friction);
  for (const Exposure& exposure : report.exposure) {
    out += fmt::format("exposed         {} slip of {} from {:.9g} to {:.9g} s: {}\n",
                       exposure.slip_sign > 0.0 ? "forward" : "backward", name(exposure.contact),
                       exposure.time.low, exposure.time.high,
                       exposure.indeterminate.empty()  ? "no force"
                       : exposure.inconsistent.empty() ? "several forces"
                                                       : "no force or several");
  }
  if (report.exposure.empty()) out += "exposed         nowhere\n";
  return out;
}

std::string describe_branch(const std::string& parameter, const Branch& branch) {
  std::string out = fmt::format("\n{:>16}  {:>14}  {:>12}\n", parameter, "period [s]", "modulus");
  for (const BranchPoint& point : branch.points) {
    const double modulus = point.multipliers.empty() ? 0.0 : std::abs(point.multipliers.front());
    out += fmt::format("{:16.10g}  {:14.10g}  {:12.8g}  {}\n", point.parameter, point.period,
                       modulus, point.stable ? "" : "unstable");
  }
  for (const Bifurcation& found : branch.bifurcations) {
    out += fmt::format("{} at {} = {:.12g}\n", find_word(kBifurcationTypes, found.type), parameter,
                       found.at.parameter);
    if (!found.before.empty()) {
      out += fmt::format("  from  {}\n  to    {}\n", found.before, found.after);
    }
  }
  for (const std::string& note : branch.notes) out += fmt::format("{}: {}\n", parameter, note);
  if (branch.end) out += branch.end.sentence + "\n";
  return out;
}

std::string describe_slips(const SlipGrid& grid, const SlipMap& map) {
  std::array<int, kSlipOutcomes.size()> counts{};
  std::size_t rows = 0;
  long regained = 0;
  for (std::size_t i = 0; i < grid.times.size(); ++i) {
    rows += map.outcomes[i].empty() ? 0U : 1U;
    for (const SlipOutcome outcome : map.outcomes[i]) ++counts[static_cast<std::size_t>(outcome)];
    regained += std::count(map.regained[i].begin(), map.regained[i].end(), true);
  }
  std::string out = fmt::format("\nslips of {:.6g} to {:.6g} m/s at {} times\n", grid.slips.front(),
                                grid.slips.back(), grid.times.size());
  if (!map.complete()) out += fmt::format("interrupted after {} of them\n", rows);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] > 0) out += fmt::format("  {:<14} {}\n", kSlipOutcomes[k], counts[k]);
  }
  out += fmt::format("the gait is regained after {} of {}\n", regained, rows * grid.slips.size());
  for (const double direction : {1.0, -1.0}) {
    const auto basin = find_slip_basin(grid, map, direction);
    if (!basin) continue;
    out += fmt::format("  at all times after {} slips up to {:.6g} m/s\n",
                       direction > 0.0 ? "forward" : "backward", *basin);
  }
  return out;
}

std::string describe(const LoadedModel& loaded, const GaitAnswer& answer) {
  std::string out = fmt::format("{}: {}\n\n", loaded.model->name, loaded.model->title);
  if (!answer.search.orbit)
    return out + fmt::format("gait            none: {}\n", answer.search.why.sentence);
  out += describe_orbit(*loaded.model, *answer.search.orbit, answer.report);
  const Run& run = answer.search.orbit->walk.run;
  if (run.verdict) out += describe_check(*loaded.model, run.verdict->check) + "\n";
  if (answer.slip_map) out += describe_slips(answer.slips, *answer.slip_map);
  if (answer.branch) out += describe_branch(answer.parameter, *answer.branch);
  if (answer.doubled) {
    out += "\ntwice the period";
    out += describe_branch(answer.parameter, *answer.doubled);
  }
  return out;
}

GaitSlips read_slips(const GaitVerbOptions& options, const LoadedModel& loaded) {
  if (loaded.model->gait->advance < 0) {
    throw InputError("--slips " + options.slips,
                     "expected a model whose [gait] has an advance, got none");
  }
  GaitSlips out;
  out.slips = parse_grid(loaded, "--slips", options.slips);
  out.phases = options.phases;
  constexpr double kMostPoints = 1e7;
  if (static_cast<double>(out.slips.size()) * options.phases > kMostPoints) {
    throw InputError("--slips " + options.slips,
                     fmt::format("expected at most 10 million points, got {} x {}",
                                 out.slips.size(), options.phases));
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
  if (question.slips) {
    question.slips->keep_going = [&progress, phases = question.slips->phases](int done) {
      const Interruption interruption;
      progress.tell([&] { return fmt::format("time {} of {}", done, phases); });
      return !interruption.came();
    };
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
  GaitQuestion question{options.gait, !options.unchecked, {}, {}};
  if (!options.along.empty()) {
    const ParameterRange range =
        parse_parameter_range(loaded, "--continue", options.along, RangeForm::kPath);
    loaded = make_with_parameters(given, {range.name}, std::vector<double>{range.low});
    question.path = make_path(options, given, range);
  } else if (options.follows_doubled) {
    throw InputError("--switch", "expected --continue NAME=A:B with it, got none");
  }
  if (!options.slips.empty()) question.slips = read_slips(options, loaded);
  const GaitAnswer answer = [&] {
    Progress progress;
    tell_progress(question, progress);
    return find_gait({loaded.model, loaded.initial}, question);
  }();
  Result result{loaded.model->name + "-gait", "gait.json", make_gait_json(loaded, answer),
                describe(loaded, answer),
                answer.search.orbit ? make_moving(loaded, answer.search.orbit->state,
                                                  {&answer.search.orbit->walk.run})
                                    : make_still(loaded, loaded.initial)};
  if (writes_files(options.output) && (answer.branch || answer.slip_map)) {
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
  CLI::Option* slips =
      verb->add_option("--slips", options->slips,
                       "A:B:N: what happens after each of N slips of the stance foot [m/s]")
          ->type_name("A:B:N");
  verb->add_option("--phases", options->phases, "with --slips: number of times within the period")
      ->check(CLI::Range(1, 10000))
      ->needs(slips)
      ->type_name("N");
  add_uncertain_options(*verb, options->uncertain);
  add_output_options(*verb, options->output);
  verb->footer("Example:\n  slipstick gait compass-biped --continue alpha=1*deg:6*deg --switch");
  verb->callback([options, &run] { run = [options] { return run_gait(*options); }; });
}

}  // namespace slipstick::cli
