#include "slipstick/io/model/scope.h"

#include <cmath>
#include <utility>

#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"

namespace slipstick {

void Scope::define(const std::string& name, Definition definition) {
  entries_[name] = {std::move(definition), std::nullopt, std::nullopt, false};
}

void Scope::withhold(const std::string& name, std::string reason) {
  entries_[name] = {{}, std::move(reason), std::nullopt, false};
}

const Definition& Scope::definition(const std::string& name) const {
  return entries_.at(name).definition;
}

double Scope::eval_name(const std::string& name) {
  Entry& entry = entries_.at(name);
  if (entry.value) return *entry.value;
  const std::string& where = entry.definition.where;
  if (entry.being_evaluated) {
    throw InputError(where, "expected a value, got a cycle: '" + name + "' depends on itself");
  }
  if (depth_ >= kMaxDepth) {
    throw InputError(where, "expected at most " + std::to_string(kMaxDepth) +
                                " values that build on each other, got a longer chain at '" + name +
                                "'");
  }
  entry.being_evaluated = true;
  ++depth_;
  entry.value = eval(entry.definition);
  --depth_;
  entry.being_evaluated = false;
  return *entry.value;
}

double Scope::eval(const Definition& definition) {
  const auto place = [&definition] { return definition.where; };
  if (const double* number = std::get_if<double>(&definition.value))
    return check_finite(*number, place);
  return eval_text(std::get<std::string>(definition.value), place);
}

double Scope::check_finite(double number, const PlaceMaker& place) {
  if (std::isfinite(number)) return number;
  throw InputError(place(), std::string("expected a finite number, got ") +
                                (std::isnan(number) ? "nan" : "infinity"));
}

double Scope::eval_text(const std::string& text, const PlaceMaker& place) {
  const OpenExpression& formula = open_formula(text, place);
  std::vector<double> values;
  values.reserve(formula.names().size());
  for (const std::string& name : formula.names()) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      std::vector<std::string> known;
      for (const auto& entry : entries_) known.push_back(entry.first);
      throw InputError(place(), "expected known names in '" + text + "', got '" + name + "'" +
                                    make_suggestion(name, known));
    }
    if (found->second.withheld) {
      throw InputError(place(),
                       "cannot use '" + name + "' in '" + text + "': " + *found->second.withheld);
    }
    values.push_back(eval_name(name));
  }
  const double value = formula.eval(values);
  if (std::isfinite(value)) return value;
  throw InputError(place(), std::string("expected a finite number, got ") +
                                (std::isnan(value) ? "nan" : "infinity") + " from '" + text + "'");
}

const OpenExpression& Scope::open_formula(const std::string& text, const PlaceMaker& place) {
  if (known_ != nullptr) {
    const auto found = known_->open.find(text);
    if (found != known_->open.end()) return found->second;
  }
  const auto found = own_.open.find(text);
  if (found != own_.open.end()) return found->second;
  return own_.open.emplace(text, OpenExpression(place(), text)).first->second;
}

const BoundFunction* Scope::find_bound(const std::string& text) const {
  for (const Formulas* formulas : {known_.get(), &own_}) {
    if (formulas == nullptr) continue;
    const auto found = formulas->bound.find(text);
    if (found != formulas->bound.end()) return &found->second;
  }
  return nullptr;
}

void Scope::keep_bound(const std::string& text, BoundFunction function) {
  own_.bound.emplace(text, std::move(function));
}

}  // namespace slipstick
