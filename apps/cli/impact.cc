#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "options.h"
#include "slipstick/check.h"
#include "slipstick/core/parse_word.h"
#include "slipstick/errors.h"
#include "slipstick/impact_outcomes.h"
#include "slipstick/io/json/impact_json.h"
#include "slipstick/mode_letters.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct ImpactOptions {
  ModelOptions model;
  OutputOptions output;
  std::vector<std::string> laws;
  std::string only;
};

ImpactQuestion read_question(const ImpactOptions& options, const Model& model) {
  ImpactQuestion out;
  for (const std::string& word : options.laws) {
    const auto law = parse_word<ImpactLaw>("--law", word, kImpactLaws);
    if (std::count(out.laws.begin(), out.laws.end(), law) > 0) {
      throw InputError("--law " + word, "expected each law once, got one twice");
    }
    out.laws.push_back(law);
  }
  if (options.only.empty()) return out;
  out.only = model.find_contact(options.only);
  if (*out.only < 0) {
    throw InputError("--only", fmt::format("expected a contact of the model ({}), got '{}'",
                                           fmt::join(model.contact_names, ", "), options.only));
  }
  return out;
}

std::string name_of(const Model& model, int contact) {
  return model.contact_names[static_cast<std::size_t>(contact)];
}

std::string list_names(const Model& model, const std::vector<int>& contacts) {
  std::string out;
  for (const int i : contacts) out += (out.empty() ? "" : ", ") + name_of(model, i);
  return out;
}

std::string describe_kind(const Model& model, const ImpactAnswer& answer) {
  const std::string names = list_names(model, answer.contacts);
  switch (answer.kind) {
    case ImpactKind::kCollision:
      return "a collision of " + names;
    case ImpactKind::kWithoutCollision:
      return "an impact without collision: friction drives in " + names;
    case ImpactKind::kJam:
      return "a jam (p = 0 within tolerance, the limit from below) of " + names;
    case ImpactKind::kNone:
      break;
  }
  return "no impact: " + answer.why.sentence;
}

/// " in [a, b]"
std::string describe_ends(const Range& range) {
  return fmt::format(" in [{:.8g}, {:.8g}]", range.first, range.second);
}

std::string describe_impulses(const Model& model, const LawOutcome& outcome) {
  const ImpactRecord& record = outcome.record;
  std::string out;
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool named = std::count(outcome.contacts.begin(), outcome.contacts.end(), i) > 0;
    if (!named && record.impulse_n[i] == 0.0) continue;
    const auto tell = [&](double value, const std::vector<Range> ImpulseFamily::*ranges) {
      return fmt::format("{:.10g}", value) +
             (record.family ? describe_ends(((*record.family).*ranges)[k]) : "");
    };
    out += fmt::format("    {:<12} P_n = {}, P_t = {} N s\n", name_of(model, i),
                       tell(record.impulse_n[i], &ImpulseFamily::impulse_n),
                       tell(record.impulse_t[i], &ImpulseFamily::impulse_t));
  }
  return out;
}

std::string describe_velocities(const Model& model, const LawOutcome& outcome) {
  const ImpactRecord& record = outcome.record;
  const bool ranges = record.family && !record.family->velocity_is_unique;
  std::string out;
  for (int i = 0; i < model.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    out += fmt::format("    {:<12} {:.10g} -> {:.10g}{}\n", model.coordinates[k] + "'",
                       record.v_minus[i], outcome.after.v[i],
                       ranges ? describe_ends(record.family->velocity[k]) : "");
  }
  return out;
}

std::string describe_path(const Model& model, const LawOutcome& outcome) {
  std::string out;
  for (const ImpactPiece& piece : outcome.path) {
    out += fmt::format(
        "    {:<12} {:<10} {}   P_n by {:.8g} N s, then slip {:.8g} and gap rate {:.8g} m/s\n",
        find_word(kImpactPhases, piece.phase), name_of(model, piece.contact),
        to_letter(piece.motion), piece.impulse_n, piece.end.slip, piece.end.gap_rate);
  }
  return out;
}

