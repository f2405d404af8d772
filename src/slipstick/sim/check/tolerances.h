#pragma once

/// What the check of a run takes for rounding, in units of the run's own scales (check.h).

#include <algorithm>
#include <cmath>

namespace slipstick::check {

struct Tolerances {
  /// Gap of a closed contact, and depth of an open one, where a step or an event ends. What the
  /// tool promises; the driver's projections leave 1e-14.
  double gap = 1e-9;
  /// Gap rates, slips and the equations of motion where a step ends. Differences of terms that
  /// cancel to five digits still have nine of them.
  double motion = 1e-8;
  /// The same between the ends: the interpolant is of order 7 and its slope of order 6, while the
  /// step's error is of order 8.
  double gap_inside = 0.0, motion_inside = 0.0;
  /// Jumps between the end of a step and the state of the event that it was cut for, which has a
  /// step of its own.
  double jump = 0.0;
  /// Speeds below this part of natural ones (RunCheck::eval_natural_scale) have no digits of their
  /// own: what has almost come to rest keeps the rounding of what it was.
  double slow = 1e-3;
  /// Velocities that rebounds take with them which are too slow to follow, of natural speeds:
  /// the driver ends those below 1e-6 at one contact.
  double ended = 3e-6;
  /// The same without a word: the driver takes slower rebounds for rounding of the gap.
  double untold = 1e-7;
  /// Momentum and laws of an impact: plain arithmetic, also with light feet.
  double impact = 1e-8;
  /// What an accumulation of impacts may leave out: the driver ends it at 1e-6 of the motion.
  double zeno = 1e-5;
  /// Energy left over at the end, per sum of the energies that changed hands.
  double energy = 1e-8;
};

/// Of a run made with this local error per step.
[[nodiscard]] inline Tolerances make_tolerances(double step_error) {
  constexpr double kSafety = 100.0;  // constants of the orders, which differ from motion to motion
  Tolerances out;
  out.gap = std::max(out.gap, kSafety * step_error);
  out.motion = std::max(out.motion, kSafety * step_error);
  out.gap_inside = std::max(out.gap, kSafety * std::pow(step_error, 7.0 / 8.0));
  out.motion_inside = std::max(out.motion, kSafety * std::pow(step_error, 6.0 / 8.0));
  out.jump = out.motion_inside;
  // Work is made with the slopes of impulses.
  out.energy = std::max(out.energy, kSafety * std::pow(step_error, 6.0 / 8.0));
  return out;
}

}  // namespace slipstick::check
