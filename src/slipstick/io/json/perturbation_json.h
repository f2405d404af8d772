#pragma once

/// Perturbations of a gait as JSON and HDF5 (docs/formats.md).

#include "slipstick/gait_answer.h"
#include "slipstick/io/hdf5/hdf5_parts.h"
#include "slipstick/io/json/json_parts.h"

namespace slipstick {

/// The key `perturbation` of a gait with a perturbation map.
[[nodiscard]] Json make_perturbation(const Model& model, const GaitAnswer& answer);
void write_perturbation(const GaitAnswer& answer, Hdf5Group group);

}  // namespace slipstick
