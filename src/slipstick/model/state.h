#pragma once

#include "slipstick/core/linalg.h"

namespace slipstick {

struct State {
  double time = 0.0;  ///< [s]
  VecQ q;             ///< coordinates [m, rad]
  VecQ v;             ///< their rates [m/s, rad/s]
};

}  // namespace slipstick
