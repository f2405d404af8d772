#pragma once

/// The work done within a step, from the forces that the motion reports.

#include "slipstick/sim/check/mechanism.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick::check {

/// Adds the work of loads, surfaces, friction and dampers from the step's start to a theta of it.
void add_step_work(Mechanism& mechanism, const Mode& mode, const Segment& step, double theta,
                   Balance& work);

}  // namespace slipstick::check
