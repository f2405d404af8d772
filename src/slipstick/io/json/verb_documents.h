#pragma once

/// The documents of verbs that need no more than a model, for questions about one of their values.

#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/model_file.h"
#include "slipstick/run.h"

namespace slipstick {

/// The verbs, in the order of their names.
[[nodiscard]] const std::vector<std::string>& list_document_verbs();

/// The document that `slipstick VERB MODEL --json` prints, without its check and observables.
/// `options` are those of motions. Throws InputError for a model that the verb does not take.
[[nodiscard]] Json make_verb_document(const std::string& verb, const LoadedModel& loaded,
                                      const SimulationOptions& options);

}  // namespace slipstick
