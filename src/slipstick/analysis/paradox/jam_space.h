#pragma once

/// The configurations over which the friction for an unbounded force is searched. Internal to this
/// folder.

#include <functional>
#include <span>

#include "slipstick/paradox.h"

namespace slipstick {

/// The configurations a search varies: its free coordinates, and how the contact closes.
struct JamSpace {
  std::span<const CoordinateRange> free;
  int follower = 0;                   ///< keeps the single contact closed
  std::function<bool(VecQ&)> close;   ///< moves the follower; false if the contact cannot close
  std::span<const VecQ> starts = {};  ///< closed configurations, spread over the ranges
};

}  // namespace slipstick
