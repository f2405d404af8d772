#pragma once

/// How far a verdict is from changing.

#include <vector>

#include "slipstick/analysis/stability/stability.h"

namespace slipstick {

/// Margins in the friction of both contacts, in the place of the centre of mass (world axes [m])
/// and in the slope (direction of the load, counter-clockwise [rad]). The last three are changes
/// from the present state. The search goes down to friction 0 and up by 1, over the distance
/// between the contacts, and over a quarter turn. Borders are located to 1e-14 of these ranges. A
/// verdict that holds on less than a thousandth of the range can be missed.
[[nodiscard]] std::vector<Margin> find_margins(const TwoContactBody& body,
                                               const Tolerances& tolerances);

}  // namespace slipstick
