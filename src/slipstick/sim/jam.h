#pragma once

/// The end of a sliding motion at d = 0 (one contact: p = 0): docs/theory/motion.md.

#include "slipstick/sim/mode.h"

namespace slipstick {

/// In stretched time the motion is x' = |d| X + n Y: X the motion without contact forces, Y the
/// response to unit contact forces along `direction`, n their size times |d|. Near d = n = 0 it is
/// linear, d' = alpha d, n' = gamma d + beta n, and every point with d = n = 0 is a fixed point.
struct JamApproach {
  double d = 0.0, n = 0.0;
  double alpha = 0.0, beta = 0.0;  ///< [1/s]
  double slow = 0.0;               ///< part of n that decays with beta; the rest decays with d
  State limit;                     ///< the fixed point ahead
  bool regular = false;            ///< false: singular equations, or no fixed point ahead

  /// f_n ~ (t* - t)^exponent.
  [[nodiscard]] double exponent() const { return beta / alpha - 1.0; }
  /// The part of n that is left in the end, relative to n: < 0: the force vanishes first.
  [[nodiscard]] double last_part() const { return (force_is_bounded() ? n - slow : slow) / n; }
  /// The force stays finite: its other part decays faster than d.
  [[nodiscard]] bool force_is_bounded() const { return beta < alpha; }
};

/// Finds the fixed point ahead of a state near d = 0, to second order in the distance, with alpha
/// and beta there. Costs kJamEvaluations evaluations of the field.
inline constexpr int kJamEvaluations = 16;
[[nodiscard]] JamApproach find_jam_ahead(const Model& model, const Mode& mode, const State& state);

}  // namespace slipstick
