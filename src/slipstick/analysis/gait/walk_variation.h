#pragma once

/// First-order perturbations of a step, carried exactly along its motion and through its events: by
/// the variational equation in each mode, and by the saltation of [Leine2004] at an event. If the
/// event comes earlier by -dt, both motions follow the new mode for that time.
/// docs/theory/gaits.md.

#include <string>
#include <vector>

#include "slipstick/analysis/gait/walk.h"
#include "slipstick/model/variation.h"
#include "slipstick/why.h"

namespace slipstick {

struct VariedWalk {
  std::vector<Variation> end;  ///< on the section, in the names that hold there
  Why why;                     ///< why there is no derivative
};

/// Carries small changes of the start to the end of a complete step.
[[nodiscard]] VariedWalk vary_walk(const Model& model, const Walk& walk,
                                   std::vector<Variation> start);

}  // namespace slipstick
