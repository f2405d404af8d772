#include "slipstick/observe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "slipstick/analysis/observe/observation.h"
#include "slipstick/errors.h"
#include "slipstick/model/expression.h"
#include "slipstick/model/model.h"

namespace slipstick {
namespace {

/// Names of other columns of a trajectory.
std::vector<std::string> list_taken(const Model& model,
                                    const std::map<std::string, double>& parameters) {
  std::vector<std::string> out = MotionFormula::list_known(model);
  for (const auto& entry : parameters) out.push_back(entry.first);
  out.insert(out.end(), {"run", "modes"});
  for (const Contact& contact : model.contacts) {
    for (const char* what : {"p", "b", "centre_t", "centre_n"}) {
      out.push_back(fmt::format("{}_{}", what, contact.name));
    }
  }
  for (const char* of : {"loads", "surfaces", "impacts", "friction", "damping"}) {
    out.push_back(fmt::format("work_{}", of));
  }
  return out;
}

MotionFormula make_formula(const Model& model, const std::map<std::string, double>& parameters,
                           const Observable& observable) {
  return {model, parameters, observable.where, observable.expression};
}

}  // namespace

void check_observables(const Model& model, const std::map<std::string, double>& parameters,
                       std::span<const Observable> observables) {
  std::vector<std::string> taken = list_taken(model, parameters);
  for (const Observable& observable : observables) {
    if (!is_free_name(observable.name)) {
      throw InputError(observable.where,
                       "expected a name of letters, digits and '_' that is not one of the "
                       "expression language, got '" +
                           observable.name + "'");
    }
    if (std::count(taken.begin(), taken.end(), observable.name) > 0) {
      throw InputError(
          observable.where,
          "expected a name that no coordinate, parameter, quantity or other observable "
          "has, got '" +
              observable.name + "'");
    }
    taken.push_back(observable.name);
    const MotionFormula formula = make_formula(model, parameters, observable);
    if (formula.may_jump()) {
      throw InputError(observable.where,
                       "expected a formula that changes steadily with the motion, without "
                       "comparisons, '?:', sign, rint and atan2, got '" +
                           observable.expression + "'");
    }
    if (!formula.is_constant()) continue;
    const double value = formula.eval(model, {}, {});
    if (std::isfinite(value)) continue;
    throw InputError(observable.where, fmt::format("expected a finite number, got {} from '{}'",
                                                   value, observable.expression));
  }
}

void observe_tree(const Model& model, const std::map<std::string, double>& parameters,
                  std::span<const Observable> observables, double tolerance, RunTree& tree) {
  for (const Observable& observable : observables) {
    const MotionFormula formula = make_formula(model, parameters, observable);
    for (BranchRun& branch : tree.runs) {
      ObservableRecord& record = branch.run.observables.emplace_back();
      record.name = observable.name;
      record.expression = observable.expression;
      record.unit = observable.unit;
      Observation(model, formula, branch.run, tolerance).write(record);
    }
  }
}

ObservableRecord join_observed(const ObservableRecord& first, const ObservableRecord& second) {
  if (!first.undefined.empty()) return second;
  if (!second.undefined.empty()) return first;
  ObservableRecord out = first;
  out.events.insert(out.events.end(), second.events.begin(), second.events.end());
  if (second.least.value < out.least.value) out.least = second.least;
  if (second.largest.value > out.largest.value) out.largest = second.largest;
  out.end = second.end;
  return out;
}

}  // namespace slipstick
