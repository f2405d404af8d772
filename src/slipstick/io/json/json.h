#pragma once

/// Results as JSON values (docs/formats.md), which become text where they are written.

#include <span>

#include "slipstick/classify.h"
#include "slipstick/critical_friction.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"
#include "slipstick/verdict.h"

namespace slipstick {

[[nodiscard]] Json make_classify_json(const LoadedModel& loaded,
                                      const Classification& classification,
                                      const Check& check = {});
/// Ends by the coordinates' names.
[[nodiscard]] Json make_coordinate_ranges(const Model& model,
                                          const std::vector<CoordinateRange>& range);
[[nodiscard]] Json make_models_json(std::span<const LoadedModel> models);

[[nodiscard]] Json make_along_json(const LoadedModel& loaded, const CoordinateRange& along,
                                   const ParadoxAlong& result);
[[nodiscard]] Json make_map_json(const LoadedModel& loaded, const MapAxis& first,
                                 const MapAxis& second, const ParadoxMap& map,
                                 bool with_regions = true);
[[nodiscard]] Json make_critical_friction_json(const LoadedModel& loaded,
                                               const ParadoxProblem& problem,
                                               const CriticalFriction& critical,
                                               const CriticalFriction* in_range = nullptr);
/// Its keys `mu_min` and `mu_jam`, with where and why not.
[[nodiscard]] Json make_friction_numbers(const Model& model, const CriticalFriction& critical);

/// "consistent", "indeterminate", "inconsistent", or "colliding" where an impact comes first.
[[nodiscard]] const char* class_name(const Classification& classification);
/// "inactive", "open", "colliding" or "closed".
[[nodiscard]] const char* status_name(ContactStatus status);

}  // namespace slipstick
