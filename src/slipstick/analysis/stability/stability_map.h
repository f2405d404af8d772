#pragma once

/// Verdicts over one or two parameters.

#include <vector>

#include "slipstick/analysis/stability/box.h"

namespace slipstick {

struct StabilityAxis {
  Interval range;
  int count = 2;  ///< points, ends included

  [[nodiscard]] double value(std::size_t i) const {
    const double part = static_cast<double>(i) / (count - 1);
    return (1.0 - part) * range.low + part * range.high;
  }
};

/// Points at which two verdicts meet, each on a line of the grid, to 1e-9 of the axis.
struct StabilityBorder {
  Verdict from = Verdict::kUndecided, to = Verdict::kUndecided;  ///< in the order of verdicts
  std::vector<Vec2> points;  ///< with one axis the second number is 0
};

struct StabilityMap {
  std::vector<std::vector<Verdict>> verdicts;  ///< [second axis][first axis]; one axis: one row
  std::vector<std::vector<Theorem>> theorems;
  std::vector<std::vector<double>> growths;  ///< largest at a fixed point; NaN: none
  std::vector<StabilityBorder> borders;
};

/// Told the number of rows that are done; false ends the work, with what is done.
using MapProgress = std::function<bool(int)>;

/// Judges every point, on all cores. The result does not depend on their number.
[[nodiscard]] StabilityMap find_stability_map(const MakeBody& make_body,
                                              std::span<const StabilityAxis> axes,
                                              const Tolerances& tolerances,
                                              const MapProgress& progress = {});

}  // namespace slipstick
