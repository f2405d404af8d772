#pragma once

/// Integration in one mode until something happens.

#include <string>
#include <vector>

#include "slipstick/sim/guards.h"
#include "slipstick/sim/jam.h"
#include "slipstick/sim/pace.h"
#include "slipstick/sim/run.h"

namespace slipstick {

enum class ModeEndType {
  kGuards,      ///< some guards reached zero
  kTime,        ///< the end that was asked for
  kJam,         ///< d -> 0 with a force that grows without bound
  kPassage,     ///< d -> 0 with a finite force
  kSeparation,  ///< the force vanishes so near d = 0 that doubles cannot tell the two apart
  kInterrupted,
  kFailure,
};

struct ModeEnd {
  ModeEndType type = ModeEndType::kFailure;
  State state;
  std::vector<Guard> guards;
  double exponent = 0.0;  ///< of a jam
  bool marginal = false;  ///< the decision hung on less than doubles resolve
  std::string detail;     ///< of a failure
};

/// Follows the mode from a state at which it is admissible. `opening`: per contact of the model,
/// the order of the zero of its gap or slip at the start (Guard::zero_at_start). Appends to the
/// run's trajectory and counts.
[[nodiscard]] ModeEnd integrate_mode(const Model& model, const Mode& mode, const State& state,
                                     const PerContact<int>& opening,
                                     const SimulationOptions& options, Pace& pace, Run& run);

}  // namespace slipstick
