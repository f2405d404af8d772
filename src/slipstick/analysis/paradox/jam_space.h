#pragma once

/// The configurations over which the friction for an unbounded force is searched. Internal to this
/// folder.

#include <functional>
#include <optional>
#include <span>

#include "slipstick/interval.h"
#include "slipstick/paradox.h"

namespace slipstick {

/// The configurations a search varies: its free coordinates, and how the contact closes.
struct JamSpace {
  std::span<const CoordinateRange> free;
  int follower = 0;                   ///< keeps the single contact closed
  std::function<bool(VecQ&)> close;   ///< moves the follower; false if the contact cannot close
  std::span<const VecQ> starts = {};  ///< closed configurations, spread over the ranges
  std::optional<Interval> follows{};  ///< within which the follower has to stay
};

/// The least friction of a single contact at which sliding jams, and where.
struct LeastJam {
  double mu = 0.0;
  VecQ at;  ///< a configuration that jams there, or as near to it as the search goes
};

/// Keeps the lesser friction. Of equal ones (mirror images, turns by pi) the place nearest to the
/// initial configuration is kept.
void keep_lesser(const ParadoxProblem& problem, const LeastJam& other,
                 std::optional<LeastJam>& least);

}  // namespace slipstick
