#pragma once

/// Steps of a gait: from just after a collision of the section's contact to just after its next
/// one, once or several times, in the names that hold then.

#include <string>

#include "slipstick/gait.h"
#include "slipstick/model/model.h"
#include "slipstick/why.h"

namespace slipstick {

/// Follows the motion from a state, at time zero, for this many steps. Besides `keep_going`, a
/// limit on the steps of the integration ends a motion that becomes too fast.
[[nodiscard]] Walk walk(const Model& model, const State& start, int steps,
                        const SimulationOptions& options);

/// The shape of the section of a single state: what is zero there.
[[nodiscard]] SectionShape find_shape(const Model& model, const State& state);

/// When and how a run ended that did not reach the section.
[[nodiscard]] Why explain_failure(const Model& model, const Run& run, double time);

/// The relabelling after an impact of these contacts, if there is one.
[[nodiscard]] const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts);

}  // namespace slipstick
