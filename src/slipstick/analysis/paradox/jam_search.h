#pragma once

/// The friction for an unbounded force where several coordinates decide. Internal to this folder.

#include <optional>
#include <vector>

#include "slipstick/analysis/paradox/jam_space.h"
#include "slipstick/paradox.h"

namespace slipstick {

struct JamFriction {
  std::optional<LeastJam> least;  ///< infimum of the frictions at which some motion jams
  bool quadratic = true;          ///< false: loads depend on speed (dampers), not decided
};

/// The free coordinates on which alpha, beta or b depend.
[[nodiscard]] std::vector<CoordinateRange> find_deciding_coordinates(const ParadoxProblem& problem,
                                                                     const JamSpace& space);

/// Infimum of mu_P over the configurations that have a velocity with alpha < beta < 0 at b = 0, to
/// 1e-6. The slip direction is free, since the surface may move along itself
/// (docs/theory/paradox.md).
[[nodiscard]] JamFriction find_jam_friction(const ParadoxProblem& problem, const JamSpace& space);

}  // namespace slipstick
