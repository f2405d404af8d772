#pragma once

#include "slipstick/stability.h"

namespace slipstick {

/// The same body with the order of its contacts swapped.
[[nodiscard]] TwoContactBody make_swapped(const TwoContactBody& body);

}  // namespace slipstick
