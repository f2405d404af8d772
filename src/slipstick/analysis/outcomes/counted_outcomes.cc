#include "slipstick/analysis/outcomes/counted_outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace slipstick {

FoundOutcome CountedOutcomes::find(std::span<const double> parts) {
  if (stopped_) return {};
  std::vector<double> values;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    values.push_back(question_.axes[k].value_at(parts[k]));
  }
  Outcome found = question_.find(values);
  const long count = ++count_;
  if (question_.keep_going && !question_.keep_going(count)) stopped_ = true;
  if (found.label.empty()) {
    stopped_ = true;
    return {};
  }
  if (!question_.levels.empty() && std::isfinite(found.number)) {
    found.label = name_range(found.number);
  }
  return {number_of(found), found.number, std::move(found.margins), found.tolerance};
}

std::string CountedOutcomes::name_range(double number) const {
  const std::vector<double>& levels = question_.levels;
  const auto above = std::upper_bound(levels.begin(), levels.end(), number);
  if (above == levels.begin()) return fmt::format("below {:.10g}", levels.front());
  if (above == levels.end()) return fmt::format("from {:.10g}", levels.back());
  return fmt::format("{:.10g} to {:.10g}", *(above - 1), *above);
}

std::string CountedOutcomes::name(int label) const {
  const std::lock_guard lock(mutex_);
  return names_[static_cast<std::size_t>(label)];
}

std::string CountedOutcomes::why(int label) const {
  const std::lock_guard lock(mutex_);
  return whys_[static_cast<std::size_t>(label)];
}

int CountedOutcomes::number_of(const Outcome& outcome) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = numbers_.try_emplace(outcome.label, static_cast<int>(names_.size()));
  if (is_new) {
    names_.push_back(outcome.label);
    whys_.push_back(outcome.why);
  }
  std::string& why = whys_[static_cast<std::size_t>(place->second)];
  if (why.empty() || (!outcome.why.empty() && outcome.why < why)) why = outcome.why;
  return place->second;
}

}  // namespace slipstick
