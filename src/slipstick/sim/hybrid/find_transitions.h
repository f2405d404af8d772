#pragma once

/// The one place where the laws decide what comes next: docs/theory/motion.md.

#include "slipstick/sim/events/integrate.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Every way on from the end of a mode, at which the motion is. The end must be the laws' business:
/// not that of the run, an interruption or a failure. A motion may have seen a thousand impacts:
/// hand it over rather than copy it.
[[nodiscard]] Transitions find_transitions(const Model& model, HybridState at, const ModeEnd& end,
                                           const Laws& laws);

/// Every way on where something is pending.
[[nodiscard]] Transitions find_transitions(const Model& model, HybridState at, const Laws& laws);

/// Formulas of time change now (`at.stop`): contacts may have ceased to exist, surfaces may have
/// another speed at once, and the mode goes on if it is admissible still.
[[nodiscard]] Transitions pass_stop(const Model& model, HybridState at, const Laws& laws);

/// A principal minor of P has changed its sign while the mode goes on.
[[nodiscard]] Event describe_minor_change(const Model& model, const HybridState& at,
                                          const Laws& laws, const MinorChange& change);

}  // namespace slipstick
