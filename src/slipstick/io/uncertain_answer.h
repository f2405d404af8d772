#pragma once

/// What uncertain parameters and initial values make of an answer: --uncertain beside the answer
/// for the model's own values.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/ranges.h"
#include "slipstick/model_file.h"
#include "slipstick/uncertainty.h"

namespace slipstick {

/// What is asked.
struct UncertainAsk {
  std::vector<UncertainName> values;
  int draws = 1024;
  /// The outcome for a model with drawn values; several threads call it. If it throws InputError
  /// the outcome is `refused`, if std::domain_error `failure`.
  std::function<Outcome(const LoadedModel&, std::span<const double> drawn)> find;
  std::function<bool(long)> keep_going{};  ///< as in UncertainQuestion
};

/// Parses each as parse_uncertain() does. Throws InputError also for a name that is given twice.
[[nodiscard]] std::vector<UncertainName> parse_all_uncertain(const LoadedModel& loaded,
                                                             const std::string& option,
                                                             const std::vector<std::string>& texts);

/// The shares of the outcomes.
[[nodiscard]] OutcomeShares find_uncertain(const LoadedModel& loaded, const UncertainAsk& ask);

/// Adds the keys `uncertain`, `draws`, `shares`, `numbers` and, where an outcome has a reason,
/// `why`.
void add_uncertain(const std::vector<UncertainName>& values, const OutcomeShares& found,
                   Json& document);

/// The same in words.
[[nodiscard]] std::string describe_uncertain(const std::vector<UncertainName>& values,
                                             const OutcomeShares& found);

}  // namespace slipstick
