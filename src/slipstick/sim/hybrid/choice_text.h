#pragma once

/// Choices in words by which a person can choose: what moves how.

#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/model/model.h"
#include "slipstick/run.h"
#include "slipstick/sim/hybrid/contact_set.h"

namespace slipstick {

/// A mode, e.g. "A lifts off, B keeps sliding to the left with f_n = 4.5 N". `before`: the modes
/// until then.
[[nodiscard]] std::string describe_mode(const Model& model, const ModeWord& before,
                                        const ModeSolution& solution);

/// An outcome of an impact, e.g. "A slides to the right at 0.5 m/s after an impulse of 2 N s".
/// `state`, `contacts`: after it.
[[nodiscard]] std::string describe_outcome(const Model& model, const State& state,
                                           const ContactSet& contacts, const ImpactRecord& record);

/// "A lifts off", "A and B lift off".
[[nodiscard]] std::string describe_lift_off(const Model& model, const std::vector<int>& contacts);

/// "an impact without collision at A".
[[nodiscard]] std::string describe_impulse(const Model& model, const std::vector<int>& contacts);

/// "A and B".
[[nodiscard]] std::string list_contact_names(const Model& model, const std::vector<int>& contacts);

}  // namespace slipstick
