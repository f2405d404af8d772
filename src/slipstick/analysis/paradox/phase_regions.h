#pragma once

/// The regions of the Coulomb cases in the planes of an angle and its rate, drawn beside a motion.

#include <span>
#include <vector>

#include "slipstick/analysis/motion/motion_rows.h"
#include "slipstick/paradox.h"
#include "slipstick/why.h"

namespace slipstick {

/// The plane of a coordinate and its rate.
struct PhaseRegion {
  int coordinate = 0;
  SlidingContact sliding;  ///< whose cases they are
  MapAxis x, y;
  ParadoxMap map;
};

/// A plane whose map cannot be computed.
struct MissingRegion {
  int coordinate = 0;
  Why why;
};

struct PhaseRegions {
  std::vector<PhaseRegion> regions;
  std::vector<MissingRegion> missing;
};

/// The planes of all angles in which the cases depend on the angle and its rate alone, for the
/// first slip of the motion. A plane covers what the runs pass while that contact slides alone, and
/// a tenth more on either side.
[[nodiscard]] PhaseRegions find_phase_regions(const Model& model, std::span<const MotionRows> runs);

}  // namespace slipstick
