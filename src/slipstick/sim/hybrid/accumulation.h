#pragma once

/// The end of infinitely many impacts in a finite time.

#include <optional>
#include <vector>

#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// The end of the impacts so far, if they accumulate there before anything else happens. `last`:
/// contacts of the last impact.
[[nodiscard]] std::optional<ZenoLimit> find_accumulation(const Model& model,
                                                         const std::vector<int>& last,
                                                         const Laws& laws, const HybridState& at);

/// Goes to the limit, closes the contacts that have reached their surfaces, and returns the event.
[[nodiscard]] Event settle(const Model& model, const ZenoLimit& limit, const Laws& laws,
                           HybridState& at);

}  // namespace slipstick
