#pragma once

/// Which value of a parameter keeps a mechanism from the paradox, or from a jam with unbounded
/// force. docs/theory/jamming.md.
///
///     slipstick::PreventionQuestion question{0.0385, {0.01, 0.2}};
///     question.find = [&](double gyration) { ... };  // frictions of the model with that value
///     const auto answer = slipstick::find_prevention(question);
///     if (answer.paradox.value) std::cout << "none from " << *answer.paradox.value << '\n';

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/interval.h"
#include "slipstick/why.h"

namespace slipstick {

/// The frictions that a model with one value of the parameter needs.
struct FrictionAt {
  double value = 0.0;            ///< of the parameter
  double mu = 0.0;               ///< of the model
  std::optional<double> mu_min;  ///< for the paradox; nothing: no friction makes one
  std::optional<double> mu_jam;  ///< for an unbounded force; nothing: none does
  Why why;                       ///< why there is neither: the model cannot be made, say
  Why no_jam;                    ///< why there is no mu_jam
};

/// What is asked.
struct PreventionQuestion {
  double value = 0.0;  ///< of the parameter at present
  Interval searched;   ///< of values
  int count = 41;      ///< points of the curve
  /// The frictions at a value. Several threads call it.
  std::function<FrictionAt(double)> find{};
};

/// The border between values that can be paradoxical (that can jam) and those that cannot.
struct PreventionBorder {
  bool is_free = false;         ///< at present
  std::optional<double> value;  ///< the nearest border; nothing: not within the range
  double error = 0.0;           ///< half of the bracket
  bool is_free_above = false;   ///< on which side of it the mechanism is free
  Why why;                      ///< why there is none
};

/// The answer.
struct Prevention {
  FrictionAt present;             ///< at the present value
  std::vector<FrictionAt> curve;  ///< over the range
  PreventionBorder paradox, jam;  ///< where mu_min and where mu_jam is the model's friction
};

/// Finds the curve on all cores and the borders to 1e-12 of the range. A border between two points
/// of the curve that are alike is not seen.
[[nodiscard]] Prevention find_prevention(const PreventionQuestion& question);

}  // namespace slipstick
