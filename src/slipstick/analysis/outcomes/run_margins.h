#pragma once

/// How near a motion comes to other events. Internal to the analyses.

#include <vector>

#include "slipstick/model/model.h"
#include "slipstick/run.h"

namespace slipstick {

/// The least gap, normal force, friction left and slip of every contact up to an event of the run;
/// null: up to its end. NaN: the contact has no such value, or the event itself made it zero. The
/// run has its trajectory.
[[nodiscard]] std::vector<double> find_run_margins(const Model& model, const Run& run,
                                                   const Event* last);

}  // namespace slipstick
