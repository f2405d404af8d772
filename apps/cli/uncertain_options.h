#pragma once

/// --uncertain and --draws of verbs that answer for one model: the shares of their outcomes beside
/// the answer for the model's own values.

#include <CLI/App.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "options.h"
#include "slipstick/outcomes.h"

namespace slipstick::cli {

struct UncertainOptions {
  std::vector<std::string> values;  ///< NAME=DISTRIBUTION
  int draws = 1024;
};

void add_uncertain_options(CLI::App& verb, UncertainOptions& options);

/// The names of the uncertain values, in the order of the drawn ones.
[[nodiscard]] std::vector<std::string> list_names(const LoadedModel& loaded,
                                                  const UncertainOptions& options);

/// Throws InputError if a value is not one of this model.
void check_uncertain(const LoadedModel& loaded, const UncertainOptions& options);

/// The outcome for a model with drawn values.
using FindDrawn = std::function<Outcome(const LoadedModel&, std::span<const double> drawn)>;

/// Adds the shares to the result if they are asked for, with progress on a terminal. Returns
/// kAnswered, kNumerics if the numerics failed at some draw, or the code of an interruption.
int add_shares(const LoadedModel& loaded, const UncertainOptions& options, FindDrawn find,
               Result& result);

}  // namespace slipstick::cli
