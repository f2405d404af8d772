#pragma once

/// A simulated run as a JSON document, and its table part by part (docs/formats.md).

#include <optional>

#include "slipstick/io/byte_sink.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/tables.h"

namespace slipstick {

/// With the trajectory's columns if `trajectory` is given.
[[nodiscard]] Json make_run_json(const LoadedModel& loaded, const RunTree& tree,
                                 const std::optional<TableOptions>& trajectory = {});

/// make_trajectory_csv() part by part.
void write_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                          const TableOptions& options, const ByteSink& sink);

}  // namespace slipstick
