#pragma once

namespace slipstick {

/// Relative tolerances of the decisions at a state. Each quantity is compared with the sum of the
/// absolute values of the terms it is made of, so the decisions do not depend on units.
struct Tolerances {
  /// A gap, gap rate or slip this small counts as zero. Far above rounding (1e-16) and projection
  /// errors (1e-14), far below any state a user means to be open or sliding.
  double closure = 1e-10;
  /// p, b or a mode inequality this small is reported as marginal. Ten digits is what the tool
  /// promises; a sign that hangs on the eleventh is not decided.
  double marginal = 1e-10;
  /// Pivots of the scaled contact equations below this are zero: forces are not unique there.
  double rank = 1e-11;
};

}  // namespace slipstick
