#pragma once

/// The outcomes of a question at parts of its axes, counted, with numbers for labels. Internal to
/// this folder.

#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "slipstick/outcomes.h"

namespace slipstick {

/// An outcome whose label is a number. The numbers follow the order of the threads' work, so they
/// serve to compare, never to sort.
struct FoundOutcome {
  int label = -1;  ///< -1: the work was stopped
  double number = 0.0;
  std::vector<double> margins;
  double tolerance = 0.0;  ///< as in Outcome
};

/// Several threads may use it.
class CountedOutcomes {
 public:
  explicit CountedOutcomes(const OutcomeQuestion& question) : question_(question) {}

  /// The outcome at parts of the axes, from 0 to 1.
  [[nodiscard]] FoundOutcome find(std::span<const double> parts);

  [[nodiscard]] bool is_stopped() const { return stopped_; }
  [[nodiscard]] long count() const { return count_; }
  [[nodiscard]] std::string name(int label) const;
  /// Why outcomes with this label are no answers: the first reason in alphabetical order, so that
  /// threads change nothing. Empty if they are.
  [[nodiscard]] std::string why(int label) const;

 private:
  [[nodiscard]] int number_of(const Outcome& outcome);
  /// The range of the question's levels in which a number lies, as a label.
  [[nodiscard]] std::string name_range(double number) const;

  const OutcomeQuestion& question_;
  std::atomic<long> count_ = 0;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, int> numbers_;
  std::vector<std::string> names_, whys_;
};

}  // namespace slipstick
