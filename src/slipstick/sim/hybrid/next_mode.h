#pragma once

/// The next mode: by the contact laws, from contacts that are known to be closed.

#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Every mode that the contact forces leave, or the impulses where they leave none. `ended`: the
/// mode, if a vanishing force ended it.
[[nodiscard]] Transitions find_next_modes(const Model& model, HybridState at, const Laws& laws,
                                          const SeeksMode& cause, const Mode* ended);

/// The motion goes on in the mode of a solution of the contact problem.
[[nodiscard]] Transition adopt(const Model& model, HybridState at, const Laws& laws,
                               const ModeSolution& solution, const SeeksMode& cause);

/// Every mode that satisfies the contact laws at a state.
[[nodiscard]] ModeList list_continuations(const Model& model, const State& state,
                                          const HybridState& at, const Laws& laws,
                                          const Mode* ended);

}  // namespace slipstick
