#pragma once

/// How well outcomes are decided. Internal to this folder, and to what makes outcomes of documents.

#include "slipstick/tolerances.h"

namespace slipstick {

/// Of decisions at a state by the tolerances of all verbs. They compare a sum with its terms; a
/// border in a parameter may be a hundred times further off, because terms cancel.
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
