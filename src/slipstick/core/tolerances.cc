#include "slipstick/tolerances.h"

#include "slipstick/core/scales.h"

namespace slipstick {

Tolerances::Tolerances() : closure(kClosure), marginal(kMarginal), rank(kRank) {}

}  // namespace slipstick
