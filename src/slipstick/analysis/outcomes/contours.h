#pragma once

/// Contours of numbers over two axes. Internal to this folder.

#include <span>
#include <vector>

#include "slipstick/outcomes.h"

namespace slipstick {

/// At round levels, by linear interpolation in the triangles of the grid; the first axis of
/// `numbers` is the fastest. Triangles with a point that has no number are left out.
[[nodiscard]] std::vector<OutcomeContour> find_contours(const OutcomeAxis& first,
                                                        const OutcomeAxis& second,
                                                        std::span<const double> numbers);

}  // namespace slipstick
