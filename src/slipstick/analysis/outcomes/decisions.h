#pragma once

/// How well outcomes are decided. For what makes outcomes.

#include "slipstick/run.h"
#include "slipstick/tolerances.h"

namespace slipstick {

/// Of decisions at a state by the tolerances of all verbs. They compare a sum with its terms; a
/// border in a parameter may be a hundred times further off, because terms cancel.
[[nodiscard]] inline double find_state_tolerance() {
  constexpr double kCancelled = 100.0;
  return kCancelled * Tolerances{}.marginal;
}

/// Of events along a motion: it has a thousand times the error of a step, ten digits by default
/// (run.h). What happens at its start is decided at a state.
[[nodiscard]] inline double find_motion_tolerance(const SimulationOptions& options, double start,
                                                  double decided) {
  constexpr double kGrowth = 1e3;
  return decided == start ? find_state_tolerance() : kGrowth * options.tolerance;
}

/// Tolerances that put borders of classes and verdicts where they are to nine digits and more.
/// Rounding leaves 1e-15 of the terms of a tie, so ties remain ties.
[[nodiscard]] inline Tolerances make_sharp_tolerances() {
  Tolerances out;
  out.marginal = 1e-13;
  return out;
}

/// Of decisions by those: a wedge whose cones touch is off by 5e-11 of its friction.
inline constexpr double kSharpDecision = 1e-9;

}  // namespace slipstick
