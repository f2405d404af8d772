#pragma once

#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {

/// Nothing moves, and nothing will, in the mode that a solution of the contact problem has begun.
/// What is small is so beside the body's own motion just before, and beside the forces that
/// balance.
[[nodiscard]] bool is_at_rest(const Model& model, const HybridState& at,
                              const ModeSolution& solution);

}  // namespace slipstick
