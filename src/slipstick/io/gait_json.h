#pragma once

/// Gaits, their branches and slip maps as JSON and HDF5 (docs/formats.md).

#include <optional>
#include <string>

#include "slipstick/analysis/gait/continuation.h"
#include "slipstick/analysis/gait/gait_report.h"
#include "slipstick/analysis/gait/slips.h"
#include "slipstick/io/model_file.h"

namespace slipstick {

/// What `gait` answers.
struct GaitAnswer {
  OrbitSearch search;
  GaitReport report;  ///< of the orbit, if there is one
  std::string parameter;
  std::optional<Branch> branch;   ///< over the parameter
  std::optional<Branch> doubled;  ///< the gait of twice the period that leaves it
  SlipGrid slips;
  std::optional<SlipMap> slip_map;  ///< of those slips
};

[[nodiscard]] std::string make_gait_json(const LoadedModel& loaded, const GaitAnswer& answer);

/// The branches and the slip map as arrays; there must be one of them.
[[nodiscard]] std::string make_gait_hdf5(const LoadedModel& loaded, const GaitAnswer& answer);

}  // namespace slipstick
