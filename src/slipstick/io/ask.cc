#include "slipstick/io/ask.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "slipstick/analysis/outcomes/decisions.h"
#include "slipstick/core/is_tenth.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/jam_questions.h"
#include "slipstick/io/json/verb_documents.h"

namespace slipstick {
namespace {

constexpr const char* kNumber = "number";

/// The verbs that have a label of their own.
const std::vector<std::string>& list_label_verbs() {
  static const std::vector<std::string> verbs{"simulate", "classify", "stability", "gait", "jam"};
  return verbs;
}

/// What is asked of a verb that has no label of its own, unless a key says so.
const std::map<std::string, std::string>& list_usual_keys() {
  static const std::map<std::string, std::string> keys{{"critical-friction", "/mu_min"}};
  return keys;
}

bool has_label(const std::string& verb) {
  const auto& verbs = list_label_verbs();
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

/// The keys of a document that a pointer could go on to.
std::string list_keys(const Json& document) {
  std::string out;
  for (const auto& [key, value] : document.items()) out += (out.empty() ? "/" : ", /") + key;
  return out;
}

Outcome make_value_outcome(const std::string& key, const Json& document) {
  const Json::json_pointer pointer(key);
  // A part of an answer that is missing here, as the state of a gait where there is none.
  const Json value = document.contains(pointer) ? document.at(pointer) : Json(nullptr);
  Outcome out;
  out.tolerance = find_state_tolerance();  // of any verb: nothing is known about the value
  // An empty label says that the work was stopped, so an empty text keeps its quotes.
  const bool is_text = value.is_string() && !value.get_ref<const std::string&>().empty();
  out.label = is_text ? value.get<std::string>() : value.dump();
  if (value.is_number()) {
    out.label = kNumber;
    out.number = value.get<double>();
  }
  return out;
}

void check_key(const Ask& ask, const LoadedModel& loaded) {
  const std::string where = "--key " + ask.key;
  Json::json_pointer pointer;
  try {
    pointer = Json::json_pointer(ask.key);
  } catch (const Json::exception&) {
    throw InputError(where, "expected a pointer such as /end/reason, got '" + ask.key + "'");
  }
  const Json document = make_verb_document(ask.verb, loaded, ask.options);
  if (!document.contains(pointer)) {
    throw InputError(where, fmt::format("expected a value of {}'s document ({}), got none there",
                                        ask.verb, list_keys(document)));
  }
  const Json& value = document.at(pointer);
  if (value.is_structured()) {
    throw InputError(where, fmt::format("expected a single value, got {} with {} entries",
                                        value.is_array() ? "a list" : "an object", value.size()));
  }
}

Outcome answer_by_label(const Ask& ask, const LoadedModel& loaded) {
  const Model& model = *loaded.model;
  if (ask.verb == "classify") return find_class_outcome(model, loaded.initial);
  if (ask.verb == "stability") return find_stability_outcome(model, loaded.initial);
  if (ask.verb == "gait") return find_gait_outcome(model, loaded.initial, ask.options);
  if (ask.verb == "jam") return find_jam_outcome(loaded, {ask.options, loaded.range});
  return find_run_outcome(model, loaded.initial, ask.options, ask.run);
}

}  // namespace

Ask check_ask(Ask ask, const LoadedModel& loaded) {
  std::vector<std::string> known = list_label_verbs();
  for (const std::string& verb : list_document_verbs()) {
    if (!has_label(verb)) known.push_back(verb);
  }
  if (std::find(known.begin(), known.end(), ask.verb) == known.end()) {
    throw InputError("--of " + ask.verb,
                     fmt::format("expected one of {}, got '{}'{}", fmt::join(known, ", "), ask.verb,
                                 make_suggestion(ask.verb, known)));
  }
  if (ask.key.empty() && !has_label(ask.verb)) {
    const auto usual = list_usual_keys().find(ask.verb);
    if (usual == list_usual_keys().end()) {
      throw InputError("--of " + ask.verb, "expected --key with it, got none");
    }
    ask.key = usual->second;
  }
  if (ask.verb == "gait" && (!loaded.model->gait || loaded.model->depends_on_time)) {
    throw InputError("--of gait",
                     "expected a model with a table [gait] and loads that do not depend on time, "
                     "got model '" +
                         loaded.model->name + "'");
  }
  // The label itself, without the searches of the whole document.
  if (ask.verb == "jam" && ask.key == "/outcome") ask.key.clear();
  if (!ask.key.empty()) check_key(ask, loaded);
  return ask;
}

Outcome answer_ask(const Ask& ask, const LoadedModel& loaded) {
  return find_or_refuse([&] {
    if (ask.key.empty()) return answer_by_label(ask, loaded);
    return make_value_outcome(ask.key, make_verb_document(ask.verb, loaded, ask.options));
  });
}

std::function<Outcome(std::span<const double>)> make_asker(Ask ask, LoadedModel loaded,
                                                           std::vector<std::string> names) {
  return [ask = std::move(ask), loaded = std::move(loaded),
          names = std::move(names)](std::span<const double> values) -> Outcome {
    return find_or_refuse([&] {
      const LoadedModel other = make_with_parameters(loaded, names, values);
      Ask here = ask;
      if (ask.make_options) here.options = ask.make_options(other);
      here.run.checks = ask.run.checks && is_tenth(values);
      return answer_ask(here, other);
    });
  };
}

}  // namespace slipstick
