#pragma once

/// Where the outcome changes along a straight way between two points. Internal to this folder.

#include <functional>
#include <optional>
#include <vector>

#include "slipstick/analysis/outcomes/counted_outcomes.h"

namespace slipstick {

/// A place on the way, from 0 to 1, with its outcome.
struct WayPoint {
  double place = 0.0;
  FoundOutcome outcome;
};

/// The outcome at a place of the way.
using FindOnWay = std::function<FoundOutcome(double)>;

/// One label up to `before`, another from `after` on.
struct OutcomeChange {
  double before = 0.0, after = 0.0;
  int from = -1, to = -1;
  double tolerance = 0.0;  ///< the larger one of the two outcomes

  [[nodiscard]] double middle() const { return 0.5 * (before + after); }
};

/// The changes between two places. `is_whole` is false if there are more than were looked for.
struct OutcomeChanges {
  std::vector<OutcomeChange> list;
  bool is_whole = true;
};

/// Bisects between places with unlike outcomes until they are `enough` apart, or neighbours among
/// doubles. Outcomes that hold for less than that are passed over.
[[nodiscard]] OutcomeChanges find_changes(const FindOnWay& find, const WayPoint& from,
                                          const WayPoint& to, double enough);

/// A place between `from` and `to`, which have equal labels, where another outcome is found: where
/// a margin, continued from beyond both, would fall to zero. `before` and `after` are the places
/// next to them, null if there are none with the same label.
[[nodiscard]] std::optional<WayPoint> find_hidden(const FindOnWay& find, const WayPoint* before,
                                                  const WayPoint& from, const WayPoint& to,
                                                  const WayPoint* after);

/// Both: the changes between two neighbours, hidden ones included.
[[nodiscard]] OutcomeChanges find_all_changes(const FindOnWay& find, const WayPoint* before,
                                              const WayPoint& from, const WayPoint& to,
                                              const WayPoint* after, double enough);

}  // namespace slipstick
