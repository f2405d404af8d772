#include "motion_options.h"

#include <fmt/format.h>

#include <cmath>

#include "slipstick/condition.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/errors.h"
#include "slipstick/io/model/run_formulas.h"

namespace slipstick::cli {

void check_limit(const char* option, int value) {
  if (value >= 1) return;
  throw InputError(option, fmt::format("expected a whole number above 0, got {}", value));
}

void add_motion_options(CLI::App& verb, MotionOptions& options) {
  verb.add_option("--until", options.until,
                  "end of the run [s], as an expression such as '2*pi/w' (default 10), or a "
                  "condition such as 'x > 2'")
      ->type_name("T");
  verb.add_option("--max-time", options.max_time,
                  "with a condition in --until: end of the run [s] if it is never true (default "
                  "10)")
      ->type_name("T");
  verb.add_option("--max-events", options.simulation.max_events,
                  "events after which to stop (default 10000)")
      ->type_name("N");
  verb.add_option("--tol", options.simulation.tolerance,
                  "relative local error of a step (default 1e-13)")
      ->type_name("TOL");
  verb.add_flag("--no-check", options.unchecked,
                "skip the check of the run against the laws by independent code");
  verb.add_option("--law", options.law,
                  "impact law instead of the model's: poisson, newton, stronge, inelastic, fremond")
      ->type_name("LAW");
  verb.add_option("--on-inconsistent", options.on_inconsistent,
                  "where no contact force exists: impact (default) or stop")
      ->type_name("CHOICE");
  verb.add_option(
          "--on-indeterminate", options.on_indeterminate,
          "where several contact forces exist: lift-off (default), slip, impact, branch or stop")
      ->type_name("CHOICE");
  verb.add_option("--on-jam", options.on_jam,
                  "where the force grows without bound: impact (default), lift-off, branch or stop")
      ->type_name("CHOICE");
  verb.add_option("--on-impact", options.on_impact,
                  "where an impact has several outcomes: prefer (default) or branch")
      ->type_name("CHOICE");
}

namespace {

double read_end(const char* option, const std::string& text, const LoadedModel& loaded) {
  const double out = eval_with_parameters(loaded, option, text);
  const double start = loaded.initial.time;
  if (out > start && std::isfinite(out)) return out;
  throw InputError(option,
                   fmt::format("expected a time after the start at {} s, got {}", start, out));
}

void read_until(const MotionOptions& options, const LoadedModel& loaded, SimulationOptions& out) {
  if (!is_condition(options.until)) {
    if (!options.max_time.empty()) {
      throw InputError("--max-time", "expected a condition in --until beside it, such as 'x > 2'");
    }
    out.until = read_end("--until", options.until, loaded);
    return;
  }
  out.condition = make_condition(*loaded.model, list_parameters(loaded), "--until", options.until);
  if (!options.max_time.empty()) out.until = read_end("--max-time", options.max_time, loaded);
}

}  // namespace

SimulationOptions make_simulation_options(const MotionOptions& options, const LoadedModel& loaded) {
  SimulationOptions out = options.simulation;
  read_until(options, loaded, out);
  constexpr double kFinest = 1e-14;
  constexpr double kCoarsest = 1e-3;
  if (!(out.tolerance >= kFinest && out.tolerance <= kCoarsest)) {
    throw InputError("--tol", fmt::format("expected a tolerance from {} to {}, got {}", kFinest,
                                          kCoarsest, out.tolerance));
  }
  check_limit("--max-events", out.max_events);
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

}  // namespace slipstick::cli
