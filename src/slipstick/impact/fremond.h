#pragma once

/// Percussions of Fremond's law at a jam: the tangential impulse opposes the mean of the slips
/// before and after, P_t in -mu |P_n| sgn(slip_plus + slip_minus). [Fremond2007]

#include <optional>

#include "slipstick/contact/contact_problem.h"

namespace slipstick {

struct JumpContact {
  double slip = 0.0;  ///< before [m/s]; 0: the contact does not slide
  double mu = 0.0;
  bool bilateral = false;
};

/// Columns and entries 2 i and 2 i + 1: normal and tangent of closed contact i.
struct JumpProblem {
  Mat2C G;  ///< contact velocity per unit impulse [1/kg]
  PerContact<JumpContact> contacts;
};

/// Where the force of sliding is unbounded (p = 0, or a singular matrix P), impulses along its
/// direction leave the gap rates at zero. Any size of them satisfies the law until a slip is
/// reversed. Finds the impulse that reverses the first slip; for one contact it is the full
/// reversal. Nothing if the direction pulls at a unilateral contact or leaves a cone, or if no slip
/// is ever reversed.
[[nodiscard]] std::optional<Vec2C> solve_largest_jump(const JumpProblem& problem);

}  // namespace slipstick
