#pragma once

/// The effect of an impact on a motion, under the law of its contacts: docs/theory/impact.md.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/impact.h"
#include "slipstick/run.h"
#include "slipstick/sim/hybrid/contact_set.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// The place of an impact.
struct ImpactSituation {
  const Model& model;
  const State& state;
  const ContactSet& contacts;    ///< closed before
  std::optional<ImpactLaw> law;  ///< instead of the contacts' own
  Tolerances tolerances;
  bool alone = false;  ///< closed contacts that feel the impulse get none
};

/// The law of an impact at a contact.
[[nodiscard]] ImpactLaw law_of(const ImpactSituation& at, int contact);

/// The path of one contact alone in impulse space, seen from the side to which it pushes.
struct FollowedPath {
  int contact = 0;
  double side = 1.0;  ///< -1: a bilateral contact that pulls
  ContactImpact impact;
  ContactImpulse impulse;
};

struct ImpactEffect {
  State state;          ///< after, before relabelling
  ContactSet contacts;  ///< after
  ImpactRecord record;
  double energy_before = 0.0, energy_after = 0.0;  ///< kinetic [J]
  std::vector<std::string> notes;
  std::string word;  ///< its name among the outcomes
  /// Other outcomes that belong to the same continuum, named by their range.
  std::vector<std::string> range;
  std::optional<FollowedPath> path{};  ///< of one contact alone
  /// The largest change of the turn rate of the contact's body, if the law leaves its size open
  /// [rad/s].
  std::optional<double> largest_jump{};
  bool by_poisson = false;  ///< in place of Newton's or Stronge's law, at several contacts
};

/// Applies impulses at a mode's closed contacts (entries 2 i, 2 i + 1) at one instant. The mode
/// goes on afterwards.
[[nodiscard]] ImpactEffect apply_impulses(const ImpactSituation& at, const Mode& mode, int contact,
                                          const Vec2C& impulses);

/// A collision of these contacts. Closed contacts that feel it take part. Returns every outcome of
/// the law, the preferred one first.
[[nodiscard]] std::vector<ImpactEffect> find_collisions(const ImpactSituation& at,
                                                        const std::vector<int>& colliding);

/// The same for an impulse without collision at a sliding contact. `jammed`: its force grew without
/// bound, so that p is zero up to rounding. There Fremond's law leaves the size of the jump open:
/// that of the contact is taken and reported with its range. Empty: no impulse satisfies the law.
/// `rebounding`: open contacts at their surfaces, which take part if the impulse drives them in.
[[nodiscard]] std::vector<ImpactEffect> find_strikes(const ImpactSituation& at, int contact,
                                                     const PerContact<int>& rebounding,
                                                     bool jammed);

}  // namespace slipstick
