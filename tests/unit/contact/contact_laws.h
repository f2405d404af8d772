#pragma once

/// Signorini's and Coulomb's laws, checked one by one on a solution, straight from G and a_free.

#include <string>

#include "slipstick/contact/modes.h"

namespace slipstick {

/// The first law that a solution breaks, in words; empty if it keeps them all. For problems of
/// order 1: `tolerance` is relative to 1 and the terms of each quantity.
[[nodiscard]] std::string find_broken_law(const ContactProblem& problem,
                                          const ModeSolution& solution, double tolerance);

/// The difference of two lists of solutions; empty if there is none. Unique forces are compared
/// directly, families by their ranges. `tolerance` is relative to the largest force of a solution.
[[nodiscard]] std::string find_difference(const ModeList& expected, const ModeList& actual,
                                          double tolerance);

/// The words, e.g. "FP PP".
[[nodiscard]] std::string list_words(const ModeList& solutions);

}  // namespace slipstick
