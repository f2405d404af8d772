#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>

#include "slipstick/analysis/gait/perturbed_state.h"
#include "slipstick/analysis/gait/regaining.h"
#include "slipstick/analysis/gait/walk.h"
#include "slipstick/analysis/gait/walk_variation.h"
#include "slipstick/analysis/parallel_for.h"
#include "slipstick/check.h"
#include "slipstick/core/is_tenth.h"
#include "slipstick/gait_perturbation.h"
#include "slipstick/model/model.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

constexpr const char* kRegainedWord = "regained";
constexpr const char* kJoint = ", ";
/// Of the range of sizes: what stands for a size of zero. Far above the slips that count as
/// sticking, far below those that a person asks about.
constexpr double kVerySmall = 1e-6;

const char* find_fate_word(Fate fate) {
  switch (fate) {
    case Fate::kRegained:
      return kRegainedWord;
    case Fate::kWalksOn:
      return "walks on";
    case Fate::kFails:
      return "fails";
    case Fate::kStops:
      break;
  }
  return "stops";
}

/// Follows perturbations at one time of the period.
class PhaseFollower {
 public:
  PhaseFollower(const Model& model, const Orbit& orbit, const Perturbation& perturbation,
                const PerturbationGrid& grid, double time)
      : model_(model),
        perturbation_(perturbation),
        grid_(grid),
        regaining_(model, orbit),
        time_(time),
        sample_(orbit.walk.run.trajectory.eval(time)),
        mode_(orbit.walk.run.trajectory->modes[sample_.mode]) {}

  PerturbationPhase follow() {
    PerturbationPhase out;
    out.time = time_;
    OutcomeQuestion question;
    question.axes = {grid_.sizes};
    question.find = [&](std::span<const double> at) { return find(at[0]); };
    out.sizes = find_outcomes(question);
    out.forward = find_end(out.sizes, 1.0);
    out.backward = find_end(out.sizes, -1.0);
    find_derivative(out);
    return out;
  }

  /// What the checks found, whatever the order of the threads.
  [[nodiscard]] RunVerdict join() {
    std::sort(verdicts_.begin(), verdicts_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    RunVerdict out;
    for (const auto& [size, verdict] : verdicts_) out = join_verdicts(out, verdict);
    return out;
  }

  [[nodiscard]] bool sticks_when_slipping() const {
    return make_small_perturbation(model_, mode_, perturbation_, sample_.state).is_stopped;
  }

 private:
  [[nodiscard]] double range() const { return grid_.sizes.range.high - grid_.sizes.range.low; }

  Outcome find(double size) {
    const double least = kVerySmall * range();
    const double used = std::abs(size) < least ? (size < 0.0 ? -least : least) : size;
    const PerturbedState perturbed = make_perturbed(model_, perturbation_, sample_.state, used);
    Outcome out;
    if (!perturbed.state) {
      out.label = std::string("impossible") + kJoint + "none";
      out.why = perturbed.why.sentence;
      return out;
    }
    Why why;
    const Fate fate = regaining_.find_fate(*perturbed.state, time_, &why);
    out.label = find_word(*perturbed.state, size) + kJoint + find_fate_word(fate);
    out.why = why.sentence;
    return out;
  }

  /// What ends the perturbation.
  std::string find_word(const State& state, double size) {
    const SimulationOptions options = regaining_.make_options();
    std::string out;
    if (perturbation_.kind == PerturbationKind::kSlip) {
      out = slipstick::find_word(kSlipOutcomes, classify_slip(simulate(model_, state, options)));
    } else {
      out = find_run_outcome(model_, state, options, {}).label;
      const auto step = static_cast<std::size_t>(model_.gait->contact);
      if (out == "impact " + model_.contact_names[step]) out = "step";
    }
    const std::array<double, 2> place{time_, size};
    if (grid_.checks && is_tenth(place)) check(state, size, options);
    return out;
  }

  void check(const State& state, double size, const SimulationOptions& options) {
    RunVerdict verdict = *simulate_and_check(model_, state, options).verdict;
    const std::lock_guard lock(mutex_);
    verdicts_.emplace_back(size, std::move(verdict));
  }

  /// The end of the regained sizes next to zero on one side.
  [[nodiscard]] std::optional<double> find_end(const OutcomeMap& sizes, double direction) const {
    const double near = kVerySmall * range();
    std::vector<std::pair<double, double>> outward;  // of each interval: its ends away from zero
    std::vector<bool> regained;
    for (const OutcomeInterval& interval : sizes.intervals) {
      const double a = direction * interval.from;
      const double b = direction * interval.to;
      if (std::max(a, b) <= near) continue;  // on the other side, or the change at zero itself
      outward.emplace_back(std::min(a, b), std::max(a, b));
      regained.push_back(is_regained_label(sizes.labels[static_cast<std::size_t>(interval.label)]));
    }
    if (direction < 0.0) {
      std::reverse(outward.begin(), outward.end());
      std::reverse(regained.begin(), regained.end());
    }
    std::optional<double> out;
    for (std::size_t i = 0; i < outward.size() && regained[i]; ++i) {
      out = direction * outward[i].second;
    }
    return out;
  }

  /// The next state on the section, by the size of a small perturbation.
  void find_derivative(PerturbationPhase& out) const {
    const SmallPerturbation small =
        make_small_perturbation(model_, mode_, perturbation_, sample_.state);
    out.no_derivative = small.why;
    if (small.why) return;
    SimulationOptions options;
    options.until = regaining_.make_options().until;
    const Walk rest = walk(model_, sample_.state, regaining_.count_steps_left(time_), options);
    if (!rest.complete) {
      out.no_derivative = {WhyCode::kNoReturn, "the motion from there does not reach the section"};
      return;
    }
    VariedWalk varied = vary_walk(model_, rest, {small.change});
    out.no_derivative = varied.why;
    if (!varied.why) out.derivative = State{0.0, varied.end[0].q, varied.end[0].v};
  }

  const Model& model_;
  const Perturbation& perturbation_;
  const PerturbationGrid& grid_;
  Regaining regaining_;
  double time_;
  TrajectorySample sample_;
  const Mode& mode_;
  std::mutex mutex_;
  std::vector<std::pair<double, RunVerdict>> verdicts_;
};

}  // namespace

