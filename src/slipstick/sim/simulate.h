#pragma once

/// The hybrid driver: motion in one mode, events, impacts, and the next mode by the contact laws.

#include "slipstick/sim/run.h"

namespace slipstick {

/// Follows the motion from a state in which no contact is penetrated.
[[nodiscard]] Run simulate(const Model& model, const State& initial,
                           const SimulationOptions& options);

}  // namespace slipstick
