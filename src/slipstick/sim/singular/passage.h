#pragma once

/// Sliding on through d = 0 with a finite force: docs/theory/motion.md.

#include <optional>

#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// Contact forces over a short time, a polynomial for each entry of ModeField::impulse_rate.
struct SmoothForces {
  static constexpr int kNodes = 10;
  double start = 0.0, length = 0.0;  ///< [s]
  /// Column k: the coefficients of the Chebyshev polynomial T_k over the time span [N].
  BoundedMatrix<2 * kMaxContacts, kNodes> coefficients;
  int evaluations = 0;  ///< of the field of motion, spent on finding it

  [[nodiscard]] double end() const { return start + length; }
  [[nodiscard]] Vec2C eval(double time) const;

  [[nodiscard]] bool operator==(const SmoothForces& other) const {
    return start == other.start && length == other.length && evaluations == other.evaluations &&
           are_equal(coefficients, other.coefficients);
  }
};

/// Finds the forces of the smooth motion that leaves a state with d = 0 and finite forces. Just
/// after it, f = f* + C |t - t*|^(beta/alpha - 1) satisfies the laws with any C, and C depends on
/// terms of every order below that power. A step with the force f*, whose error is O(t), would
/// therefore leave C to chance if beta/alpha > 2, and would converge slowly below. Only the motion
/// with C = 0 has a power series in t, if beta/alpha is not a whole number. So the forces are
/// polynomials over a time span that satisfy the contact equations at its Chebyshev points. The
/// span is halved until their last coefficients are below the tolerance. Nothing if that never
/// happens.
[[nodiscard]] std::optional<SmoothForces> find_smooth_forces(const Model& model, const Mode& mode,
                                                             const State& state, double tolerance);

/// The field of a mode over time itself, with rate 1. Where d and the forces divided by d are
/// rounding, the forces are those of the smooth motion from there, if there is one.
[[nodiscard]] ModeField eval_natural_field(const Model& model, const Mode& mode,
                                           const State& state);

}  // namespace slipstick
