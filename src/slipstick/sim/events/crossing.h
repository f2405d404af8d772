#pragma once

/// First time a guard falls to zero within a step, theta in [0, 1].

#include <functional>
#include <optional>

namespace slipstick {

struct CrossingProblem {
  std::function<double(double)> guard;
  /// Order of a known zero at theta = 0 that is not an event: 1 for a contact that just opened
  /// after a rebound, 2 after a lift-off. The guard is positive right after it.
  int zero_at_start = 0;
  bool leaves_upward = true;  ///< from that zero; otherwise it falls there and has to rise again
  double noise = 0.0;         ///< of the guard's values: a minimum below it touches zero
};

/// Finds the first theta > 0 at which the guard falls through zero or touches it from above. If the
/// guard starts below zero (a foot that passes through the ground while it is not a contact), it
/// has to rise first. The search works on Chebyshev interpolants, which are halved until they are
/// resolved, so that two close roots in one long step are not missed.
[[nodiscard]] std::optional<double> find_first_crossing(const CrossingProblem& problem);

/// The same for a guard that is known to fall throughout; nothing if it ends above zero.
[[nodiscard]] std::optional<double> find_crossing_of_fall(
    const std::function<double(double)>& guard);

}  // namespace slipstick
