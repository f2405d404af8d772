#pragma once

/// Every small number that more than one place shares: what it is of, why it has its value, and
/// what changes if it is moved. All are relative, so none depends on units. A number that only one
/// algorithm uses stays there and says why in its line; the check of a run has its own header,
/// sim/check/tolerances.h, for it shares nothing with the driver.
///
/// The values form a ladder: each meaning is far above what computes it and far below what it
/// judges. tests/scales moves each of them by a factor of ten both ways over the golden runs.
/// "Nothing" below is what that test finds: the same events, times and states to 1e-8.

#include "slipstick/core/movable_scale.h"

namespace slipstick {

// --- rounding ---

/// Of a number: the rounding of a few operations (a double has 1.1e-16). Times, lengths and
/// determinants that differ by less are equal.
/// Moved: nothing up; below the rounding of a double steps may no longer end.
SLIPSTICK_SCALE(kNumberRounding, 1e-15);

/// Of the sum of the terms' sizes: the rounding of tens of operations. Bisection ends there.
/// Moved: nothing.
SLIPSTICK_SCALE(kSumRounding, 1e-14);

/// Of the terms: the rounding of a linear solve, whose matrix costs one or two digits.
/// Moved: nothing.
SLIPSTICK_SCALE(kSolveRounding, 1e-13);

/// Of the terms: the rounding of a result of several solves (speeds after an impact, impulses,
/// minors of the contact equations).
/// Moved: nothing.
SLIPSTICK_SCALE(kResultRounding, 1e-12);

// --- what counts as zero at a state ---

/// Of a contact's lever arms: gaps are closed to it, some roundings of the longest.
/// Moved: nothing.
SLIPSTICK_SCALE(kClosedGap, 1e-13);

/// Of lengths and speeds: a gap, gap rate or slip this small is zero. Far above rounding (1e-16)
/// and projection errors (1e-14), far below any state a user means to be open or sliding.
/// Moved: nothing.
SLIPSTICK_SCALE(kClosure, 1e-10);

/// Of the terms: p, b, a force or a mode's inequality this small is marginal. Ten digits is what
/// the tool promises; a sign that hangs on the eleventh is not decided.
/// Moved: nothing.
SLIPSTICK_SCALE(kMarginal, 1e-10);

/// Of the terms: a sign whose terms exceed this is decided without the enumeration of all modes.
/// Far above kMarginal and kSameSolution.
/// Moved: nothing but speed.
SLIPSTICK_SCALE(kClear, 1e-6);

/// Of the tolerance: what else moves in the same body counts this much beside a contact's own gap
/// rate and slip. Its rounding (1e-15 of the fastest) must not make a contact open or slide.
/// Moved: nothing.
SLIPSTICK_SCALE(kOfOtherMotion, 1e-5);

// --- rank ---

/// Of the scaled contact equations: a smaller pivot is zero, and forces are not unique there.
/// Moved: nothing.
SLIPSTICK_SCALE(kRank, 1e-11);

/// Of the largest of some directions: what is left of one beside the others is zero. Rounding
/// leaves 1e-16, independent contacts far more.
/// Moved: nothing.
SLIPSTICK_SCALE(kDependent, 1e-10);

/// Of the determinant of the scaled contact equations d: below it the side of d = 0 is rounding.
/// Moved: nothing.
SLIPSTICK_SCALE(kUnresolved, 1e-13);

/// Of a contact's own mobility: a smaller one in some direction is zero. Where a direction loses
/// its rank (a slider at its dead centre, whose slip vanishes while the crank turns) an excess of
/// rounding size would else stop the motion; a millionth of the full lever arm, squared, still
/// counts.
/// Moved: nothing.
SLIPSTICK_SCALE(kImmobile, 1e-12);

/// Of the largest mobility: a smaller one gives no unit of its own. The square of 1e-10 of a
/// lever, of which rounding leaves 1e-16.
/// Moved: nothing.
SLIPSTICK_SCALE(kNoUnit, 1e-20);

/// Of the terms of redundant equations: the residual with which they still agree.
/// Moved: nothing.
SLIPSTICK_SCALE(kResidual, 1e-9);

/// Of the gradient of a force or impulse before it is restricted to a family: a smaller one is
/// zero, and the force the same in the whole family.
/// Moved: nothing.
SLIPSTICK_SCALE(kNoGradient, 1e-11);

/// Of scaled terms: the error of a linear program's values, some hundred of its pivots' rounding.
/// Moved: nothing.
SLIPSTICK_SCALE(kProgramError, 1e-9);

/// Of scaled terms: a width or slack found by a linear program is zero below this, which is above
/// its errors.
/// Moved: nothing.
SLIPSTICK_SCALE(kProgramZero, 1e-8);

// --- the same ---

/// Of the motion's own time: events closer than this are one.
/// Moved: nothing.
SLIPSTICK_SCALE(kSameTime, 1e-11);

/// Of the coordinates' lengths and the motion's rates: states this close are one.
/// Moved: nothing.
SLIPSTICK_SCALE(kSameState, 1e-10);

/// Of the speeds: two ways to the same velocities after an impact differ by less.
/// Moved: nothing.
SLIPSTICK_SCALE(kSameVelocity, 1e-9);

/// Of the terms of forces and accelerations: solutions that differ by less are one.
/// Moved: nothing.
SLIPSTICK_SCALE(kSameSolution, 1e-8);

/// Of a blow's angle [rad]: pieces of the return map meet to this.
/// Moved: not seen by the golden runs.
SLIPSTICK_SCALE(kSameAngle, 1e-13);

// --- motion ---

/// Of the motion before, and of the forces that balance: slower is at rest. A run's error is 1e-10
/// and less.
/// Moved: nothing.
SLIPSTICK_SCALE(kStill, 1e-9);

/// Of the motion so far: slower is what its errors left, and moves nothing.
/// Moved: nothing.
SLIPSTICK_SCALE(kLeftover, 1e-6);

/// Of the motion's speed: a contact that leaves more slowly has a flight below the rounding of its
/// gap, which goes with the square.
/// Moved: nothing.
SLIPSTICK_SCALE(kUnseenFlight, 1e-6);

/// Of the energy before an impact, or of its terms: a gain above this is reported.
/// Moved: nothing.
SLIPSTICK_SCALE(kEnergyGain, 1e-10);

// --- location in time ---

/// Of a step: a place just after an event, where guards have values again. Shorter changes are not
/// seen.
/// Moved: nothing.
SLIPSTICK_SCALE(kJustAfter, 1e-7);

/// Of a step: the smallest part that is looked at. Nearer to a known zero of a guard all is noise.
/// Moved: nothing.
SLIPSTICK_SCALE(kLeastPart, 1e-12);

/// Of a time: the error of an event's time, with room. Formulas are looked at no further ahead.
/// Moved: nothing.
SLIPSTICK_SCALE(kTimeRoom, 1e-9);

}  // namespace slipstick
