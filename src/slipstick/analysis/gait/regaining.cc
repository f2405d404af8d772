#include "slipstick/analysis/gait/regaining.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "slipstick/analysis/gait/walk.h"

namespace slipstick {

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

Regaining::Regaining(const Model& model, const Orbit& orbit)
    : model_(model),
      orbit_(orbit),
      section_(model, orbit.walk.shape, find_section_rate(model, orbit.state)) {
  const double slowest = orbit.multipliers.empty() ? 0.0 : std::abs(orbit.multipliers.front());
  constexpr double kMost = 200.0;  // periods: a bound on the time, also for a slow multiplier
  if (slowest < 1.0) {
    const double needed = slowest > 0.0 ? std::log(1e-3) / std::log(slowest) : 1.0;
    periods_ = static_cast<int>(std::min(kMost, std::ceil(needed))) + 3;
  }
}

int Regaining::count_steps_left(double time) const {
  const auto& events = orbit_.walk.run.events;
  const auto steps = std::count_if(events.begin(), events.end(), [&](const Event& event) {
    return event.type == EventType::kImpact && event.time > time &&
           std::find(event.contacts.begin(), event.contacts.end(), model_.gait->contact) !=
               event.contacts.end();
  });
  return std::max(1, static_cast<int>(steps));
}

Fate Regaining::find_fate(const State& state, double time, Why* why) const {
  const int periods = std::max(1, periods_);
  const int steps = count_steps_left(time) + (periods - 1) * count_steps_left(-1.0);
  SimulationOptions options;
  options.until = 3.0 * (periods + 1) * orbit_.period();
  options.keep_trajectory = false;
  const Walk back = walk(model_, state, steps, options);
  // A perturbation may strike a foot at once, so an impact at the start is no reason to stop.
  if (back.run.end.reason != EndReason::kSection) {
    if (why != nullptr) {
      *why = {WhyCode::kNoReturn,
              fmt::format("the motion ends {:.6g} s after the perturbation: {}", back.duration(),
                          find_word(kEndReasons, back.run.end.reason))};
    }
    return back.run.end.reason == EndReason::kFailure ? Fate::kFails : Fate::kStops;
  }
  constexpr double kNearOrbit = 0.02;  // scaled; a thousandth of what may have been
  const double distance = (section_.scale(back.run.state) - section_.scale(orbit_.state)).norm();
  return periods_ > 0 && distance < kNearOrbit ? Fate::kRegained : Fate::kWalksOn;
}

SimulationOptions Regaining::make_options() const {
  SimulationOptions out;
  out.until = 2.0 * orbit_.period();
  out.max_events = 8;
  out.keep_trajectory = false;
  return out;
}

}  // namespace slipstick
