#pragma once

/// A simulated run as text (docs/formats.md): JSON document, event lines, trajectory table.

#include <optional>
#include <string>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/model/model_file.h"
#include "slipstick/sim/run.h"

namespace slipstick {

/// Time, coordinates, rates, modes, then gap, slip and forces of every contact, and kinetic energy.
/// Rows every `sample` seconds from the start and at the end; without it several per step of the
/// integration, and two at every event: before and after it. Of a tree the first column is the
/// number of the run.
struct TableOptions {
  std::optional<double> sample;  ///< [s]
  bool centres = false;          ///< also where the acceleration centre of every closed contact's
                                 ///< body is, seen from the contact
  bool accelerations = false;    ///< also of the coordinates
};

/// With the trajectory's columns if `trajectory` says which.
[[nodiscard]] Json make_run_json(const LoadedModel& loaded, const RunTree& tree,
                                 const std::optional<TableOptions>& trajectory = {});

/// One JSON object per line and event; of a tree with the number of its run.
[[nodiscard]] std::string make_event_lines(const LoadedModel& loaded, const RunTree& tree);
[[nodiscard]] std::string make_event_lines(const LoadedModel& loaded, const Run& run);

[[nodiscard]] std::string make_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                                              const TableOptions& options);
void write_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                          const TableOptions& options, const ByteSink& sink);

}  // namespace slipstick
