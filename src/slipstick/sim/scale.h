#pragma once

/// What counts as one unit of a coordinate and of time, so that tolerances do not depend on units.

#include "slipstick/model/model.h"

namespace slipstick {

/// One radian for an angle, the model's length for a slide.
[[nodiscard]] VecQ make_coordinate_scale(const Model& model);

/// How fast the state changes [1/s]: the larger of rates and square roots of accelerations, per
/// unit `scale` of the coordinate.
[[nodiscard]] double eval_rate_scale(const VecQ& scale, const VecQ& v, const VecQ& acceleration);

/// Times closer than this, of the motion's own time scale, are one.
inline constexpr double kTogether = 1e-11;

/// The time from which on a run until `until` is over: what is left is rounding [s].
[[nodiscard]] double find_last_time(double until);

}  // namespace slipstick
