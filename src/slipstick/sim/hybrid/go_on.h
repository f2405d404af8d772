#pragma once

#include "slipstick/sim/hybrid/hybrid_state.h"
#include "slipstick/simulate.h"

namespace slipstick {

/// Goes on from where a motion is, and leaves it where the run ends: two runs in turn are the
/// same motion as one.
[[nodiscard]] Run simulate(const Model& model, HybridState& at, const SimulationOptions& options);

}  // namespace slipstick
