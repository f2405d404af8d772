#pragma once

/// p, b and the matrix P of the contacts that slide: a_n = b + P f_n as long as they slide.

#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/mode_word.h"

namespace slipstick {

/// Of a contact that does not slide: NaN.
[[nodiscard]] SlidingRow eval_sliding_row(const Model& model, const ModeWord& modes,
                                          const State& state);

/// All of it for the contacts that slide in a mode.
[[nodiscard]] Sliding eval_sliding(const Model& model, const ModeWord& modes, const State& state);

[[nodiscard]] Sliding eval_sliding(const ContactProblem& problem,
                                   const std::vector<std::string>& contact_names,
                                   const Tolerances& tolerances);

}  // namespace slipstick
