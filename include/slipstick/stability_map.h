#pragma once

/// Verdicts about a rest on two contacts over one or two parameters.
///
///     const auto loaded = slipstick::read_model("two-contact-body", {});
///     const auto bodies = slipstick::make_body_family(loaded, {"alpha", "mu1"}, {});
///     const std::array<slipstick::StabilityAxis, 2> axes{{{{0.1, 0.6}, 100}, {{0.0, 1.0}, 100}}};
///     const slipstick::StabilityMap map = slipstick::find_stability_map(bodies, axes, {});

#include <functional>
#include <span>
#include <vector>

#include "slipstick/stability.h"

namespace slipstick {

/// One parameter of the map.
struct StabilityAxis {
  Interval range;  ///< of its values
  int count = 2;   ///< points, ends included

  /// The value of a point.
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

/// The whole map.
struct StabilityMap {
  std::vector<std::vector<Verdict>> verdicts;  ///< [second axis][first axis]; one axis: one row
  std::vector<std::vector<Theorem>> theorems;  ///< as `verdicts`
  std::vector<std::vector<double>> growths;    ///< largest at a fixed point; NaN: none
  std::vector<StabilityBorder> borders;        ///< between unlike neighbours
};

/// Called with the number of finished rows; false ends the work and keeps what is done.
using MapProgress = std::function<bool(int)>;

/// Computes the verdict at every point, on all cores. The result does not depend on their number.
[[nodiscard]] StabilityMap find_stability_map(const MakeBody& make_body,
                                              std::span<const StabilityAxis> axes,
                                              const Tolerances& tolerances,
                                              const MapProgress& progress = {});

}  // namespace slipstick
