#include <algorithm>
#include <cmath>

#include "slipstick/analysis/outcomes/decisions.h"
#include "slipstick/analysis/stability/stability.h"
#include "slipstick/classify.h"
#include "slipstick/gait_report.h"
#include "slipstick/mode_letters.h"
#include "slipstick/outcomes.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {

Outcome find_class_outcome(const Model& model, const State& state) {
  const Classification answer = classify(model, state, make_sharp_tolerances());
  Outcome out;
  out.tolerance = kSharpDecision;
  if (!answer.list_colliding().empty()) {
    out.label = "colliding";
    return out;
  }
  switch (answer.contact_class) {
    case ContactClass::kConsistent:
      out.label = "consistent";
      break;
    case ContactClass::kIndeterminate:
      out.label = "indeterminate";
      break;
    case ContactClass::kInconsistent:
      out.label = "inconsistent";
      break;
  }
  for (const ModeSolution& solution : answer.solutions) {
    out.label += " " + to_letters(solution.modes);
  }
  return out;
}

Outcome find_stability_outcome(const Model& model, const State& rest) {
  const Tolerances tolerances = make_sharp_tolerances();
  const StabilityAnswer answer =
      find_stability(make_two_contact_body(model, rest, tolerances), tolerances);
  Outcome out;
  out.tolerance = kSharpDecision;
  out.label = find_word(kVerdicts, answer.verdict);
  if (answer.theorem != Theorem::kNone) {
    out.label += " (Theorem " + std::string(find_word(kTheorems, answer.theorem)) + ")";
  }
  out.why = answer.missing.sentence;
  return out;
}

Outcome find_gait_outcome(const Model& model, const State& guess, const SimulationOptions& options,
                          int steps) {
  const OrbitSearch search = find_orbit(model, guess, {options, steps});
  Outcome out;
  if (!search.orbit) {
    out.label = "no gait";
    out.why = search.why.sentence;
    return out;
  }
  out.label = search.orbit->stable() ? "stable gait" : "unstable gait";
  const auto slides = [](const Mode& mode) {
    return std::any_of(mode.closed.begin(), mode.closed.end(),
                       [](const ClosedMode& closed) { return closed.slides(); });
  };
  const auto& modes = search.orbit->walk.run.trajectory->modes;
  if (std::any_of(modes.begin(), modes.end(), slides)) out.label += ", slips";
  return out;
}

Outcome find_gait_outcome(const Model& model, const State& guess, const GaitOptions& options,
                          const Orbit& known, const GaitFamily& between) {
  Outcome out = find_gait_outcome(model, guess, options.simulation, options.steps);
  if (out.why.empty()) return out;
  ContinuationOptions along;
  along.gait = options;
  const Branch way = continue_orbit(between, known, along);
  if (way.end) {
    out.why += "; from the gait of the model's own values, " + way.end.sentence;
    return out;
  }
  return find_gait_outcome(model, way.points.back().state, options.simulation, options.steps);
}

}  // namespace slipstick
