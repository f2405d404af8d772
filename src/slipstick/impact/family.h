#pragma once

#include <vector>

#include "slipstick/contact/modes.h"

namespace slipstick {

/// The impulses that all satisfy one law at one impact, where they are not unique: redundant
/// contacts, or a law that leaves a size open. The stored impulse is one member, well inside.
struct ImpulseFamily {
  int dimension = 0;                        ///< of the set of impulses
  bool velocity_is_unique = true;           ///< false: the motion after the impact is open, too
  std::vector<Range> impulse_n, impulse_t;  ///< per contact of the model [N s]
  std::vector<Range> velocity;              ///< after the impact, per coordinate
};

}  // namespace slipstick
