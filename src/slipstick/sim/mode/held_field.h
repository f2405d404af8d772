#pragma once

/// Forces and accelerations of contacts that stick or have no friction, without the inverse of the
/// mass matrix.

#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// Solves M v' - W f = -h with W^T v' = -bias for both at once. Where a foot is light, M^-1 W is
/// large, and the acceleration that a closed contact leaves is a small difference of large numbers;
/// here nothing is large. Writes v', and f_n, f_t of every closed contact. False if the equations
/// are singular. Not for contacts that slide with friction.
[[nodiscard]] bool write_held_field(const Model& model, const Mode& mode, const State& state,
                                    double* acceleration, double* force);

}  // namespace slipstick