bool PerturbationMap::complete() const {
  return std::none_of(phases.begin(), phases.end(),
                      [](const PerturbationPhase& phase) { return phase.sizes.cells.empty(); });
}

std::string find_perturbation_fate(const std::string& label) {
  return label.substr(label.rfind(kJoint) + std::string(kJoint).size());
}

bool is_regained_label(const std::string& label) {
  return find_perturbation_fate(label) == kRegainedWord;
}

std::string find_perturbation_outcome(const std::string& label) {
  return label.substr(0, label.rfind(kJoint));
}

PerturbationMap find_perturbation_map(const Model& model, const Orbit& orbit,
                                      const Perturbation& perturbation,
                                      const PerturbationGrid& grid,
                                      const std::function<bool(int)>& keep_going) {
  const std::size_t rows = grid.times.size();
  PerturbationMap out;
  out.phases.resize(rows);
  out.periods = Regaining(model, orbit).periods();
  out.multipliers = orbit.multipliers;
  std::vector<RunVerdict> verdicts(rows);
  std::vector<char> sticks(rows);
  std::atomic<int> done = 0;
  std::atomic<bool> goes_on = true;
  parallel_for(rows, [&](std::size_t i) {
    out.phases[i].time = grid.times[i];
    if (!goes_on) return;
    PhaseFollower follower(model, orbit, perturbation, grid, grid.times[i]);
    out.phases[i] = follower.follow();
    verdicts[i] = follower.join();
    sticks[i] = follower.sticks_when_slipping() ? 1 : 0;
    if (keep_going && !keep_going(++done)) goes_on = false;
  });
  RunVerdict all;
  for (const RunVerdict& verdict : verdicts) all = join_verdicts(all, verdict);
  out.check = std::move(all.check);
  if (perturbation.kind == PerturbationKind::kSlip &&
      std::all_of(sticks.begin(), sticks.end(), [](char yes) { return yes != 0; })) {
    out.multipliers.emplace_back(0.0);
  }
  return out;
}

std::optional<double> find_basin(const PerturbationMap& map, double direction) {
  if (!map.complete()) return std::nullopt;
  std::optional<double> out;
  for (const PerturbationPhase& phase : map.phases) {
    const std::optional<double>& end = direction > 0.0 ? phase.forward : phase.backward;
    if (!end) return std::nullopt;
    if (!out || std::abs(*end) < std::abs(*out)) out = end;
  }
  return out;
}

}  // namespace slipstick