std::string describe_outcome(const Model& model, const LawOutcome& outcome) {
  std::string out = fmt::format("  {} -> {}   kinetic energy {:.8g} -> {:.8g} J\n",
                                to_letters(outcome.modes_before), to_letters(outcome.modes_after),
                                outcome.energy_before, outcome.energy_after);
  if (outcome.record.family) {
    out += fmt::format("    a family of dimension {}: one member, and its ranges; {}\n",
                       outcome.record.family->dimension,
                       outcome.record.family->velocity_is_unique ? "the velocities are unique"
                                                                 : "the velocities are not unique");
  }
  if (outcome.largest_jump) {
    out +=
        fmt::format("    jump of the turn rate from 0 to {:.10g} rad/s\n", *outcome.largest_jump);
  }
  out += describe_impulses(model, outcome) + describe_velocities(model, outcome) +
         describe_path(model, outcome);
  for (const std::string& note : outcome.notes) out += "    note: " + note + "\n";
  return out;
}

/// The outcomes of one law.
std::vector<const LawOutcome*> list_outcomes(const ImpactAnswer& answer, ImpactLaw law) {
  std::vector<const LawOutcome*> out;
  for (const LawOutcome& outcome : answer.outcomes) {
    if (outcome.law == law) out.push_back(&outcome);
  }
  return out;
}

bool are_same(const std::vector<const LawOutcome*>& a, const std::vector<const LawOutcome*>& b) {
  const auto equal = [](const LawOutcome* x, const LawOutcome* y) {
    return x->modes_after == y->modes_after && are_equal(x->after.v, y->after.v) &&
           are_equal(x->record.impulse_n, y->record.impulse_n) &&
           are_equal(x->record.impulse_t, y->record.impulse_t);
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
}

std::string describe_law(const Model& model, const ImpactAnswer& answer, std::size_t index) {
  const LawAnswer& law = answer.laws[index];
  const std::string word(find_word(kImpactLaws, law.law));
  if (law.count == 0) return fmt::format("\n{}: none, {}\n", word, law.why.sentence);
  const auto outcomes = list_outcomes(answer, law.law);
  for (std::size_t i = 0; i < index; ++i) {
    if (are_same(outcomes, list_outcomes(answer, answer.laws[i].law))) {
      return fmt::format("\n{}: as {}\n", word, find_word(kImpactLaws, answer.laws[i].law));
    }
  }
  std::string out = fmt::format(
      "\n{}: {}\n", word, law.count == 1 ? "one outcome" : fmt::format("{} outcomes", law.count));
  for (const LawOutcome* outcome : outcomes) out += describe_outcome(model, *outcome);
  return out;
}

std::string describe(const LoadedModel& loaded, const ImpactAnswer& answer) {
  const Model& model = *loaded.model;
  std::string out = fmt::format("{}: {}\n", model.name, model.title);
  for (const Setting& value : loaded.initial_values) {
    out += fmt::format("  {} = {:.10g}", value.name, value.value);
  }
  out += "\n\n" + describe_kind(model, answer) + "\n";
  if (answer.only) {
    out += fmt::format("an impulse at {} alone, whatever other contacts feel\n",
                       name_of(model, *answer.only));
  }
  for (std::size_t i = 0; i < answer.laws.size(); ++i) out += describe_law(model, answer, i);
  if (!answer.check.passed) out += "\n" + describe_check(model, answer.check) + "\n";
  return out;
}

int run_impact(const ImpactOptions& options) {
  const LoadedModel loaded = read_model(options.model);
  const ImpactAnswer answer =
      find_impact_outcomes(*loaded.model, loaded.initial, read_question(options, *loaded.model));
  print_result(options.output,
               {loaded.model->name + "-impact", "impact.json", make_impact_json(loaded, answer),
                describe(loaded, answer), make_still(loaded, loaded.initial)});
  return answer.check.passed ? kAnswered : kNumerics;
}

}  // namespace

void add_impact_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<ImpactOptions>();
  CLI::App* verb = app.add_subcommand(
      "impact", "every outcome of one impact, law by law, with its path in impulse space");
  add_model_options(*verb, options->model);
  verb->add_option("--law", options->laws,
                   "only this law: inelastic, poisson, newton, stronge, fremond; repeatable")
      ->allow_extra_args(false)
      ->type_name("LAW");
  verb->add_option("--only", options->only,
                   "an impulse at this contact alone, whatever other contacts feel")
      ->type_name("CONTACT");
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n  slipstick impact bouncing-ball --set height=0 --set y_dot=-2\n"
      "  slipstick impact rimless-wheel --set theta=-0.15 --set theta_dot=0.631566164576 "
      "--set x_dot=0.05 --set e=0.3");
  verb->callback([options, &run] { run = [options] { return run_impact(*options); }; });
}

}  // namespace slipstick::cli
