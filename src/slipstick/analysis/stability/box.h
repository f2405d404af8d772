#pragma once

/// The verdict over a whole box of parameters.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "slipstick/analysis/stability/stability.h"
#include "slipstick/core/roots.h"

namespace slipstick {

/// Gives the body at values of the uncertain parameters.
using MakeBody = std::function<TwoContactBody(std::span<const double>)>;

/// Two points of the box, a rounding apart along one axis, with different verdicts.
struct BoxBorder {
  std::vector<double> at;
  Verdict from = Verdict::kUndecided, to = Verdict::kUndecided;
  std::size_t axis = 0;
};

struct BoxVerdict {
  std::vector<Verdict> verdicts;   ///< all that occur on the grid, each once, in their order
  int points = 0;                  ///< of the grid, corners included
  std::vector<BoxBorder> borders;  ///< one per pair of verdicts that meet, nearest the box's middle
};

/// Judges a grid over the box and locates the borders between neighbours on it.
[[nodiscard]] BoxVerdict find_box_verdict(const MakeBody& make_body, std::span<const Interval> box,
                                          const Tolerances& tolerances);

}  // namespace slipstick
