#pragma once

/// A check of single impacts by the code that checks those of runs: docs/theory/check.md.

#include "slipstick/run.h"
#include "slipstick/sim/check/impact_traits.h"
#include "slipstick/verdict.h"

namespace slipstick {

/// Checks momentum, the laws of impulses, the law of impact and the energy of an event, and the
/// states before and after it.
[[nodiscard]] Check check_impact(const Model& model, const Event& event,
                                 const ImpactTraits& traits);

}  // namespace slipstick
