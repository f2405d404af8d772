#include "slipstick/io/scope.h"

#include <cmath>
#include <utility>

#include "slipstick/core/input_error.h"
#include "slipstick/core/nearest_name.h"

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
  const auto check = [&](double value, const std::string& shown) {
    if (!std::isfinite(value)) {
      throw InputError(definition.where, "expected a finite number, got " + shown);
    }
    return value;
  };
  if (const double* number = std::get_if<double>(&definition.value)) {
    return check(*number, std::isnan(*number) ? "nan" : "infinity");
  }
  const auto& text = std::get<std::string>(definition.value);
  Constants constants;
  for (const std::string& name : find_expression_names(definition.where, text)) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      std::vector<std::string> known;
      for (const auto& entry : entries_) known.push_back(entry.first);
      throw InputError(definition.where, "expected known names in '" + text + "', got '" + name +
                                             "'" + make_suggestion(name, known));
    }
    if (found->second.withheld) {
      throw InputError(definition.where,
                       "cannot use '" + name + "' in '" + text + "': " + *found->second.withheld);
    }
    constants[name] = eval_name(name);
  }
  const double value = Expression(definition.where, text, {}, constants).eval({});
  return check(value, (std::isnan(value) ? "nan from '" : "infinity from '") + text + "'");
}

}  // namespace slipstick
