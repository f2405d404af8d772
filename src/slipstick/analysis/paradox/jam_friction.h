#pragma once

/// The friction from which a jam's force is unbounded. Internal to this folder.

#include <optional>

#include "slipstick/paradox.h"

namespace slipstick {

/// Smallest friction of a single contact at which some motion runs into p = b = 0
/// with b vanishing slower than p, so that the force grows without bound (docs/theory/paradox.md).
/// Only where one coordinate decides: the shape along `over`, the contact's follower and whatever
/// p and b do not depend on. Nothing if no friction does it.
[[nodiscard]] std::optional<double> find_jam_friction_along(const ParadoxProblem& problem,
                                                            const CoordinateRange& over);

/// A rate [1/s] at which velocity terms of the contact's acceleration are of the size of b, that at
/// rest, or of gravity.
[[nodiscard]] double find_rate_unit(const ParadoxProblem& problem, double b);

}  // namespace slipstick
