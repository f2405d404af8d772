#pragma once

/// What becomes of a gait after a disturbance: shared by slips and other perturbations.

#include "slipstick/analysis/gait/section.h"
#include "slipstick/gait.h"
#include "slipstick/gait_slips.h"

namespace slipstick {

/// How the motion goes on in the long run.
enum class Fate {
  kRegained,  ///< near the gait after those periods
  kWalksOn,   ///< steps, but elsewhere
  kStops,     ///< no further step
  kFails,     ///< not known: the numerics failed
};

class Regaining {
 public:
  Regaining(const Model& model, const Orbit& orbit);

  /// Periods after which it is judged: as many as the slowest multiplier needs to shrink a
  /// disturbance a thousand times. 0: the gait is unstable and regains nothing.
  [[nodiscard]] int periods() const { return periods_; }
  /// Steps from a time of the period to its end, at least one.
  [[nodiscard]] int count_steps_left(double time) const;
  /// The fate of a motion that starts at a disturbed state of this time of the period. `why`, if
  /// given, receives the reason of a motion that stops.
  [[nodiscard]] Fate find_fate(const State& state, double time, Why* why) const;
  /// Options of the run that tells what ends the disturbance.
  [[nodiscard]] SimulationOptions make_options() const;

 private:
  const Model& model_;
  const Orbit& orbit_;
  Section section_;
  int periods_ = 0;
};

/// The outcome of a slip is decided by the first event that ends it.
[[nodiscard]] SlipOutcome classify_slip(const Run& run);

}  // namespace slipstick
