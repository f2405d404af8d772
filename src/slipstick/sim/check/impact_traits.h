#pragma once

namespace slipstick {

/// What the check cannot read from an impact's event.
struct ImpactTraits {
  bool alone = false;   ///< one contact alone: its law holds along a path in impulse space
  bool jammed = false;  ///< p is zero: the limit from below of an impact without collision
};

}  // namespace slipstick
