#pragma once

/// The document of `impact`.

#include "slipstick/impact_outcomes.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/model_file.h"

namespace slipstick {

[[nodiscard]] Json make_impact_json(const LoadedModel& loaded, const ImpactAnswer& answer);

}  // namespace slipstick
