#include "slipstick/jam.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "jam_text.h"
#include "motion_options.h"
#include "options.h"
#include "progress.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/io/jam_questions.h"
#include "slipstick/io/json/jam_json.h"
#include "slipstick/io/json/jam_set_json.h"
#include "slipstick/io/ranges.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct JamOptions {
  ModelOptions model;
  OutputOptions output;
  MotionOptions motion;
  std::vector<std::string> over, from;
  std::string prevent;
};

std::vector<OutcomeAxis> read_from_axes(const LoadedModel& loaded,
                                        const std::vector<std::string>& texts) {
  std::vector<OutcomeAxis> out = parse_outcome_axes(loaded, "--from", texts);
  double points = 1.0;
  for (const OutcomeAxis& axis : out) points *= axis.count;
  constexpr double kMostPoints = 4e6;  // some hours of one core, and a document of 20 MB
  if (points > kMostPoints) {
    throw InputError("--from",
                     fmt::format("expected at most 4 million points, got {:.4g}", points));
  }
  return out;
}

/// The call of one point, with {NAME} for its values.
std::string make_point_call(const JamOptions& options, const std::vector<OutcomeAxis>& axes) {
  constexpr std::array<std::string_view, 6> kNotOfPoint{"--from", "--prevent", "--json",
                                                        "--out",  "--report",  "--open"};
  std::string out = "slipstick jam" + list_arguments(*options.output.page.verb, kNotOfPoint);
  for (const OutcomeAxis& axis : axes) out += fmt::format(" --set {0}={{{0}}}", axis.name);
  return out;
}

/// PARAM or PARAM=A:B; without a range a quarter to four times the present value.
PreventionQuestion read_prevention(const LoadedModel& loaded, const std::string& text,
                                   std::string& name) {
  const std::string where = "--prevent " + text;
  name = text.substr(0, text.find('='));
  std::vector<std::string> known;
  for (const Setting& setting : loaded.parameters) known.push_back(setting.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) {
    throw InputError(where,
                     "expected a parameter, got '" + name + "'" + make_suggestion(name, known));
  }
  PreventionQuestion out;
  out.value = loaded.parameters[static_cast<std::size_t>(found - known.begin())].value;
  if (text.size() > name.size()) {
    const ParameterRange range =
        parse_parameter_range(loaded, "--prevent", text, RangeForm::kRange);
    out.searched = {range.low, range.high};
    return out;
  }
  if (out.value == 0.0) {
    throw InputError(where, "expected a range, " + name + "=A:B, because the value is 0");
  }
  constexpr double kReach = 4.0;  // more than a design changes
  out.searched = {out.value / kReach, out.value * kReach};
  if (out.value < 0.0) std::swap(out.searched.low, out.searched.high);
  return out;
}

std::optional<JamSet> find_set(const LoadedModel& loaded, const JamOptions& options,
                               const std::vector<OutcomeAxis>& axes,
                               const std::vector<CoordinateRange>& over) {
  if (axes.empty()) return std::nullopt;
  const auto make_options = [&options](const LoadedModel& at) {
    return make_simulation_options(options.motion, at);
  };
  Progress progress;
  JamSet out = find_jam_set(loaded, axes, make_options, over, [&](long done) {
    progress.tell([&] { return fmt::format("{} motions", done); });
    return !Interruption::came();
  });
  out.call = make_point_call(options, axes);
  return out;
}

int run_jam(const JamOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  const Model& model = *loaded.model;
  const std::vector<CoordinateRange> over = parse_coordinate_ranges(loaded, "--over", options.over);
  const JamQuestion question{make_simulation_options(options.motion, loaded),
                             replace_ranges(loaded.range, over)};
  if (question.simulation.condition) {
    throw InputError("--until", "expected a time, got a condition");
  }
  const std::vector<OutcomeAxis> axes = read_from_axes(loaded, options.from);
  std::optional<PreventionAnswer> prevention;
  PreventionQuestion design;
  if (!options.prevent.empty()) {
    prevention.emplace();
    design = read_prevention(loaded, options.prevent, prevention->parameter);
  }
  // The set and the design are asked for a model; its own state need not slide.
  const bool slides = !list_sliding_contacts(model, loaded.initial).empty();
  const bool is_about_state = axes.empty() && !prevention;
  std::optional<JamAnswer> answer;
  if (slides || is_about_state) {
    answer = find_jam_answer(model, loaded.initial, loaded.closings, question, over);
  }
  const Interruption interruption;
  const std::optional<JamSet> set = find_set(loaded, options, axes, over);
  if (prevention) {
    design.find = make_friction_finder(loaded, prevention->parameter, over);
    prevention->prevention = find_prevention(design);
  }
  Json document = answer ? make_jam_json(loaded, *answer) : make_resting_jam_json(loaded);
  std::string text =
      answer ? describe_jam(model, *answer)
             : fmt::format("{}: {}\n\nthe state itself does not slide\n", model.name, model.title);
  if (set) {
    document["from"] = make_jam_set_json(loaded, *set);
    text += describe_jam_set(*set);
  }
  if (prevention) {
    document["prevent"] = make_prevention_json(*prevention);
    text += describe_prevention(*prevention);
  }
  print_result(options.output,
               {model.name + "-jam", "jam.json", std::move(document), std::move(text),
                answer ? make_moving(loaded, loaded.initial, {&answer->motion.run})
                       : make_still(loaded, loaded.initial)});
  if (Interruption::came()) return Interruption::exit_code();
  const bool fails = answer && answer->motion.end().outcome == JamOutcome::kFailure;
  return fails ? kNumerics : kAnswered;
}

}  // namespace

void add_jam_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<JamOptions>();
  CLI::App* verb = app.add_subcommand(
      "jam", "how sliding ends, the smallest slip that jams, and where a jam is possible");
  add_model_options(*verb, options->model);
  verb->add_option("--until", options->motion.until,
                   "end of the run [s], as an expression such as '2*pi/w' (default 10)")
      ->type_name("T");
  verb->add_option("--tol", options->motion.simulation.tolerance,
                   "relative local error of a step (default 1e-13)")
      ->type_name("TOL");
  verb->add_option("--over", options->over,
                   "COORD=A:B: instead of the model's own range of this coordinate; repeatable")
      ->allow_extra_args(false)
      ->type_name("C=A:B");
  verb->add_option("--from", options->from,
                   "NAME=A:B[:N[:log]]: how sliding ends from these values of a parameter, "
                   "coordinate or rate; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=A:B[:N]");
  verb->add_option("--prevent", options->prevent,
                   "PARAM or PARAM=A:B: the nearest value of this parameter at which the paradox, "
                   "or a jam with unbounded force, is impossible")
      ->type_name("PARAM[=A:B]");
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick jam jamming-chain-level --from theta=-60*deg:0 --set x_dot=10\n"
      "  slipstick jam sliding-rod --prevent rho\n  slipstick jam rimless-wheel --set theta=-0.3 "
      "--set theta_dot=0.643 "
      "--set x_dot=0.5");
  verb->callback([options, &run] { run = [options] { return run_jam(*options); }; });
}

}  // namespace slipstick::cli
