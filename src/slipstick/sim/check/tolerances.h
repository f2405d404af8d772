#pragma once

/// What the check of a run accepts as rounding, in units of the run's own scales (check.h). Its
/// numbers are its own and not those of core/scales.h, because it shares nothing with the driver.

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick::check {

/// Of a fall over the whole run: a way this short is rounding, and no length.
inline constexpr double kOfFall = 1e-9;  // a run's error is less
/// Of what a contact's gap is made of.
inline constexpr double kOfReach = 100.0 * std::numeric_limits<double>::epsilon();  // roundings
/// Of the terms of a sum: energies of thousands of steps, speeds of all coordinates.
inline constexpr double kOfSum = 1e-14;   // some tens of roundings
inline constexpr double kOfTime = 1e-15;  // some roundings of a time
/// Of the last motion: what counts as at rest.
inline constexpr double kAtRest = 1e-6;  // the driver calls 1e-9 of the fastest still
/// Of the loads: what forces at rest may leave over.
inline constexpr double kHeld = 1e-6;  // the driver's rest has 1e-9 of an acceleration
/// Of the largest change of a velocity over bounces that were left out: directions turn on the
/// way, and the equations hold to the square of it.
inline constexpr double kBounceTurn = 1e-4;  // such bounces last 1e-4 s and less
/// The same over a jump at a jam, where the forces' directions turn.
inline constexpr double kJumpTurn = 1e-3;  // they turn by as much
/// Of a spring's lengths: what the motion does not know of places, against a force.
inline constexpr double kOfPlaces = 1e-4;  // places to 1e-13, times ten, over 1e-8 of a force
/// Of a second or of the time so far: times closer than this are one.
inline constexpr double kInstant = 1e-11;  // rounding of a time, with room
/// Of the terms of equations and laws of a solution.
inline constexpr double kSolved = 1e-8;  // nine digits are left of terms that cancel to five
/// Of lengths and speeds: what is at rest or on its surface.
inline constexpr double kOnSurface = 1e-11;  // the program's own is ten times as wide
/// Of the tangential mobility: a smaller normal one is rounding of the normal's direction.
inline constexpr double kNoNormal = 1e-10;  // a direction's rounding, squared, is far below
/// Of G_nn: a smaller mobility of a contact that sticks is zero, with one degree of freedom.
inline constexpr double kStuck = 1e-11;  // M^-1 has lost some digits
/// Of the rate that a piece of an impact takes away: a smaller one that is left has ended.
inline constexpr double kRateEnds = 1e-12;  // rounding of a few operations on G

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
