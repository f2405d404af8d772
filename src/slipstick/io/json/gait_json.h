#pragma once

/// Gaits, their branches and slip maps as JSON and HDF5 (docs/formats.md).

#include <string>

#include "slipstick/gait_answer.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/model_file.h"

namespace slipstick {

[[nodiscard]] Json make_gait_json(const LoadedModel& loaded, const GaitAnswer& answer);

/// The branches and the slip map as arrays; at least one of them must exist.
[[nodiscard]] std::string make_gait_hdf5(const LoadedModel& loaded, const GaitAnswer& answer);

}  // namespace slipstick
