#pragma once

/// Answers for parameters that are known as distributions: which outcomes occur, and how often.
///
///     slipstick::UncertainQuestion question;
///     question.values = {slipstick::make_uniform(0.3, 0.4)};
///     question.find = [&](std::span<const double> at) {
///       const auto other = slipstick::make_with_parameters(wheel, {"mu"}, at);
///       return slipstick::find_class_outcome(*other.model, other.initial);
///     };
///     for (const auto& share : slipstick::find_shares(question).shares) {
///       std::cout << share.label << ": " << share.share << " +- " << share.error << '\n';
///     }

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/outcomes.h"

namespace slipstick {

/// How an uncertain value is distributed.
enum class DistributionKind {
  kUniform,     ///< between low and high
  kNormal,      ///< with a mean and a deviation
  kTriangular,  ///< from low over the most likely value to high
  kTruncated,   ///< normal, but only between low and high
};

/// An uncertain value.
struct Distribution {
  DistributionKind kind = DistributionKind::kUniform;  ///< its form
  double low = 0.0, high = 0.0;  ///< bounds; infinite ones of a normal distribution
  double middle = 0.0;           ///< mean of a normal one before it is cut, mode of a triangle
  double deviation = 0.0;        ///< of a normal one

  /// The value below which a part of the values lies, 0 < part < 1.
  [[nodiscard]] double quantile(double part) const;
};

/// Uniform between two values.
[[nodiscard]] Distribution make_uniform(double low, double high);

/// What is asked.
struct UncertainQuestion {
  std::vector<Distribution> values;  ///< independent of each other
  /// The outcome at drawn values, in their order. Several threads call it.
  std::function<Outcome(std::span<const double>)> find;
  int draws = 1024;        ///< rounded up to a multiple of kReplicates
  std::uint64_t seed = 1;  ///< of the random shifts of the points
  /// Called after every outcome with the number of those found so far; false stops the work.
  std::function<bool(long)> keep_going{};
};

/// Independent sets of points. The spread of their shares tells the error of the mean.
inline constexpr int kReplicates = 16;

/// How often an outcome occurs.
struct OutcomeShare {
  std::string label;   ///< of the outcome
  double share = 0.0;  ///< from 0 to 1; rarer outcomes than one draw may not be drawn at all
  double error = 0.0;  ///< standard error; never less than one draw is worth
  std::string why;     ///< of one that has no answer
};

/// Where the numbers of the outcomes lie.
struct NumberSpread {
  double mean = 0.0, deviation = 0.0;          ///< of all
  double error = 0.0;                          ///< standard error of the mean
  double low = 0.0, median = 0.0, high = 0.0;  ///< quantiles 5 %, 50 %, 95 %
  double least = 0.0, most = 0.0;              ///< of those drawn
};

/// The answer.
struct OutcomeShares {
  std::vector<OutcomeShare> shares;     ///< the most frequent first
  std::optional<NumberSpread> numbers;  ///< if outcomes are numbers
  int draws = 0;                        ///< that were made
  bool complete = true;                 ///< false: the work was stopped, and nothing else is set
};

/// Draws values from points that fill the unit cube evenly (Sobol's sequence, as many dimensions as
/// values, at most 3666), shifted at random by kReplicates shifts, and counts the outcomes. The
/// result does not depend on the number of threads.
[[nodiscard]] OutcomeShares find_shares(const UncertainQuestion& question);

}  // namespace slipstick
