#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "slipstick/analysis/gait/regaining.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/check.h"
#include "slipstick/gait_slips.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

class SlipJudge {
 public:
  SlipJudge(const Model& model, const Orbit& orbit)
      : model_(model), orbit_(orbit), regaining_(model, orbit) {}

  [[nodiscard]] State make_slipping(double time, double slip) const {
    State state = orbit_.walk.run.trajectory.eval(time).state;
    state.time = 0.0;
    state.v[model_.gait->advance] += slip;
    return state;
  }

  [[nodiscard]] SlipOutcome find_outcome(const State& state) const {
    return classify_slip(simulate(model_, state, regaining_.make_options()));
  }
  /// The same; `verdict` receives what the check finds.
  [[nodiscard]] SlipOutcome find_outcome(const State& state, RunVerdict& verdict) const {
    const Run run = simulate_and_check(model_, state, regaining_.make_options());
    verdict = join_verdicts(verdict, *run.verdict);
    return classify_slip(run);
  }

  /// Always false for unstable gaits, because they regain nothing.
  [[nodiscard]] bool is_regained(const State& state, double time) const {
    if (regaining_.periods() == 0) return false;
    return regaining_.find_fate(state, time, nullptr) == Fate::kRegained;
  }

 private:
  const Model& model_;
  const Orbit& orbit_;
  Regaining regaining_;
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
      out.regained[i].push_back(judge.is_regained(state, grid.times[i]));
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
