#pragma once

/// Maps of verdicts as JSON and HDF5 (docs/formats.md).

#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/ranges.h"
#include "slipstick/model_file.h"
#include "slipstick/stability_map.h"

namespace slipstick {

[[nodiscard]] Json make_stability_map_json(const LoadedModel& loaded,
                                           const std::vector<ParameterRange>& axes,
                                           const StabilityMap& map);
[[nodiscard]] std::string make_stability_map_hdf5(const LoadedModel& loaded,
                                                  const std::vector<ParameterRange>& axes,
                                                  const StabilityMap& map);

}  // namespace slipstick
