#pragma once

/// The units of a coordinate and of time, so that tolerances do not depend on the units of the
/// input.

#include "slipstick/model/model.h"

namespace slipstick {

/// One radian for an angle, its tree's length for a slide.
[[nodiscard]] VecQ make_coordinate_scale(const Model& model);

/// Per coordinate the largest value of all that move the same tree of bodies.
[[nodiscard]] VecQ spread_over_groups(const Model& model, const VecQ& values);

/// A VecQ, or as many numbers within a larger array.
using Rates = Eigen::Ref<const VecQ>;

/// How fast the state changes [1/s]: the largest rate per unit `scale` of the coordinate, or the
/// larger of that and the square roots of accelerations.
[[nodiscard]] double eval_rate_scale(const VecQ& scale, const Rates& v);
[[nodiscard]] double eval_rate_scale(const VecQ& scale, const Rates& v, const Rates& acceleration);

/// Largest turn rate of a body [rad/s], of rates of the coordinates.
[[nodiscard]] double eval_turn_scale(const Model& model, const Rates& v);

}  // namespace slipstick
