#include <array>
#include <cmath>
#include <vector>

#include "slipstick/analysis/outcomes/changes.h"
#include "slipstick/analysis/outcomes/counted_outcomes.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/outcomes.h"

namespace slipstick {
namespace {

/// The first change on the way from a value to the end of its range.
std::optional<OutcomeSide> find_side(double value, double end,
                                     const std::function<Outcome(double)>& find,
                                     const std::vector<double>& levels) {
  OutcomeQuestion question;
  question.axes = {{"", {value, end}, 2, false}};  // a way, in either direction
  question.find = [&](std::span<const double> at) { return find(at[0]); };
  question.levels = levels;
  CountedOutcomes outcomes(question);
  const FindOnWay find_at = [&](double place) { return outcomes.find(std::span(&place, 1)); };
  constexpr int kSteps = 40;  // closer near the value, because borders there matter most
  std::vector<WayPoint> line;
  for (int i = 0; i <= kSteps; ++i) {
    const double part = static_cast<double>(i) / kSteps;
    line.push_back({part * part, find_at(part * part)});
    if (i == 0) continue;
    const std::size_t last = line.size() - 1;
    constexpr double kEnough = 1e-9;  // of the range
    const OutcomeChanges changes = find_all_changes(find_at, last > 1 ? &line[last - 2] : nullptr,
                                                    line[last - 1], line[last], nullptr, kEnough);
    if (outcomes.is_stopped()) return std::nullopt;
    if (changes.list.empty()) continue;
    const OutcomeChange& change = changes.list.front();
    const double range = std::abs(end - value);
    return OutcomeSide{change.middle() * range, 0.5 * (change.after - change.before) * range,
                       outcomes.name(change.to)};
  }
  return std::nullopt;
}

}  // namespace

OutcomeMargin find_outcome_margin(const std::string& name, double value, const Interval& searched,
                                  const std::function<Outcome(double)>& find,
                                  const std::vector<double>& levels) {
  OutcomeMargin out{name, value, searched, {}, {}};
  parallel_for(2, [&](std::size_t side) {
    if (side == 0 && searched.low < value) out.below = find_side(value, searched.low, find, levels);
    if (side == 1 && searched.high > value)
      out.above = find_side(value, searched.high, find, levels);
  });
  return out;
}

}  // namespace slipstick
