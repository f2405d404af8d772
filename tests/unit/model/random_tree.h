#pragma once

#include <random>

#include "slipstick/model/model.h"

namespace slipstick {

/// A random tree of up to `bodies` bodies with every kind of joint, springs, dampers, forces, discs
/// and moving surfaces, within the limits on coordinates.
[[nodiscard]] ModelSpec make_random_spec(std::mt19937_64& random, int bodies);

/// Random coordinates and rates of order 1.
[[nodiscard]] State make_random_state(std::mt19937_64& random, const Model& model);

}  // namespace slipstick
