#pragma once

/// An outcome of an impact in the impulse space of its contacts, for pictures.

#include "slipstick/impact_outcomes.h"
#include "slipstick/sim/hybrid/impacts.h"

namespace slipstick {

/// Fills path and planes of an outcome from its record and its contacts. `effect`: what it was made
/// from.
void add_impact_path(const Model& model, const State& before, const ImpactEffect& effect,
                     LawOutcome& out);

}  // namespace slipstick
