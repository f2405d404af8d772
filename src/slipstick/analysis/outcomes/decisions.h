#pragma once

/// How well outcomes are decided. Internal to this folder, and to what makes outcomes of documents.

#include "slipstick/tolerances.h"

namespace slipstick {

/// A decision at a state compares a sum with its terms; a border in a parameter may be this much
/// further off than the tolerance of the sum, because terms cancel.
inline constexpr double kCancelled = 100.0;

/// Of decisions at a state by the tolerances of all verbs.
[[nodiscard]] inline double find_state_tolerance() { return kCancelled * Tolerances{}.marginal; }

/// Tolerances that put borders of classes and verdicts where they are to eleven digits. Rounding
/// leaves 1e-15 of the terms of a tie, so ties remain ties.
[[nodiscard]] inline Tolerances make_sharp_tolerances() {
  Tolerances out;
  out.marginal = 1e-13;
  return out;
}

}  // namespace slipstick
