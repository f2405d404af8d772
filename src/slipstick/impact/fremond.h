#pragma once

/// Percussions of Fremond's law: the tangential impulse opposes the mean of the slips before and
/// after, P_t in -mu |P_n| sgn(slip_plus + slip_minus). [Fremond2007]

#include <optional>

#include "slipstick/core/linalg.h"

namespace slipstick {

/// Columns and entries 2 i and 2 i + 1: normal and tangent of closed contact i.
struct SlipReversal {
  Mat2C G;    ///< contact velocity per unit impulse [1/kg]
  VecC slip;  ///< before [m/s]
  VecC mu;
};

/// The impulses that reverse every slip with friction and leave the gap rates at zero: where
/// sliding has no contact force (p < 0) the only percussion, at a jam (p = 0) the largest of a
/// family that ends at zero. Klein's bar: U+ = -U-. Nothing if the contacts' directions depend.
[[nodiscard]] std::optional<Vec2C> solve_slip_reversal(const SlipReversal& problem);

}  // namespace slipstick
