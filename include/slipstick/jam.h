#pragma once

/// How sliding ends: by a jam (the contact force grows without bound in finite time), or otherwise;
/// and the smallest slip that jams. docs/theory/jamming.md.
///
///     const auto wheel = slipstick::read_model("rimless-wheel", values);
///     const auto motion = slipstick::find_sliding_end(*wheel.model, wheel.initial, {});
///     if (motion.end().outcome == slipstick::JamOutcome::kJam) {
///       std::cout << "jams at " << motion.end().time << " s\n";
///     }

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "slipstick/critical_friction.h"
#include "slipstick/model.h"
#include "slipstick/paradox.h"
#include "slipstick/run.h"
#include "slipstick/state.h"
#include "slipstick/why.h"
#include "slipstick/words.h"

namespace slipstick {

/// How a contact's sliding ends.
enum class JamOutcome {
  kJam,            ///< the contact force grows without bound
  kLiftOff,        ///< it vanishes, and the contact opens
  kStick,          ///< the slip ends, and the contact sticks
  kSlipReversal,   ///< the slip ends, and goes on the other way
  kImpact,         ///< a contact collides
  kLeavesRange,    ///< a coordinate leaves its range
  kInconsistent,   ///< no contact force satisfies the laws
  kIndeterminate,  ///< several motions do
  kMarginal,       ///< a jam or not: that depends on less than doubles resolve
  kTime,           ///< the sliding lasts as long as was asked for
  kFailure,        ///< the numerics failed
};
/// Their words in documents.
inline constexpr Words<11> kJamOutcomes{"jam",      "lift-off",     "stick",        "slip-reversal",
                                        "impact",   "leaves-range", "inconsistent", "indeterminate",
                                        "marginal", "time",         "failure"};

/// What is asked.
struct JamQuestion {
  /// Until when, and how exactly. Its choices of how to go on have no effect: where the laws leave
  /// a choice, sliding ends.
  SimulationOptions simulation;
  /// Sliding ends where one of these coordinates leaves its range. An angle counts up to full
  /// turns.
  std::vector<CoordinateRange> range;
};

/// One end of sliding.
struct SlidingEnd {
  JamOutcome outcome = JamOutcome::kTime;  ///< how
  double time = 0.0;                       ///< [s]
  State state;                             ///< just before
  std::vector<int> contacts;               ///< to which it happens
  std::optional<double> exponent;          ///< of a jam: f_n ~ (t* - t)^exponent
  /// Of kMarginal: what doubles cannot tell apart, the likeliest first.
  std::vector<JamOutcome> candidates;
  int coordinate = -1;       ///< that leaves its range
  int event = -1;            ///< index in the run's events; -1: none
  std::vector<Why> reasons;  ///< of a failure
};

/// Sliding from a state until no contact slides on that slid there.
struct SlidingMotion {
  std::vector<SlidingContact> sliding;  ///< at the start
  /// At least one. A further one follows if other contacts slide on after it.
  std::vector<SlidingEnd> ends;
  Run run;  ///< up to the last end, or a little further

  /// The first end.
  [[nodiscard]] const SlidingEnd& end() const { return ends.front(); }
  /// The jam among the ends; null: there is none.
  [[nodiscard]] const SlidingEnd* find_jam() const;
};

/// The contacts that slide at a state, in the model's order.
[[nodiscard]] std::vector<SlidingContact> list_sliding_contacts(const Model& model,
                                                                const State& state);

/// Follows the motion until sliding ends. Throws InputError if no contact slides at the start.
[[nodiscard]] SlidingMotion find_sliding_end(const Model& model, const State& initial,
                                             const JamQuestion& question);

/// A speed of the first sliding contact from which on sliding ends in another way.
struct SlipThreshold {
  std::optional<double> slip;  ///< [m/s], > 0 along +t; nothing: there is none
  double error = 0.0;          ///< half of the bracket, or of the band that rounding decides
  Why why;                     ///< why there is none
};

/// Smallest slips, all velocities but one as at the state.
struct CriticalSlip {
  SlidingContact contact;  ///< whose slip is varied, in the direction that it has
  /// How: the mechanism moves along t as a whole; or else the surface of the contact moves, unless
  /// its speed is a formula of time (then both thresholds have that reason).
  bool by_translation = false;
  int surface = -1;     ///< index in the model; -1: the mechanism moves
  SlipThreshold jams;   ///< the smallest slip that jams
  SlipThreshold lasts;  ///< the smallest slip that does not end before `fast` happens
  JamOutcome fast = JamOutcome::kTime;  ///< how sliding with a great slip ends
};

/// Finds both by bisection on outcomes, to 1e-12 of the slip. Throws InputError as
/// find_sliding_end() does.
[[nodiscard]] CriticalSlip find_critical_slip(const Model& model, const State& initial,
                                              const JamQuestion& question);

/// What sliding does near a point with p = b = 0, by the eigenvalues alpha of p and beta of b.
enum class JamPointType {
  kJam,      ///< alpha < beta < 0: all motions nearby arrive, with a force that grows without bound
  kPasses,   ///< beta < alpha < 0 and gamma < 0: they arrive with a finite force
  kLiftOff,  ///< beta < alpha < 0 and gamma > 0: they lift off before
  kSaddle,   ///< alpha < 0 < beta: one motion arrives, the others lift off or stop sliding
  kLeaves,   ///< alpha > 0: sliding moves away from p = 0
};
/// Their words in documents.
inline constexpr Words<5> kJamPointTypes{"jam", "passes", "lift-off", "saddle", "leaves"};

/// A state of sliding with p = b = 0. In the stretched time dt = p d(tau) it is a fixed point, with
/// p' = alpha p, b' = gamma p + beta b.
struct JamPoint {
  SlidingContact contact;                     ///< that slides
  State state;                                ///< with the rates that make b = 0
  double p = 0.0, b = 0.0;                    ///< what is left of them [1/kg], [m/s^2]
  double alpha = 0.0, beta = 0.0;             ///< the eigenvalues [1/(kg s)]
  double gamma = 0.0;                         ///< [m/s^3]
  double slip = 0.0;                          ///< [m/s]
  bool in_range = true;                       ///< of the shapes that were asked for
  JamPointType type = JamPointType::kLeaves;  ///< what they say

