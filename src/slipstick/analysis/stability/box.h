#pragma once

/// The verdict over a whole box of parameters.

#include <span>
#include <vector>

#include "slipstick/analysis/stability/stability.h"

namespace slipstick {

/// Judges a grid over the box and locates the borders between neighbours on it.
[[nodiscard]] BoxVerdict find_box_verdict(const MakeBody& make_body, std::span<const Interval> box,
                                          const Tolerances& tolerances);

}  // namespace slipstick
