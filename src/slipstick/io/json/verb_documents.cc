#include "slipstick/io/json/verb_documents.h"

#include <array>
#include <optional>
#include <string_view>

#include "slipstick/classify.h"
#include "slipstick/critical_friction.h"
#include "slipstick/errors.h"
#include "slipstick/gait_answer.h"
#include "slipstick/impact_outcomes.h"
#include "slipstick/io/json/gait_json.h"
#include "slipstick/io/json/impact_json.h"
#include "slipstick/io/json/jam_json.h"
#include "slipstick/io/json/json.h"
#include "slipstick/io/json/run_json.h"
#include "slipstick/io/json/stability_json.h"
#include "slipstick/paradox.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

Json answer_classify(const LoadedModel& loaded, const SimulationOptions&) {
  return make_classify_json(loaded, classify(*loaded.model, loaded.initial, Tolerances{}));
}

Json answer_critical_friction(const LoadedModel& loaded, const SimulationOptions&) {
  const ParadoxProblem problem = make_paradox_problem(
      *loaded.model, loaded.initial, loaded.closings, SlipDirection::kInitial, Tolerances{});
  const auto critical = find_critical_friction(problem, {});
  if (!critical) {
    throw InputError("model '" + loaded.model->name + "'",
                     "expected configurations in which the contacts close, got none");
  }
  std::optional<CriticalFriction> in_range;
  if (!loaded.range.empty()) in_range = find_reachable_friction(problem, loaded.range, {});
  return make_critical_friction_json(loaded, problem, *critical, in_range ? &*in_range : nullptr);
}

Json answer_gait(const LoadedModel& loaded, const SimulationOptions& options) {
  GaitQuestion question;
  question.gait.simulation = options;
  question.checks = false;
  return make_gait_json(loaded, find_gait({loaded.model, loaded.initial}, question));
}

/// Under the law of the motions, if they have one; else under each.
Json answer_impact(const LoadedModel& loaded, const SimulationOptions& options) {
  ImpactQuestion question;
  if (options.law) question.laws.push_back(*options.law);
  return make_impact_json(loaded, find_impact_outcomes(*loaded.model, loaded.initial, question));
}

Json answer_jam(const LoadedModel& loaded, const SimulationOptions& options) {
  return make_jam_json(loaded, find_jam_answer(*loaded.model, loaded.initial, loaded.closings,
                                               {options, loaded.range}, {}));
}

Json answer_simulate(const LoadedModel& loaded, const SimulationOptions& options) {
  return make_run_document(*loaded.model, simulate_tree(*loaded.model, loaded.initial, options));
}

Json answer_stability(const LoadedModel& loaded, const SimulationOptions&) {
  const Tolerances tolerances;
  const TwoContactBody body = make_two_contact_body(*loaded.model, loaded.initial, tolerances);
  return make_stability_json(loaded, make_stability_report(body, {}, tolerances));
}

struct DocumentVerb {
  std::string_view name;
  Json (*answer)(const LoadedModel&, const SimulationOptions&);
};
constexpr std::array kVerbs{DocumentVerb{"classify", answer_classify},
                            DocumentVerb{"critical-friction", answer_critical_friction},
                            DocumentVerb{"gait", answer_gait},
                            DocumentVerb{"impact", answer_impact},
                            DocumentVerb{"jam", answer_jam},
                            DocumentVerb{"simulate", answer_simulate},
                            DocumentVerb{"stability", answer_stability}};

}  // namespace

const std::vector<std::string>& list_document_verbs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const DocumentVerb& verb : kVerbs) out.emplace_back(verb.name);
    return out;
  }();
  return names;
}

Json make_verb_document(const std::string& verb, const LoadedModel& loaded,
                        const SimulationOptions& options) {
  for (const DocumentVerb& known : kVerbs) {
    if (known.name == verb) return known.answer(loaded, options);
  }
  throw InputError("'" + verb + "'", "expected a verb with a document, got another");
}

}  // namespace slipstick
