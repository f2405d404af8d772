#pragma once

/// Which transition is followed where the laws leave several.

#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

enum class Decision {
  kTakeFirst,
  kTakeAll,  ///< in runs of their own
  kStop,
};

/// Sorts the transitions by preference of the options. Writes into the events what was chosen and
/// what else was admissible.
[[nodiscard]] Decision decide(const SimulationOptions& options, Transitions& found);

}  // namespace slipstick
