#pragma once

#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {

/// True if nothing moves, and nothing will, in the mode that a solution of the contact problem has
/// begun. Small means small compared with the body's own motion just before, and with the forces
/// that balance.
[[nodiscard]] bool is_at_rest(const Model& model, const HybridState& at,
                              const ModeSolution& solution);

}  // namespace slipstick
