#pragma once

/// A motion at one instant as a JSON value, and back: what is written and read again goes on to the
/// last bit as if it had not been.
///
///     HybridState at = make_start(model, initial, make_laws(options));
///     const Run first = simulate(model, at, options);         // until options.until
///     const std::string text = print(make_hybrid_state_json(at));
///     ...
///     HybridState later = parse_hybrid_state(model, "a file", Json::parse(text));
///     const Run second = simulate(model, later, longer_options);

#include <string>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {

[[nodiscard]] Json make_hybrid_state_json(const HybridState& at);

/// `where` names the document in messages. Throws InputError if it is none of such a model.
[[nodiscard]] HybridState parse_hybrid_state(const Model& model, const std::string& where,
                                             const Json& json);

}  // namespace slipstick
