#pragma once

/// Integration in one mode until something happens.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/model/time_functions.h"
#include "slipstick/run.h"
#include "slipstick/sim/events/guards.h"
#include "slipstick/sim/events/pace.h"
#include "slipstick/sim/singular/jam.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {

enum class ModeEndType {
  kGuards,      ///< some guards reached zero
  kTime,        ///< the end that was asked for
  kJam,         ///< d -> 0 with a force that grows without bound
  kPassage,     ///< d -> 0 with a finite force
  kLocked,      ///< a surface drives contacts that stick to where they lock: no force is enough
  kReturns,     ///< near d = 0 the force acts like an impulse, and sliding goes on
  kSeparation,  ///< the force vanishes so near d = 0 that doubles cannot tell the two apart
  kMinor,       ///< a principal minor changed its sign, and that was the last of the run
  kInterrupted,
  kFailure,
};

struct ModeEnd {
  ModeEndType type = ModeEndType::kFailure;
  State state;
  std::vector<Guard> guards;
  double exponent = 0.0;  ///< of a jam or a lock
  bool marginal = false;  ///< the decision hung on less than doubles resolve
  Why why;                ///< of a failure
  Vec2C impulses{};       ///< of a return, per closed contact: entries 2 i, 2 i + 1 [N s]
};

/// How a mode begins.
struct ModeStart {
  State state;
  /// Per contact of the model, the order of the zero of its gap or slip (Guard::zero_at_start).
  PerContact<int> opening;
  /// At d = 0, where the mode's equations are singular: the forces until they are not.
  std::optional<SmoothForces> forces;
  /// Where formulas of time change: the mode ends there, by its guard kTime.
  std::optional<TimeStop> stop;
};

/// A principal minor of P changed its sign at this state, to that of the guard; the mode goes on.
struct MinorChange {
  State state;
  Guard guard;
};
/// Told in order of time; false ends the mode there.
using TellMinor = std::function<bool(const MinorChange&)>;

/// Follows the mode from a state at which it is admissible. Appends to the run's trajectory and
/// counts.
[[nodiscard]] ModeEnd integrate_mode(const Model& model, const Mode& mode, const ModeStart& start,
                                     const SimulationOptions& options, const TellMinor& tell_minor,
                                     Pace& pace, Run& run);

}  // namespace slipstick
