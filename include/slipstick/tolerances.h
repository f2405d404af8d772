#pragma once

/// The tolerances of the decisions at a state: which contact is closed, which slides, which mode is
/// admissible. The defaults suit any mechanism.
///
///     slipstick::Tolerances coarse;
///     coarse.closure = 1e-6;  // states with six digits, from a measurement
///     const auto answer = slipstick::classify(*arm.model, arm.initial, coarse);

namespace slipstick {

/// Relative tolerances of the decisions at a state. Each quantity is compared with the sum of the
/// absolute values of the terms it is made of, so the decisions do not depend on units.
struct Tolerances {
  double closure;   ///< a gap, gap rate or slip this small counts as zero
  double marginal;  ///< p, b or a mode inequality this small is reported as marginal
  double rank;      ///< smaller pivots of the scaled contact equations are zero

  /// 1e-10, 1e-10 and 1e-11, with the reasons of src/slipstick/core/scales.h.
  Tolerances();
};

}  // namespace slipstick
