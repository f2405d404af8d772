#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "slipstick/analysis/gait/section.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/check.h"
#include "slipstick/gait_slips.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

/// The outcome is decided by the first event that ends the slip.
SlipOutcome classify_slip(const Run& run) {
  for (const Event& event : run.events) {
    switch (event.type) {
      case EventType::kStick:
        return SlipOutcome::kStick;
      case EventType::kLiftoff:
        return SlipOutcome::kSeparate;
      case EventType::kInconsistent:
      case EventType::kTangentialImpact:
        return SlipOutcome::kImpact;
      case EventType::kJam:
        return SlipOutcome::kJam;
      case EventType::kIndeterminate:
        return SlipOutcome::kIndeterminate;
      case EventType::kImpact:
        return SlipOutcome::kStep;
      default:
        break;  // the slip goes on in the other direction
    }
  }
  return SlipOutcome::kOther;
}

class SlipJudge {
 public:
  SlipJudge(const Model& model, const Orbit& orbit)
      : model_(model),
        orbit_(orbit),
        section_(model, orbit.walk.shape, find_section_rate(model, orbit.state)) {
    // As many steps as the slowest multiplier needs to shrink a disturbance a thousand times.
    const double slowest = orbit.multipliers.empty() ? 0.0 : std::abs(orbit.multipliers.front());
    constexpr double kMost = 200.0;  // steps: a bound on the time, also for a slow multiplier
    if (slowest < 1.0) {
      const double needed = slowest > 0.0 ? std::log(1e-3) / std::log(slowest) : 1.0;
      steps_ = static_cast<int>(std::min(kMost, std::ceil(needed))) + 3;
    }
  }

  [[nodiscard]] State make_slipping(double time, double slip) const {
    State state = orbit_.walk.run.trajectory.eval(time).state;
    state.time = 0.0;
    state.v[model_.gait->advance] += slip;
    return state;
  }

  [[nodiscard]] SlipOutcome find_outcome(const State& state) const {
    return classify_slip(simulate(model_, state, make_options()));
  }
  /// The same; `verdict` receives what the check finds.
  [[nodiscard]] SlipOutcome find_outcome(const State& state, RunVerdict& verdict) const {
    const Run run = simulate_and_check(model_, state, make_options());
    verdict = join_verdicts(verdict, *run.verdict);
    return classify_slip(run);
  }

  /// Always false for unstable gaits, because they regain nothing.
  [[nodiscard]] bool is_regained(const State& state) const {
    if (steps_ == 0) return false;
    SimulationOptions options;
    options.until = 3.0 * (steps_ + 1) * orbit_.period();
    options.keep_trajectory = false;
    const Walk back = walk(model_, state, steps_, options);
    if (!back.complete) return false;
    constexpr double kNearOrbit = 0.02;  // scaled; a thousandth of what may have been
    return (section_.scale(back.run.state) - section_.scale(orbit_.state)).norm() < kNearOrbit;
  }

 private:
  [[nodiscard]] SimulationOptions make_options() const {
    SimulationOptions out;
    out.until = 2.0 * orbit_.period();
    out.max_events = 8;
    out.keep_trajectory = false;
    return out;
  }

  const Model& model_;
  const Orbit& orbit_;
  Section section_;
  int steps_ = 0;
};

}  // namespace

bool SlipMap::complete() const {
  return std::none_of(outcomes.begin(), outcomes.end(),
                      [](const auto& row) { return row.empty(); });
}

SlipMap find_slip_map(const Model& model, const Orbit& orbit, const SlipGrid& grid,
                      const std::function<bool(int)>& keep_going) {
  const std::size_t rows = grid.times.size();
  SlipMap out;
  out.outcomes.resize(rows);
  out.regained.resize(rows);
  std::vector<RunVerdict> verdicts(rows);
  constexpr std::size_t kChecked = 10;
  std::atomic<int> done = 0;
  std::atomic<bool> goes_on = true;
  parallel_for(rows, [&](std::size_t i) {
    if (!goes_on) return;
    const SlipJudge judge(model, orbit);
    for (std::size_t j = 0; j < grid.slips.size(); ++j) {
      const State state = judge.make_slipping(grid.times[i], grid.slips[j]);
      const bool checks = grid.checks && (i * grid.slips.size() + j) % kChecked == 0;
      out.outcomes[i].push_back(checks ? judge.find_outcome(state, verdicts[i])
                                       : judge.find_outcome(state));
      out.regained[i].push_back(judge.is_regained(state));
    }
    if (keep_going && !keep_going(++done)) goes_on = false;
  });
  RunVerdict all;
  for (const RunVerdict& verdict : verdicts) all = join_verdicts(all, verdict);
  out.check = std::move(all.check);
  return out;
}

std::optional<double> find_slip_basin(const SlipGrid& grid, const SlipMap& map, double direction) {
  if (!map.complete()) return std::nullopt;
  std::vector<std::size_t> outward;
  for (std::size_t j = 0; j < grid.slips.size(); ++j) {
    if (direction * grid.slips[j] > 0.0) outward.push_back(j);
  }
  std::sort(outward.begin(), outward.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(grid.slips[a]) < std::abs(grid.slips[b]);
  });
  std::optional<double> out;
  for (const std::size_t j : outward) {
    const bool everywhere = std::all_of(map.regained.begin(), map.regained.end(),
                                        [&](const auto& row) { return row[j]; });
    if (!everywhere) break;
    out = std::abs(grid.slips[j]);
  }
  return out;
}

}  // namespace slipstick
