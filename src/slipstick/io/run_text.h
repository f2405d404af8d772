#pragma once

/// A simulated run as text (docs/formats.md): JSON document, event lines, trajectory table.

#include <optional>
#include <string>

#include "slipstick/io/model_file.h"
#include "slipstick/sim/run.h"

namespace slipstick {

[[nodiscard]] std::string make_run_json(const LoadedModel& loaded, const Run& run);

/// One JSON object per line and event.
[[nodiscard]] std::string make_event_lines(const LoadedModel& loaded, const Run& run);

/// CSV: time, coordinates, rates, modes, then gap, slip and forces of every contact, and kinetic
/// energy. Rows every `sample` seconds from the start and at the end; without it several per step
/// of the integration, and two at every event: before and after it.
[[nodiscard]] std::string make_trajectory_csv(const LoadedModel& loaded, const Run& run,
                                              std::optional<double> sample);

}  // namespace slipstick
