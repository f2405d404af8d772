#pragma once

/// The keys `from` and `prevent` of `jam` (docs/formats.md).

#include "slipstick/io/jam_questions.h"
#include "slipstick/io/json/json_parts.h"

namespace slipstick {

[[nodiscard]] Json make_jam_set_json(const LoadedModel& loaded, const JamSet& set);
[[nodiscard]] Json make_prevention_json(const PreventionAnswer& answer);

}  // namespace slipstick
