#pragma once

/// How far a verdict is from changing.

#include <vector>

#include "slipstick/analysis/stability/stability.h"

namespace slipstick {

/// Margins in the friction of both contacts, in the place of the centre of mass (world axes [m])
/// and in the slope (the load's direction, counter-clockwise [rad]); the last three are changes.
/// Searched up to friction 0 and one more, the distance between the contacts, and a quarter turn.
/// Borders are located to 1e-14 of these; a verdict that holds on less than a thousandth of the
/// range can be missed.
[[nodiscard]] std::vector<Margin> find_margins(const TwoContactBody& body,
                                               const Tolerances& tolerances);

}  // namespace slipstick
