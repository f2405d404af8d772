#pragma once

/// Random motions of the built-in models that can jam, at random tolerances.

#include <cstdint>

#include "physics/runs.h"

namespace slipstick::testkit {

/// One of six models, with initial values, friction and tolerance (1e-4 to 1e-13) drawn evenly.
[[nodiscard]] Case make_random_jam(std::uint64_t seed);

/// Its model and its overrides as arguments of `simulate`.
[[nodiscard]] std::string describe(const Case& in);

}  // namespace slipstick::testkit
