#pragma once

/// What documents show of the maps behind a stability report.

#include "slipstick/analysis/stability/stability.h"

namespace slipstick {

struct StabilityMaps {
  ZeroOrder dynamics;  ///< in the order of contacts that the maps use
  ReturnMap maps;
};

}  // namespace slipstick
