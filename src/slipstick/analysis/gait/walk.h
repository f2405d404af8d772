#pragma once

/// Steps of a gait: from just after the section's contact has collided to just after it has done so
/// again, once or several times, in the names that hold then.

#include <string>

#include "slipstick/gait.h"
#include "slipstick/why.h"

namespace slipstick {

/// Follows the motion from a state, at time zero, over this many steps. Besides `keep_going`, a
/// limit on the integration's own steps ends a motion that becomes too fast.
[[nodiscard]] Walk walk(const Model& model, const State& start, int steps,
                        const SimulationOptions& options);

/// The same of a single state: what is zero there.
[[nodiscard]] SectionShape find_shape(const Model& model, const State& state);

/// When and how a run ended that did not reach the section, in words.
[[nodiscard]] Why explain_failure(const Model& model, const Run& run, double time);

/// The relabelling that an impact of these contacts brings, if any.
[[nodiscard]] const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts);

}  // namespace slipstick
