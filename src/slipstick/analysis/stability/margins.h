#pragma once

/// How far a verdict is from changing.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/stability/stability.h"

namespace slipstick {

/// Where the verdict changes on one side of the present value.
struct Border {
  double distance = 0.0;                  ///< of the parameter; 0: the present value is a border
  Verdict verdict = Verdict::kUndecided;  ///< beyond it
  Theorem theorem = Theorem::kNone;
};

/// The nearest borders when one quantity changes and all others stay.
struct Margin {
  std::string name;
  std::optional<double> value;         ///< at present; none: changes are measured from here
  std::optional<int> contact;          ///< of a friction coefficient: in the model's order
  std::optional<Border> below, above;  ///< none: not within the range searched
};

/// Margins in the friction of both contacts, in the place of the centre of mass (world axes [m])
/// and in the slope (the load's direction, counter-clockwise [rad]); the last three are changes.
/// Searched up to friction 0 and one more, the distance between the contacts, and a quarter turn.
/// Borders are located to 1e-14 of these; a verdict that holds on less than a thousandth of the
/// range can be missed.
[[nodiscard]] std::vector<Margin> find_margins(const TwoContactBody& body,
                                               const Tolerances& tolerances);

}  // namespace slipstick
