#pragma once

/// What a periodic motion needs of its contacts, and where a small slip would meet the paradox.
///
///     const auto report = slipstick::make_gait_report(*biped.model, *search.orbit);
///     if (report.mu_stick) {
///       std::cout << "sticks from mu = " << report.mu_stick->value << " on\n";
///     }

#include <array>
#include <optional>
#include <vector>

#include "slipstick/gait.h"
#include "slipstick/interval.h"

namespace slipstick {

/// An extreme value along the motion, at a contact and a time from the start of the period.
struct Extreme {
  double value = 0.0;  ///< the extreme
  double time = 0.0;   ///< [s]
  int contact = 0;     ///< index in the model
};

/// Where a small slip of a sticking contact would have no force, or several.
struct Exposure {
  int contact = 0;                                    ///< index in the model
  double slip_sign = 1.0;                             ///< forward: +1
  Interval time;                                      ///< [s]
  std::vector<Interval> inconsistent, indeterminate;  ///< parts of it: cases 4 and 3
};

/// Over one period [J].
struct GaitEnergy {
  double gravity = 0.0;   ///< work of gravity
  double impacts = 0.0;   ///< lost at impacts
  double friction = 0.0;  ///< lost to sliding; with springs, dampers and loads also to those
};

/// The demands of one period.
struct GaitReport {
  std::optional<double> step_length;    ///< along the advance, over one period [m]
  std::optional<Extreme> mu_stick;      ///< least friction that lets the sticking contacts stick
  std::optional<double> impulse_ratio;  ///< largest |tangential|/normal at an impact
  std::optional<Extreme> least_force;   ///< smallest normal force of a closed contact [N]
  GaitEnergy energy;                    ///< where it goes
  std::vector<Exposure> exposure;       ///< to the paradox
};

/// Walks along the period of a gait.
[[nodiscard]] GaitReport make_gait_report(const Model& model, const Orbit& orbit);

}  // namespace slipstick
