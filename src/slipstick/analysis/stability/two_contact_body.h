#pragma once

#include "slipstick/stability.h"

namespace slipstick {

/// The same body with its contacts in the other order.
[[nodiscard]] TwoContactBody make_swapped(const TwoContactBody& body);

}  // namespace slipstick
