#include "slipstick/classify.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "options.h"
#include "slipstick/check.h"
#include "slipstick/io/json/json.h"
#include "slipstick/mode_letters.h"
#include "slipstick/outcomes.h"
#include "uncertain_options.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct ClassifyOptions {
  ModelOptions model;
  OutputOptions output;
  UncertainOptions uncertain;
};

std::string describe_state(const LoadedModel& loaded) {
  std::string out;
  for (const Setting& value : loaded.initial_values) {
    out += fmt::format("  {} = {:.10g}", value.name, value.value);
  }
  return out;
}

std::string describe_contacts(const Model& model, const Classification& answer) {
  std::string out = fmt::format("\n{:<10} {:<9} {:>14} {:>14} {:>14} {:>14} {:>14}\n", "contact",
                                "status", "gap", "gap rate", "slip", "p", "b");
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    std::string p = "-";
    std::string b = "-";
    for (const SlidingTerms& terms : answer.sliding.contacts) {
      if (terms.contact != i) continue;
      p = fmt::format("{:.8g}", terms.p);
      b = fmt::format("{:.8g}", terms.b);
    }
    out +=
        fmt::format("{:<10} {:<9} {:>14.6g} {:>14.6g} {:>14.8g} {:>14} {:>14}\n",
                    model.contacts[k].name, status_name(answer.status[k]), answer.kinematics.gap[i],
                    answer.kinematics.gap_rate[i], answer.kinematics.slip[i], p, b);
  }
  return out;
}

std::string describe_class(const Model& model, const Classification& answer) {
  if (const std::vector<int> colliding = answer.list_colliding(); !colliding.empty()) {
    std::string names;
    for (const int i : colliding) {
      names += (names.empty() ? "" : ", ") + model.contact_names[static_cast<std::size_t>(i)];
    }
    return fmt::format(
        "colliding: {} closing at its surface, so an impact comes first (see `slipstick impact`)\n"
        "the solutions below leave {} out",
        names + (colliding.size() == 1 ? " is" : " are"), colliding.size() == 1 ? "it" : "them");
  }
  switch (answer.contact_class) {
    case ContactClass::kConsistent:
      return "consistent: one continuation";
    case ContactClass::kIndeterminate:
      return answer.solutions.size() == 1
                 ? "indeterminate: a family of accelerations satisfies the laws"
                 : fmt::format("indeterminate: {} continuations satisfy the laws",
                               answer.solutions.size());
    case ContactClass::kInconsistent:
      break;
  }
  return "inconsistent: no contact force satisfies the laws; only an impulse can continue the "
         "motion";
}

std::string describe_range(const Range& range) {
  return fmt::format("[{:.8g}, {:.8g}]", range.first, range.second);
}

std::string describe_solution(const Model& model, const ModeSolution& solution) {
  std::string out = "\n" + to_letters(solution.modes);
  if (solution.family.dimension > 0) {
    out += fmt::format("  forces not unique: a family of dimension {}; one member, and its range",
                       solution.family.dimension);
  }
  out += "\n";
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (!is_closed(solution.modes[k])) continue;
    out += fmt::format("  {:<10} f_n = {:<16.10g} f_t = {:.10g}", model.contacts[k].name,
                       solution.force_n[i], solution.force_t[i]);
    if (solution.family.dimension > 0) {
      out += "  f_n in " + describe_range(solution.family.force_n[k]) + ", f_t in " +
             describe_range(solution.family.force_t[k]);
    }
    out += "\n";
  }
  for (int i = 0; i < model.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    out += fmt::format("  {:<10} {:.10g}", model.coordinates[k] + "''", solution.acceleration[i]);
    if (!solution.family.acceleration_is_unique) {
      out += "  in " + describe_range(solution.family.acceleration[k]);
    }
    out += "\n";
  }
  return out;
}

std::string describe_matrix(const Sliding& sliding) {
  std::string out = "\nP of the sliding contacts [1/kg]";
  if (sliding.p_matrix) out += *sliding.p_matrix ? ", a P-matrix" : ", not a P-matrix";
  out += "\n";
  for (Eigen::Index i = 0; i < sliding.P.rows(); ++i) {
    for (Eigen::Index j = 0; j < sliding.P.cols(); ++j) {
      out += fmt::format("  {:14.8g}", sliding.P(i, j));
    }
    out += "\n";
  }
  return out;
}

std::string describe(const LoadedModel& loaded, const Classification& answer) {
  const Model& model = *loaded.model;
  std::string out = fmt::format("{}: {}\n{}\n", model.name, model.title, describe_state(loaded));
  out += describe_contacts(model, answer) + "\n" + describe_class(model, answer) + "\n";
  for (const ModeSolution& solution : answer.solutions) out += describe_solution(model, solution);
  if (answer.sliding.contacts.size() > 1) out += describe_matrix(answer.sliding);
  if (!answer.marginal.empty()) {
    out += fmt::format("\nmarginal (at zero within tolerance): {}\n",
                       fmt::join(answer.marginal, "; "));
  }
  return out;
}

/// Empty, unless a solution breaks a law.
std::string describe_failure(const Model& model, const Check& check) {
  return check.passed ? "" : "\n" + describe_check(model, check) + "\n";
}

int run_classify(const ClassifyOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  check_uncertain(loaded, options.uncertain);
  const Classification answer = classify(*loaded.model, loaded.initial, Tolerances{});
  const Check check = check_solutions(*loaded.model, loaded.initial, answer.solutions);
  Result result{loaded.model->name + "-classify", "classify.json",
                make_classify_json(loaded, answer, check),
                describe(loaded, answer) + describe_failure(*loaded.model, check),
                make_still(loaded, loaded.initial)};
  const int code = add_shares(
      loaded, options.uncertain,
      [](const LoadedModel& drawn, std::span<const double>) {
        return find_class_outcome(*drawn.model, drawn.initial);
      },
      result);
  print_result(options.output, std::move(result));
  return check.passed ? code : kNumerics;
}

}  // namespace

void add_classify_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<ClassifyOptions>();
  CLI::App* verb = app.add_subcommand(
      "classify", "the contact problem at one state: every admissible solution, none or several");
  add_model_options(*verb, options->model);
  add_uncertain_options(*verb, options->uncertain);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick classify two-link-rail --set theta1=25*deg --set mu=0.3\n"
      "  slipstick classify two-link-rail --uncertain theta1=20*deg:30*deg");
  verb->callback([options, &run] { run = [options] { return run_classify(*options); }; });
}

}  // namespace slipstick::cli
