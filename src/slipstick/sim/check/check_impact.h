#pragma once

/// A check of single impacts by the code that checks those of runs: docs/theory/check.md.

#include "slipstick/run.h"
#include "slipstick/verdict.h"

namespace slipstick {

/// What the check cannot read from an impact's event.
struct ImpactTraits {
  bool alone = false;   ///< one contact alone: its law holds along a path in impulse space
  bool jammed = false;  ///< p is zero: the limit from below of an impact without collision
};

/// Checks momentum, the laws of impulses, the law of impact and the energy of an event, and the
/// states before and after it.
[[nodiscard]] Check check_impact(const Model& model, const Event& event,
                                 const ImpactTraits& traits);

}  // namespace slipstick
