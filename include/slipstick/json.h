#pragma once

/// Answers as JSON documents, the same text that the program prints with --json (docs/formats.md).
/// Numbers are printed so that reading them back gives the same double.
///
///     const auto answer = slipstick::classify(*bar.model, bar.initial, {});
///     std::cout << slipstick::make_json_text(bar, answer);

#include <string>

#include "slipstick/classify.h"
#include "slipstick/critical_friction.h"
#include "slipstick/gait_answer.h"
#include "slipstick/impact_outcomes.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"
#include "slipstick/run.h"
#include "slipstick/stability.h"

namespace slipstick {

/// The document of `classify`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const Classification& answer);
/// The document of `simulate`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const RunTree& tree);
/// The document of `paradox --along`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const CoordinateRange& along,
                                         const ParadoxAlong& answer);
/// The document of `paradox --map`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const MapAxis& first,
                                         const MapAxis& second, const ParadoxMap& map);
/// The document of `critical-friction`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const ParadoxProblem& problem,
                                         const CriticalFriction& answer);
/// The document of `stability`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const StabilityReport& report);
/// The document of `gait`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const GaitAnswer& answer);
/// The document of `impact`.
[[nodiscard]] std::string make_json_text(const LoadedModel& loaded, const ImpactAnswer& answer);

}  // namespace slipstick
