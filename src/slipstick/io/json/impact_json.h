#pragma once

/// The document of `impact`, and impulses as JSON values.

#include "slipstick/impact_outcomes.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/model_file.h"

namespace slipstick {

[[nodiscard]] Json make_impact_json(const LoadedModel& loaded, const ImpactAnswer& answer);

[[nodiscard]] Json make_impulse_family(const Model& model, const ImpulseFamily& family);

}  // namespace slipstick
