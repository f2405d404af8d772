#include "describe_outcomes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace slipstick::cli {
namespace {

/// Rows of a list that are printed; the files have all of them.
constexpr std::size_t kMostRows = 24;

std::string describe_rest(std::size_t rows, const char* what) {
  if (rows <= kMostRows) return "";
  return fmt::format("... and {} more {}\n", rows - kMostRows, what);
}

std::string describe_question(const OutcomesAnswer& answer) {
  std::string out = "asked: " + answer.verb + (answer.key.empty() ? "" : " " + answer.key) + "\n";
  for (const OutcomeAxis& axis : answer.axes) {
    out += fmt::format("over:  {} = {:.10g} to {:.10g}, {} points{}\n", axis.name, axis.range.low,
                       axis.range.high, axis.count, axis.logarithmic ? ", equal ratios" : "");
  }
  for (const UncertainName& name : answer.uncertain) {
    out += fmt::format("uncertain: {} = {}\n", name.name, name.written);
  }
  return out + "\n";
}

const std::string& label_of(const OutcomeMap& map, int label) {
  return map.labels[static_cast<std::size_t>(label)];
}

std::string describe_line(const OutcomeMap& map) {
  std::string out = fmt::format("{:<18} {:<18} {}\n", "from", "to", "outcome");
  for (std::size_t i = 0; i < std::min(map.intervals.size(), kMostRows); ++i) {
    const OutcomeInterval& interval = map.intervals[i];
    out += fmt::format("{:<18.12g} {:<18.12g} {}\n", interval.from, interval.to,
                       label_of(map, interval.label));
  }
  out += describe_rest(map.intervals.size(), "intervals") + "\n";
  if (map.thresholds.empty()) return out;
  out += fmt::format("{:<18} {:<10} {}\n", "threshold", "+-", "between");
  for (std::size_t i = 0; i < std::min(map.thresholds.size(), kMostRows); ++i) {
    const OutcomeThreshold& threshold = map.thresholds[i];
    out +=
        fmt::format("{:<18.12g} {:<10.2g} {} | {}{}\n", threshold.value, threshold.error,
                    label_of(map, threshold.between[0]), label_of(map, threshold.between[1]),
                    threshold.decided_by_rounding ? "   (rounding decides within the error)" : "");
  }
  return out + describe_rest(map.thresholds.size(), "thresholds");
}

std::string describe_counts(const OutcomeMap& map) {
  std::vector<long> counts(map.labels.size());
  for (const int cell : map.cells) {
    if (cell >= 0) ++counts[static_cast<std::size_t>(cell)];
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(counts.size(), kMostRows); ++i) {
    out +=
        fmt::format("{:9} points, {:6.2f} %   {}\n", counts[i],
                    100.0 * static_cast<double>(counts[i]) / static_cast<double>(map.cells.size()),
                    map.labels[i]);
  }
  return out + describe_rest(counts.size(), "outcomes");
}

std::string describe_borders(const OutcomesAnswer& answer) {
  const OutcomeMap& map = answer.map;
  std::string out;
  for (std::size_t i = 0; i < std::min(map.borders.size(), kMostRows); ++i) {
    const OutcomeBorder& border = map.borders[i];
    out += fmt::format("border of {} points between {} | {}\n", border.points.size(),
                       label_of(map, border.between[0]), label_of(map, border.between[1]));
  }
  out += describe_rest(map.borders.size(), "borders");
  for (std::size_t i = 0; i < std::min(map.corners.size(), kMostRows); ++i) {
    const OutcomeCorner& corner = map.corners[i];
    out += fmt::format("corner at {} = {:.9g}, {} = {:.9g}:", answer.axes[0].name, corner.at.x(),
                       answer.axes[1].name, corner.at.y());
    for (std::size_t k = 0; k < corner.labels.size(); ++k) {
      out += (k == 0 ? " " : " | ") + label_of(map, corner.labels[k]);
    }
    out += "\n";
  }
  return out + describe_rest(map.corners.size(), "corners");
}

/// The reasons of outcomes that are no answers, and what the search did not resolve.
std::string describe_gaps(const OutcomeMap& map) {
  std::string out;
  for (std::size_t i = 0; i < map.whys.size(); ++i) {
    if (!map.whys[i].empty()) out += fmt::format("{}: {}\n", map.labels[i], map.whys[i]);
  }
  if (map.unresolved > 0) {
    out += fmt::format(
        "{} cells are not resolved: outcomes alternate there more often than the search follows\n",
        map.unresolved);
  }
  return out;
}

/// Of one axis the numbers themselves, of more their range.
std::string describe_numbers(const OutcomesAnswer& answer) {
  const std::vector<double>& numbers = answer.map.numbers;
  std::string out;
  if (answer.axes.size() == 1) {
    const OutcomeAxis& axis = answer.axes[0];
    out = fmt::format("{:<18} {}\n", axis.name, answer.key);
    for (std::size_t i = 0; i < std::min(numbers.size(), kMostRows); ++i) {
      out += fmt::format("{:<18.12g} {}\n", axis.value(i),
                         std::isfinite(numbers[i]) ? fmt::format("{:.12g}", numbers[i]) : "-");
    }
    return out + describe_rest(numbers.size(), "values");
  }
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    least = std::min(least, number);
    most = std::max(most, number);
  }
  return fmt::format("values from {:.12g} to {:.12g}\n", least, most);
}

