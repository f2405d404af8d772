#include "slipstick/critical_friction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "jam_text.h"
#include "options.h"
#include "slipstick/errors.h"
#include "slipstick/io/json/json.h"
#include "slipstick/io/ranges.h"
#include "slipstick/paradox.h"
#include "uncertain_options.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct CriticalFrictionOptions {
  ModelOptions model;
  OutputOptions output;
  std::vector<std::string> over;
  UncertainOptions uncertain;
};

/// What the mechanism can meet in the model's own range, with that of `over` in its place.
std::string describe_in_range(const LoadedModel& loaded, const std::vector<CoordinateRange>& over,
                              const std::optional<CriticalFriction>& in_range) {
  if (loaded.range.empty()) return "";
  const std::string out = "in the model's range (" +
                          describe_shapes(*loaded.model, replace_ranges(loaded.range, over)) +
                          ")\n";
  if (!in_range) return out + "  the contacts close nowhere\n\n";
  return out + describe_frictions(*loaded.model, *in_range) + "\n";
}

std::string describe(const LoadedModel& loaded, const ParadoxProblem& problem,
                     const CriticalFriction& critical, const std::string& in_range) {
  const Model& model = *loaded.model;
  std::string out = fmt::format("{}: {}\n\n{}", model.name, model.title, in_range);
  if (!in_range.empty()) out += "without it\n";
  if (!std::isfinite(critical.scale)) {
    return out +
           "never: no friction makes sliding at these contacts paradoxical (they have no "
           "friction, or friction does not act on the gap)\n";
  }
  for (std::size_t i = 0; i < problem.sliding.size(); ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(problem.sliding[i].contact)];
    const double mu = critical.friction[i];
    if (mu == 0.0) continue;
    out += fmt::format("mu_min of {:<10} {:.12g}   (slip {})\n", contact.name, critical.scale * mu,
                       critical.slip_signs[i] > 0.0 ? "+t" : "-t");
    if (critical.jam_scale) {
      out += fmt::format("mu_jam of {:<10} {:.12g}   (unbounded force)\n", contact.name,
                         *critical.jam_scale * mu);
    }
  }
  if (!critical.jam_scale) out += fmt::format("no mu_jam: {}\n", critical.no_jam.sentence);
  out += "at\n";
  for (int i = 0; i < model.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    out += fmt::format("  {:<10} {:.10g}", model.coordinates[k], critical.at[i]);
    if (model.tree.elements[k].is_angle) {
      out += fmt::format("   ({:.6f} deg)", critical.at[i] * 180.0 / std::numbers::pi);
    }
    out += "\n";
  }
  return out;
}

/// The friction of the contact with the largest, as a number.
Outcome find_mu_min(const LoadedModel& loaded, const std::vector<CoordinateRange>& over) {
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kInitial, Tolerances{});
  const std::optional<CriticalFriction> critical = find_critical_friction(problem, over);
  Outcome out;
  out.label =
      !critical ? "contacts cannot close" : (std::isfinite(critical->scale) ? "number" : "never");
  if (out.label == "number") {
    out.number =
        critical->scale * *std::max_element(critical->friction.begin(), critical->friction.end());
  }
  return out;
}

int run_critical_friction(const CriticalFrictionOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  check_uncertain(loaded, options.uncertain);
  const std::vector<CoordinateRange> over = parse_coordinate_ranges(loaded, "--over", options.over);
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kInitial, Tolerances{});
  const std::optional<CriticalFriction> critical = find_critical_friction(problem, over);
  if (!critical) {
    throw InputError("--over",
                     "expected configurations in which the contacts close, got none in "
                     "this box");
  }
  std::optional<CriticalFriction> in_range;
  if (!loaded.range.empty()) in_range = find_reachable_friction(problem, loaded.range, over);
  State at = loaded.initial;
  if (std::isfinite(critical->scale)) at.q = critical->at;
  Result result{
      loaded.model->name + "-critical-friction", "critical-friction.json",
      make_critical_friction_json(loaded, problem, *critical, in_range ? &*in_range : nullptr),
      describe(loaded, problem, *critical, describe_in_range(loaded, over, in_range)),
      make_still(loaded, at)};
  const int code = add_shares(
      loaded, options.uncertain,
      [&over](const LoadedModel& drawn, std::span<const double>) {
        return find_mu_min(drawn, over);
      },
      result);
  print_result(options.output, std::move(result));
  return code;
}

}  // namespace

void add_critical_friction_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<CriticalFrictionOptions>();
  CLI::App* verb = app.add_subcommand(
      "critical-friction", "the smallest friction at which the paradox is possible, and where");
  add_model_options(*verb, options->model);
  verb->add_option("--over", options->over,
                   "COORD=A:B: search this range (default: one turn per angle); repeatable")
      ->allow_extra_args(false)
      ->type_name("C=A:B");
  add_uncertain_options(*verb, options->uncertain);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick critical-friction compass-biped\n"
      "  slipstick critical-friction rimless-wheel --uncertain kappa=0.019:0.021");
  verb->callback([options, &run] { run = [options] { return run_critical_friction(*options); }; });
}

}  // namespace slipstick::cli
