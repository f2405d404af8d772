#pragma once

#include "slipstick/core/scales.h"

namespace slipstick {

/// Relative tolerances of the decisions at a state. Each quantity is compared with the sum of the
/// absolute values of the terms it is made of, so the decisions do not depend on units.
struct Tolerances {
  double closure = kClosure;    ///< a gap, gap rate or slip this small counts as zero
  double marginal = kMarginal;  ///< p, b or a mode inequality this small is reported as marginal
  double rank = kRank;          ///< smaller pivots of the scaled contact equations are zero
};

}  // namespace slipstick
