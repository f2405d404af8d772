#pragma once

/// Which way is followed where the laws leave several.

#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

enum class Decision {
  kTakeFirst,
  kTakeAll,  ///< in runs of their own
  kStop,
};

/// Sorts the ways as the options prefer them. Writes into the events what was chosen, and what else
/// was admissible.
[[nodiscard]] Decision decide(const SimulationOptions& options, Transitions& found);

}  // namespace slipstick