std::string describe_map(const OutcomesAnswer& answer) {
  const OutcomeMap& map = answer.map;
  std::string out;
  if (answer.axes.empty()) {
    const double value = map.numbers[0];
    out =
        std::isfinite(value) ? fmt::format("{:.12g}\n", value) : label_of(map, map.cells[0]) + "\n";
    return out + describe_gaps(map);
  }
  const bool is_line = answer.axes.size() == 1;
  if (has_numbers(map)) out += describe_numbers(answer);
  if (!has_numbers(map) || map.labels.size() > 1)
    out += is_line ? describe_line(map) : describe_counts(map);
  if (answer.axes.size() == 2) out += describe_borders(answer);
  return out + describe_gaps(map) + fmt::format("\n{} evaluations\n", map.found);
}

std::string describe_shares_of(const OutcomeShares& shares) {
  std::string out;
  for (const OutcomeShare& share : shares.shares) {
    out += fmt::format("{:8.4f} % +- {:<8.2g} {}{}\n", 100.0 * share.share, 100.0 * share.error,
                       share.label, share.why.empty() ? "" : " (" + share.why + ")");
  }
  if (const auto& spread = shares.numbers) {
    out += fmt::format("mean {:.10g} +- {:.2g}, deviation {:.6g}, 90 % in {:.10g} to {:.10g}\n",
                       spread->mean, spread->error, spread->deviation, spread->low, spread->high);
  }
  return out;
}

std::string describe_shares(const OutcomesAnswer& answer) {
  std::string out;
  for (std::size_t i = 0; i < std::min(answer.shares.size(), kMostRows); ++i) {
    const std::vector<double> values = list_values_at(answer.axes, i);
    for (std::size_t k = 0; k < values.size(); ++k) {
      out += fmt::format("{}{} = {:.10g}", k == 0 ? "" : ", ", answer.axes[k].name, values[k]);
    }
    if (!values.empty()) out += "\n";
    out += describe_shares_of(answer.shares[i]);
  }
  return out + describe_rest(answer.shares.size(), "points") +
         fmt::format("\n{} draws per point\n", answer.shares.front().draws);
}

std::string describe_side(const std::optional<OutcomeSide>& side, const char* word) {
  if (!side) return fmt::format("no other outcome {}", word);
  return fmt::format("{} by {:.9g}: {}", word, side->distance, side->label);
}

std::string describe_margins(const OutcomesAnswer& answer) {
  std::string out = answer.margins.empty() ? "" : "\nmargins: the outcome changes if\n";
  for (const OutcomeMargin& margin : answer.margins) {
    out +=
        fmt::format("{:<12} {:.10g} moves {}; {}   (looked at {:.6g} to {:.6g})\n", margin.name,
                    margin.value, describe_side(margin.below, "down"),
                    describe_side(margin.above, "up"), margin.searched.low, margin.searched.high);
  }
  return out;
}

}  // namespace

std::string describe_outcomes(const LoadedModel& loaded, const OutcomesAnswer& answer) {
  return fmt::format("{}: {}\n\n", loaded.model->name, loaded.model->title) +
         describe_question(answer) +
         (answer.uncertain.empty() ? describe_map(answer) : describe_shares(answer)) +
         describe_margins(answer);
}

}  // namespace slipstick::cli
