#pragma once

/// The end of a sliding motion at d = 0 (one contact: p = 0): docs/theory/motion.md.

#include <optional>

#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// In stretched time the motion is x' = |d| X + n Y. X is the motion without the contact forces
/// that grow with 1/d, Y the response to unit forces of these, and n their size times |d|. Near d =
/// n = 0 it is linear, d' = alpha d, n' = gamma d + beta n, and every point with d = n = 0 is a
/// fixed point.
struct JamApproach {
  double d = 0.0, n = 0.0;
  double alpha = 0.0, beta = 0.0;  ///< [1/s]
  double slow = 0.0;               ///< part of n that decays with beta; the rest decays with d
  State limit;                     ///< the fixed point ahead
  bool regular = false;            ///< false: singular equations, or no fixed point ahead

  /// f_n ~ (t* - t)^exponent.
  [[nodiscard]] double exponent() const { return beta / alpha - 1.0; }
  /// The part of n that remains at the end, relative to n; negative: the force vanishes first.
  [[nodiscard]] double last_part() const { return (force_is_bounded() ? n - slow : slow) / n; }
  /// True if the force stays finite, because its other part decays faster than d.
  [[nodiscard]] bool force_is_bounded() const { return beta < alpha; }
};

/// Finds the fixed point ahead of a state near d = 0, to second order in the distance, with alpha
/// and beta there.
[[nodiscard]] JamApproach find_jam_ahead(const Model& model, const Mode& mode, const State& state);

/// The sliding contacts whose forces grow with 1/d as d -> 0. Contacts that move independently of
/// them are left out.
[[nodiscard]] PerContact<int> list_jamming(const Model& model, const Mode& mode,
                                           const State& state);
/// Those of them whose forces vanish first, where n falls through zero just before d does.
[[nodiscard]] PerContact<int> list_first_released(const Model& model, const Mode& mode,
                                                  const State& state);

/// How sliding ends at d = 0.
enum class JamEndType {
  kJam,         ///< the force grows without bound
  kPassage,     ///< it stays finite
  kSeparation,  ///< it vanishes so close to d = 0 that doubles cannot separate the two
  kSlipEnds,    ///< the slip ends on the straight way to the state
  kReturns,     ///< d rises again; until then the force has acted like an impulse
  kLocks,       ///< the force grows without bound and moves nothing
  kUnknown,     ///< there is no limit
};

struct JamEnd {
  JamEndType type = JamEndType::kUnknown;
  State state;
  double exponent = 0.0;
  bool marginal = false;  ///< the decision depends on less than doubles resolve
  Vec2C impulses{};       ///< of a return, per closed contact: entries 2 i, 2 i + 1 [N s]
};

/// Watches one sliding motion toward d = 0.
class JamWatch {
 public:
  /// `tolerance` as that of the steps.
  JamWatch(const Model& model, const Mode& mode, double tolerance);

  /// True if a new estimate is due at this d: each time d has fallen by a factor.
  [[nodiscard]] bool is_due(double d) const;

  /// Estimates the fixed point ahead. Returns the end once two estimates agree and leave no doubt,
  /// or once d is down to rounding. `rate`: of the motion [1/s].
  [[nodiscard]] std::optional<JamEnd> look(const State& state, double d, double rate);
  /// Evaluations of the field in the last estimate.
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  [[nodiscard]] bool agree(const JamApproach& first, const JamApproach& second, double rate) const;
  [[nodiscard]] bool is_decided(const JamApproach& approach, double rate) const;
  [[nodiscard]] JamEnd make_end(const JamApproach& approach, double rate) const;
  void settle(const State& start, State& limit);
  [[nodiscard]] std::optional<JamEnd> follow_impulse(const State& state) const;
  [[nodiscard]] double find_slip_end(const State& from, const State& to) const;
  [[nodiscard]] double eval_least_slip(const State& state) const;

  const Model& model_;
  const Mode& mode_;
  double tolerance_;
  VecQ scale_;
  double last_d_;
  int evaluations_ = 0;
  std::optional<JamApproach> last_;
};

}  // namespace slipstick
