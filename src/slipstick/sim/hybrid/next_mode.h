#pragma once

/// The next mode, from the contact laws, for contacts that are known to be closed.

#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Every mode with admissible contact forces, or the impulses if there is none. `ended`: the mode,
/// if a vanishing force ended it.
[[nodiscard]] Transitions find_next_modes(const Model& model, HybridState at, const Laws& laws,
                                          const SeeksMode& cause, const Mode* ended);

/// The motion continues in the mode of a solution of the contact problem.
[[nodiscard]] Transition adopt(const Model& model, HybridState at, const Laws& laws,
                               const ModeSolution& solution, const SeeksMode& cause);

/// Every mode that satisfies the contact laws at a state.
[[nodiscard]] ModeList list_continuations(const Model& model, const State& state,
                                          const HybridState& at, const Laws& laws,
                                          const Mode* ended);

}  // namespace slipstick
