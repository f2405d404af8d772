#pragma once

/// Time in a run: its rounding, and whether it advances.

#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/why.h"

namespace slipstick {

/// The time from which a run until `until` counts as over; the remainder is rounding [s].
[[nodiscard]] inline double find_last_time(double until) {
  return until - kNumberRounding * std::abs(until);
}

/// Checks that a run advances. A force that changes sign with a velocity can hold the velocity at
/// zero: then steps and modes become ever shorter, and time stands still.
class Pace {
 public:
  /// Why a run that does not get on has failed.
  [[nodiscard]] static Why explain() {
    return {
        WhyCode::kNoAdvance,
        "the steps stay too short: a force seems to jump, or a damper or spring to be too stiff"};
  }

  /// Records a step or a mode that ended at a time [s]. False after many since the last event that
  /// were tiny for a motion with this rate [1/s].
  bool is_advancing(double time, double rate) {
    constexpr int kMany = 2000;
    constexpr double kTinyAdvance = 1e-6;  // of the motion's own time, for each of many
    if (++steps_ < kMany) return true;
    steps_ = 0;
    const double advance = time - std::exchange(time_, time);
    return advance * rate > kTinyAdvance * kMany;
  }

  void note_event(double time) {
    time_ = time;
    steps_ = 0;
  }

 private:
  double time_ = 0.0;  ///< of the last look [s]
  int steps_ = 0;      ///< since then
};

}  // namespace slipstick
