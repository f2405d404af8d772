#pragma once

/// How well outcomes are decided. For what makes outcomes.

#include "slipstick/tolerances.h"

namespace slipstick {

/// Of decisions by the tolerances of all verbs: which contact is closed, which mode holds, whether
/// an event is met or just missed. They compare a sum with its terms, or a gap with the size of the
/// bodies; a border in a parameter may be a hundred times further off.
[[nodiscard]] inline double find_state_tolerance() {
  constexpr double kCancelled = 100.0;
  return kCancelled * Tolerances{}.marginal;
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
