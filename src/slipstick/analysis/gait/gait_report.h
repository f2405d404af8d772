#pragma once

/// What a periodic motion asks of its contacts, and where it is exposed to the paradox.

#include <array>
#include <optional>
#include <vector>

#include "slipstick/analysis/gait/gait.h"
#include "slipstick/core/roots.h"

namespace slipstick {

/// An extreme value along the motion, at a contact and a time from the start of the period.
struct Extreme {
  double value = 0.0;
  double time = 0.0;  ///< [s]
  int contact = 0;
};

/// Where a small slip of a sticking contact would have no force, or several.
struct Exposure {
  int contact = 0;
  double slip_sign = 1.0;                             ///< forward: +1
  Interval time;                                      ///< [s]
  std::vector<Interval> inconsistent, indeterminate;  ///< parts of it: cases 3 and 4
};

/// Over one period [J].
struct GaitEnergy {
  double gravity = 0.0;   ///< work of gravity
  double impacts = 0.0;   ///< lost at impacts
  double friction = 0.0;  ///< lost to sliding; with springs, dampers and loads also to those
};

struct GaitReport {
  std::optional<double> step_length;    ///< along the advance, over one period [m]
  std::optional<Extreme> mu_stick;      ///< least friction that lets the sticking contacts stick
  std::optional<double> impulse_ratio;  ///< largest |tangential|/normal at an impact
  std::optional<Extreme> least_force;   ///< smallest normal force of a closed contact [N]
  GaitEnergy energy;
  std::vector<Exposure> exposure;
};

[[nodiscard]] GaitReport make_gait_report(const Model& model, const Orbit& orbit);

}  // namespace slipstick
