#pragma once

/// The friction from which a jam's force is unbounded. Internal to this folder.

#include <optional>

#include "slipstick/analysis/paradox/jam_space.h"
#include "slipstick/paradox.h"

namespace slipstick {

/// Smallest friction of a single contact at which some motion runs into p = b = 0
/// with b vanishing slower than p, so that the force grows without bound (docs/theory/paradox.md).
/// Only where one coordinate decides, the only free one of `space`: with the contact's follower it
/// makes curves of configurations, and each that a start lies on is searched from end to end.
/// Nothing if no friction does it.
[[nodiscard]] std::optional<LeastJam> find_jam_friction_along(const ParadoxProblem& problem,
                                                              const JamSpace& space);

/// Takes full turns off an angle that follows, so that it has one turn like the free ones: a spring
/// counts turns. Other coordinates stay.
void turn_to_range(const Model& model, int coordinate, VecQ& q);

/// A rate [1/s] at which the velocity terms of the contact's acceleration are as large as b, or as
/// the b at rest, or as gravity.
[[nodiscard]] double find_rate_unit(const ParadoxProblem& problem, double b);

}  // namespace slipstick
