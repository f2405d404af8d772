#pragma once

#include <span>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/run_rows.h"

namespace slipstick {

/// The regions of the Coulomb cases in the planes of an angle and its rate, where they are
/// functions of these two alone, for the slip that comes first in the motion (docs/formats.md). A
/// plane whose map cannot be computed is left out, with a sentence in `notices`.
[[nodiscard]] Json make_phase_regions(const Model& model, std::span<const MotionRows> runs,
                                      std::vector<std::string>& notices);

}  // namespace slipstick
