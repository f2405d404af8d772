#pragma once

/// The answer of `jam` as JSON (docs/formats.md).

#include "slipstick/io/json/json_parts.h"
#include "slipstick/jam.h"
#include "slipstick/model_file.h"

namespace slipstick {

[[nodiscard]] Json make_jam_json(const LoadedModel& loaded, const JamAnswer& answer);

/// The same keys without an answer: the state does not slide.
[[nodiscard]] Json make_resting_jam_json(const LoadedModel& loaded);

}  // namespace slipstick
