#include "slipstick/io/model/run_formulas.h"

#include <algorithm>
#include <vector>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/model/expression.h"
#include "slipstick/model/model.h"
#include "slipstick/observe.h"

namespace slipstick {

std::map<std::string, double> list_parameters(const LoadedModel& loaded) {
  std::map<std::string, double> out;
  for (const Setting& setting : loaded.parameters) out[setting.name] = setting.value;
  return out;
}

double eval_with_parameters(const LoadedModel& loaded, const std::string& where,
                            const std::string& text) {
  const std::map<std::string, double> parameters = list_parameters(loaded);
  const std::vector<std::string> motion = make_variable_names(loaded.model->coordinates);
  for (const std::string& name : find_expression_names(where, text)) {
    if (parameters.contains(name)) continue;
    if (std::count(motion.begin(), motion.end(), name) > 0) {
      throw InputError(where, "expected a number, or a condition with a comparison such as '" +
                                  name + " > 2', got '" + text + "', which changes with time");
    }
    std::vector<std::string> known;
    for (const auto& entry : parameters) known.push_back(entry.first);
    throw InputError(where, "expected parameters of the model in '" + text + "', got '" + name +
                                "'" + make_suggestion(name, known));
  }
  return Expression(where, text, {}, parameters).eval({});
}

Observable parse_observable(const std::string& where, const std::string& text) {
  const auto trim = [](const std::string& part) {
    const auto from = part.find_first_not_of(" \t");
    const auto to = part.find_last_not_of(" \t");
    return from == std::string::npos ? std::string() : part.substr(from, to - from + 1);
  };
  const auto equals = text.find('=');
  if (equals == std::string::npos || trim(text.substr(0, equals)).empty()) {
    throw InputError(where, "expected NAME = EXPR, got '" + text + "'");
  }
  const std::string name = trim(text.substr(0, equals));
  return {where + " " + name, name, trim(text.substr(equals + 1)), ""};
}

void add_observables(LoadedModel& loaded, const std::vector<Observable>& observables) {
  loaded.observables.insert(loaded.observables.end(), observables.begin(), observables.end());
  check_observables(*loaded.model, list_parameters(loaded), loaded.observables);
}

void observe(const LoadedModel& loaded, double tolerance, RunTree& tree) {
  observe_tree(*loaded.model, list_parameters(loaded), loaded.observables, tolerance, tree);
}

ObservableRows make_observable_rows(const LoadedModel& loaded) {
  return {*loaded.model, list_parameters(loaded), loaded.observables};
}

}  // namespace slipstick
