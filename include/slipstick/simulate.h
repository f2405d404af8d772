#pragma once

/// Motions of a model: docs/theory/motion.md.
///
///     const slipstick::Run run = slipstick::simulate(*arm.model, arm.initial, {});
///     std::cout << "ended by " << find_word(slipstick::kEndReasons, run.end.reason) << '\n';

#include "slipstick/model.h"
#include "slipstick/run.h"

namespace slipstick {

/// Follows the motion from a state in which no contact is penetrated. If the options ask for
/// branching, the run ends at the first choice.
[[nodiscard]] Run simulate(const Model& model, const State& initial,
                           const SimulationOptions& options);

/// Follows every choice for which the options ask for branching.
[[nodiscard]] RunTree simulate_tree(const Model& model, const State& initial,
                                    const SimulationOptions& options);

}  // namespace slipstick
