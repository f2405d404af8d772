#pragma once

/// A condition at which a run ends: a comparison over coordinates, rates, contacts and time
/// (docs/model-format.md, Observables).
///
///     slipstick::SimulationOptions options;
///     options.condition = slipstick::make_condition(*block.model, {}, "--until", "x > 2");
///     options.until = 10.0;  // [s], if it is never true
///     const slipstick::Run run = slipstick::simulate(*block.model, block.initial, options);

#include <map>
#include <memory>
#include <string>

#include "slipstick/model.h"

namespace slipstick {

struct Condition;

/// True if a text compares something, so that it is a condition and not a number.
[[nodiscard]] bool is_condition(const std::string& text);

/// Throws InputError at `where` if the text is not a condition with <, <=, > or >=, or names
/// something unknown.
[[nodiscard]] std::shared_ptr<const Condition> make_condition(
    const Model& model, const std::map<std::string, double>& parameters, const std::string& where,
    const std::string& text);

/// Its text.
[[nodiscard]] const std::string& condition_text(const Condition& condition);

}  // namespace slipstick
