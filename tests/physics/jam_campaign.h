#pragma once

/// Random motions of the built-in models through paradox and jam, at random tolerances, by random
/// policies and laws.

#include <cstdint>

#include "physics/runs.h"

namespace slipstick::testkit {

/// Initial values, parameters and tolerance (1e-4 to 1e-13) are drawn evenly; every other run keeps
/// the model's own impact law.
[[nodiscard]] Case make_random_jam(std::uint64_t seed);

/// As arguments of `simulate`.
[[nodiscard]] std::string describe(const Case& in);

}  // namespace slipstick::testkit
