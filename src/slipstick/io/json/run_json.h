#pragma once

/// A run as JSON values, and back.

#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/run.h"

namespace slipstick {

/// The document of `simulate --json`.
[[nodiscard]] Json make_run_document(const Model& model, const RunTree& tree);

/// What was found of observables, and back from its text.
[[nodiscard]] Json make_observables(const std::vector<ObservableRecord>& observables);
[[nodiscard]] std::vector<ObservableRecord> parse_observables(const std::string& where,
                                                              const std::string& text);

/// The keys `check` and `balance`.
[[nodiscard]] Json make_verdict(const Model& model, const RunVerdict& verdict);
[[nodiscard]] Json make_check(const Model& model, const Check& check);

[[nodiscard]] Json make_impulse_family(const Model& model, const ImpulseFamily& family);
[[nodiscard]] Json make_event(const Model& model, const Event& event);
/// Throws InputError unless the text has a letter F, S, P or N per contact.
[[nodiscard]] ModeWord parse_mode_word(const std::string& where, const Model& model,
                                       const std::string& letters);

/// Back from the text of a verdict's document. `where` names its place in messages. Throws
/// InputError.
[[nodiscard]] RunVerdict parse_verdict(const Model& model, const std::string& where,
                                       const std::string& text);
/// The inverse of make_event, without ImpactRecord::work, which no document has. `where` names the
/// event in messages. Throws InputError.
[[nodiscard]] Event parse_event(const Model& model, const std::string& where, const Json& json);

}  // namespace slipstick
