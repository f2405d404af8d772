#pragma once

/// Questions of the command line about one state, as functions of parameters and initial values.

#include <functional>
#include <string>
#include <vector>

#include "slipstick/io/refusal.h"
#include "slipstick/model_file.h"
#include "slipstick/outcomes.h"

namespace slipstick {

/// What is asked at each point.
struct Ask {
  std::string verb = "simulate";
  std::string key;            ///< pointer to a value of the verb's document; empty: its own label
  RunQuestion run;            ///< of simulate without a key
  SimulationOptions options;  ///< of motions
  /// Those at other values, where they depend on them, as an end that names a parameter does.
  std::function<SimulationOptions(const LoadedModel&)> make_options{};
};

/// Completes the question: the verb's usual key. Throws InputError if there is no such verb, or if
/// its document has no such value at the model's own state.
[[nodiscard]] Ask check_ask(Ask ask, const LoadedModel& loaded);

/// The answer about one model. A value that is a number is the outcome's number; others are its
/// label. A model that the question does not take is `refused`, one whose numerics fail a
/// `failure`, both with the reason.
[[nodiscard]] Outcome answer_ask(const Ask& ask, const LoadedModel& loaded);

/// The same at other values of parameters, coordinates and rates. Every tenth run is checked
/// against the laws, whatever the order of the calls, if `ask` says so.
[[nodiscard]] std::function<Outcome(std::span<const double>)> make_asker(
    Ask ask, LoadedModel loaded, std::vector<std::string> names);

}  // namespace slipstick