  /// beta/alpha: a jam if it is between 0 and 1.
  [[nodiscard]] double ratio() const { return beta / alpha; }
  /// Of f_n ~ (t* - t)^exponent.
  [[nodiscard]] double exponent() const { return ratio() - 1.0; }
};

/// Evaluates the eigenvalues at a state with p = b = 0, by derivatives of p and b. `in_range` is
/// left true.
[[nodiscard]] JamPoint eval_jam_point(const Model& model, const State& state,
                                      const SlidingContact& contact);

/// The points of one sliding contact, or why they are not listed.
struct JamPoints {
  std::vector<JamPoint> points;  ///< in rising order of the coordinate that decides
  int coordinate = -1;           ///< on which alone p and b depend; -1: on several or none
  Why why;                       ///< why points are missing
};

/// What sliding can meet at the model's friction, and from which friction on.
struct JamReach {
  SlidingContact contact;                        ///< the only one that slides
  std::optional<CriticalFriction> reachable;     ///< over the range; nothing: it closes nowhere
  std::optional<CriticalFriction> unrestricted;  ///< over a turn of each angle
  JamPoints points;  ///< at the friction of the model, over the turn and the range
  Why why;           ///< why there is none of these
};

/// Finds the points p = b = 0 and the frictions. `range` are the shapes that the mechanism can
/// take; those of its coordinates that `over` has, too, are varied and do not follow the contact.
[[nodiscard]] JamReach find_jam_reach(const Model& model, const State& initial,
                                      std::span<const Closing> closings,
                                      std::span<const CoordinateRange> range,
                                      std::span<const CoordinateRange> over);

/// What the first contact does at one time of sliding.
struct JamRow {
  double time = 0.0;           ///< [s]
  double p = 0.0, b = 0.0;     ///< [1/kg], [m/s^2]
  double force_n = 0.0;        ///< -b/p if it is the only contact that is closed [N]
  std::optional<Vec2> centre;  ///< of its body's acceleration from it, along t and n [m]
};

/// The way to the first end of sliding. Sliding jams where the centre reaches the jamming line,
/// which goes through the contact along its normal.
[[nodiscard]] std::vector<JamRow> list_jam_rows(const Model& model, const SlidingMotion& motion);

/// The whole answer about one state.
struct JamAnswer {
  SlidingMotion motion;                ///< from it
  CriticalSlip slip;                   ///< the smallest slips
  std::optional<JamPoint> jam;         ///< the eigenvalues where it jams
  JamReach reach;                      ///< elsewhere
  std::vector<JamRow> rows;            ///< along the motion
  std::vector<CoordinateRange> range;  ///< within which it was asked for
};

/// Finds all of it. `over` are the coordinates of the question's range that were given for this
/// question, and not by the model: the searches vary them, also if they are slides. Throws
/// InputError as find_sliding_end() does.
[[nodiscard]] JamAnswer find_jam_answer(const Model& model, const State& initial,
                                        std::span<const Closing> closings,
                                        const JamQuestion& question,
                                        std::span<const CoordinateRange> over);

}  // namespace slipstick
