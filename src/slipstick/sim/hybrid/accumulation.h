#pragma once

/// The end of infinitely many impacts in finite time.

#include <optional>
#include <vector>

#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Where the impacts so far end, if they accumulate there before anything else happens. `last`:
/// contacts of the last impact.
[[nodiscard]] std::optional<ZenoLimit> find_accumulation(const Model& model,
                                                         const std::vector<int>& last,
                                                         const Laws& laws, const HybridState& at);

/// Goes to the limit, where the contacts that have come to their surfaces close, and tells it.
[[nodiscard]] Event settle(const Model& model, const ZenoLimit& limit, const Laws& laws,
                           HybridState& at);

}  // namespace slipstick
