#pragma once

/// The one place where the laws decide what follows: docs/theory/motion.md.

#include "slipstick/sim/events/integrate.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Every transition from the end of a mode, at the present state `at`. The end must not be that of
/// the run, an interruption or a failure. `at` may contain the record of a thousand impacts, so
/// move it instead of copying it.
[[nodiscard]] Transitions find_transitions(const Model& model, HybridState at, const ModeEnd& end,
                                           const Laws& laws);

/// Every transition where a decision is pending.
[[nodiscard]] Transitions find_transitions(const Model& model, HybridState at, const Laws& laws);

/// Passes a time at which formulas change (`at.stop`): contacts may have ceased to exist, surfaces
/// may have jumped to another speed. The mode continues if it is still admissible.
[[nodiscard]] Transitions pass_stop(const Model& model, HybridState at, const Laws& laws);

/// The event of a principal minor of P that has changed its sign while the mode goes on.
[[nodiscard]] Event describe_minor_change(const Model& model, const HybridState& at,
                                          const Laws& laws, const MinorChange& change);

}  // namespace slipstick
