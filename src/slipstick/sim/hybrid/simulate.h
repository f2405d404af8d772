#pragma once

/// Motions of a model: docs/theory/motion.md.

#include "slipstick/sim/hybrid/hybrid_state.h"
#include "slipstick/sim/run.h"

namespace slipstick {

/// Follows the motion from a state in which no contact is penetrated. Where the options ask for a
/// branching it ends.
[[nodiscard]] Run simulate(const Model& model, const State& initial,
                           const SimulationOptions& options);

/// Goes on from where a motion is, and leaves it where the run ends: two runs in turn are the
/// same motion as one.
[[nodiscard]] Run simulate(const Model& model, HybridState& at, const SimulationOptions& options);

/// Follows every choice where the options ask for a branching.
[[nodiscard]] RunTree simulate_tree(const Model& model, const State& initial,
                                    const SimulationOptions& options);

}  // namespace slipstick
