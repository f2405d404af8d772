#pragma once

/// Every outcome of one impact, law by law: docs/theory/impact.md. The state either collides (a
/// contact closes at its surface), or friction drives a sliding contact in without a collision,
/// where no contact force exists or several do.
///
///     const slipstick::ImpactAnswer answer =
///         slipstick::find_impact_outcomes(*wheel.model, wheel.initial, {});
///     for (const slipstick::LawOutcome& outcome : answer.outcomes) {
///       const auto law = find_word(slipstick::kImpactLaws, outcome.law);
///       std::cout << law << ' ' << to_letters(outcome.modes_after) << '\n';
///     }

#include <optional>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/impact_law.h"
#include "slipstick/run.h"
#include "slipstick/verdict.h"
#include "slipstick/why.h"
#include "slipstick/words.h"

namespace slipstick {

/// Why an impulse acts at a state.
enum class ImpactKind {
  kNone,              ///< none does
  kCollision,         ///< contacts close at their surfaces
  kWithoutCollision,  ///< friction drives a sliding contact in (p < 0)
  kJam,               ///< the same at p = 0 within tolerance: the limit from below
};
/// Their words in documents.
inline constexpr Words<4> kImpactKinds{"none", "collision", "without-collision", "jam"};

/// A part of an impact.
enum class ImpactPhase {
  kCompression,  ///< until the gap rates have risen to zero
  kRestitution,  ///< after it
  kPercussion,   ///< of Fremond's law without a collision, which has no such parts
};
/// Their words in documents.
inline constexpr Words<3> kImpactPhases{"compression", "restitution", "percussion"};

/// A contact's place in impulse space, and its velocities there.
struct ImpulsePoint {
  double impulse_n = 0.0, impulse_t = 0.0;  ///< so far [N s]
  double gap_rate = 0.0, slip = 0.0;        ///< [m/s]
};

/// A piece of the path of one contact. Of a contact alone it is straight, and the contact does the
/// same on all of it. The laws of several contacts know the ends of phases only: then the motion is
/// that at the end.
struct ImpactPiece {
  ImpactPhase phase = ImpactPhase::kCompression;  ///< to which it belongs
  int contact = 0;                                ///< in the model's order
  ContactMode motion = ContactMode::kStick;       ///< sticks or slides; not free
  double impulse_n = 0.0, impulse_t = 0.0;        ///< of this piece [N s]
  ImpulsePoint end;                               ///< where it ends
};

/// The line c + n P_n + t P_t = 0 in the plane of a contact's impulses.
struct ImpulseLine {
  double c = 0.0;  ///< [m/s]
  double n = 0.0;  ///< [1/kg]
  double t = 0.0;  ///< [1/kg]
};

/// The plane of the impulses of one contact, where the others have those of the outcome.
struct ImpulsePlane {
  int contact = 0;         ///< in the model's order
  double mu = 0.0;         ///< kinetic friction: the cone |P_t| <= mu |P_n|
  ImpulsePoint start;      ///< before the impact
  ImpulseLine sticking;    ///< no slip
  ImpulseLine compressed;  ///< no gap rate: the end of compression
};

/// A contact that gets no impulse and that the others' impulses drive into its surface. A bilateral
/// one may also be torn off it.
struct PushedContact {
  int contact = 0;        ///< in the model's order
  double gap_rate = 0.0;  ///< after the impact [m/s]
};

/// One way in which an impact can end under a law. A continuum is one outcome with a family.
struct LawOutcome {
  ImpactLaw law = ImpactLaw::kInelastic;  ///< that it obeys
  std::vector<int> contacts;              ///< that collide, or that are struck
  ModeWord modes_before;  ///< by the velocities; free: not closed, or about to collide
  ModeWord modes_after;   ///< the same just after the impact
  ImpactRecord record;    ///< impulses, rates and the family
  State after;            ///< before relabelling
  double energy_before = 0.0, energy_after = 0.0;  ///< kinetic [J]
  std::vector<ImpactPiece> path;                   ///< in impulse space
  std::vector<ImpulsePlane> planes;                ///< of the contacts with an impulse
  std::vector<PushedContact> pushed;               ///< another impact follows at once
  /// Largest change of the turn rate of the contact's body, where Fremond's law leaves the size of
  /// the jump open [rad/s]; the outcome has the model's own size.
  std::optional<double> largest_jump;
  std::vector<std::string> notes;  ///< what a reader should know
};

/// How many outcomes a law has here.
struct LawAnswer {
  ImpactLaw law = ImpactLaw::kInelastic;  ///< which
  int count = 0;                          ///< of its outcomes
  Why why;                                ///< if it has none
  /// The law that runs use instead, if this one is not defined here.
  std::optional<ImpactLaw> runs_use;
};

/// What is asked about an impact.
struct ImpactQuestion {
  std::vector<ImpactLaw> laws;  ///< empty: all
  /// An impulse acts at this contact alone, whatever the others feel [Or2014] section 2.2.
  std::optional<int> only;
  Tolerances tolerances;  ///< of the decisions at the state
};

/// The whole answer about an impact at a state.
struct ImpactAnswer {
  ImpactKind kind = ImpactKind::kNone;  ///< why an impulse acts
  std::vector<int> contacts;            ///< that collide, or that can be struck
  std::optional<int> only;              ///< as asked
  Classification classification;        ///< of the state
  std::vector<LawOutcome> outcomes;     ///< by law; of one law the preferred one first
  std::vector<LawAnswer> laws;          ///< those asked for, in the order of asking
  Why why;                              ///< if there are no outcomes
  Check check;                          ///< of all outcomes, by code that shares nothing with them
};

/// Finds every outcome of an impact at a state. Throws InputError if `only` is a contact at which
/// no impulse acts.
[[nodiscard]] ImpactAnswer find_impact_outcomes(const Model& model, const State& state,
                                                const ImpactQuestion& question);

}  // namespace slipstick
