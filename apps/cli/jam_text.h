#pragma once

/// Jams in words.

#include <string>
#include <vector>

#include "slipstick/io/jam_questions.h"
#include "slipstick/jam.h"

namespace slipstick::cli {

/// NAME from A to B, ...
[[nodiscard]] std::string describe_shapes(const Model& model,
                                          const std::vector<CoordinateRange>& range);

/// mu_min and mu_jam of one answer with where they are, two lines.
[[nodiscard]] std::string describe_frictions(const Model& model, const CriticalFriction& critical);

/// The whole answer.
[[nodiscard]] std::string describe_jam(const Model& model, const JamAnswer& answer);

/// The set of initial conditions that jam.
[[nodiscard]] std::string describe_jam_set(const JamSet& set);
/// The parameter that prevents it.
[[nodiscard]] std::string describe_prevention(const PreventionAnswer& answer);

}  // namespace slipstick::cli
