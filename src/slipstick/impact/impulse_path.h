#pragma once

/// The path of an impact of one contact in impulse space, piece by piece, for people to see.

#include <vector>

#include "slipstick/impact.h"

namespace slipstick {

/// A straight piece of the path: what the contact does on it, and where it ends.
struct PathLeg {
  bool restores = false;                    ///< a part of the restitution; else of the compression
  int slip_sign = 0;                        ///< of the contact on the way; 0: it sticks
  double impulse_n = 0.0, impulse_t = 0.0;  ///< accumulated at the end [N s]
  double gap_rate = 0.0, slip = 0.0;        ///< at the end [m/s]
};

/// The pieces from the start of the impact to the end that its law found. Pieces as short as
/// rounding are left out.
[[nodiscard]] std::vector<PathLeg> list_legs(const ContactImpact& impact,
                                             const ContactImpulse& found);

}  // namespace slipstick
