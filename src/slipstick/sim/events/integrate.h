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
  kGuards,   ///< some guards reached zero
  kTime,     ///< the end of the run, or a change of formulas of time
  kJam,      ///< d -> 0 with a force that grows without bound
  kPassage,  ///< d -> 0 with a finite force
  kLocked,   ///< contacts are driven to where they lock: sticking ones to a dead centre, others by
             ///< friction
  kReturns,  ///< near d = 0 the force acts like an impulse, and sliding goes on
  kSeparation,  ///< the force vanishes so close to d = 0 that doubles cannot separate the two
  kMinor,       ///< a principal minor changed its sign, the last event of the run
  kCondition,   ///< the condition of the options holds
  kInterrupted,
  kFailure,
};

struct ModeEnd {
  ModeEndType type = ModeEndType::kFailure;
  State state;
  std::vector<Guard> guards;
  double exponent = 0.0;  ///< of a jam or a lock
  bool marginal = false;  ///< the decision depends on less than doubles resolve
  Why why;                ///< of a failure
  Vec2C impulses{};       ///< of a return, per closed contact: entries 2 i, 2 i + 1 [N s]
};

/// How a mode starts.
struct ModeStart {
  State state;
  /// Per contact of the model, the order of the zero of its gap or slip (Guard::zero_at_start).
  PerContact<int> opening;
  /// At d = 0, where the mode's equations are singular: the forces until they are regular again.
  std::optional<SmoothForces> forces;
  /// The time at which formulas of time change: the mode ends there, by its guard kTime.
  std::optional<TimeStop> stop;
};

/// A principal minor of P changed its sign at this state, to that of the guard; the mode goes on.
struct MinorChange {
  State state;
  Guard guard;
};
/// Called in order of time; false ends the mode there.
using TellMinor = std::function<bool(const MinorChange&)>;

/// Follows the mode from a state at which it is admissible. Appends to the trajectory of the run
/// and counts its steps and evaluations.
[[nodiscard]] ModeEnd integrate_mode(const Model& model, const Mode& mode, const ModeStart& start,
                                     const SimulationOptions& options, const TellMinor& tell_minor,
                                     Pace& pace, Run& run);

}  // namespace slipstick
