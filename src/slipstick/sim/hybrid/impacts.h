#pragma once

/// What an impact does to a motion, under the law of its contacts: docs/theory/impact.md.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/run.h"
#include "slipstick/sim/hybrid/contact_set.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// Where an impact happens.
struct ImpactSituation {
  const Model& model;
  const State& state;
  const ContactSet& contacts;    ///< closed before
  std::optional<ImpactLaw> law;  ///< instead of the contacts' own
  Tolerances tolerances;
};

/// The law of an impact at a contact.
[[nodiscard]] ImpactLaw law_of(const ImpactSituation& at, int contact);

struct ImpactEffect {
  State state;          ///< after, before relabelling
  ContactSet contacts;  ///< after
  ImpactRecord record;
  double energy_before = 0.0, energy_after = 0.0;  ///< kinetic [J]
  std::vector<std::string> notes;
  std::string word;  ///< what tells it from other outcomes
  /// What else the law admits of the same continuum, which is no outcome of its own.
  std::vector<std::string> range;
};

/// Impulses at a mode's closed contacts (entries 2 i, 2 i + 1) in no time, after which it goes on.
[[nodiscard]] ImpactEffect apply_impulses(const ImpactSituation& at, const Mode& mode,
                                          const Vec2C& impulses);

/// A collision of these contacts, in which the closed ones that feel it take part: every outcome
/// that the law has, the one it prefers first.
[[nodiscard]] std::vector<ImpactEffect> find_collisions(const ImpactSituation& at,
                                                        const std::vector<int>& colliding);

/// The same for an impulse without collision at a sliding contact. `jammed`: its force grew without
/// bound, so that p is zero up to rounding; there Fremond's law leaves the size of the jump open:
/// the contact's own is taken, and told with its range. None: no impulse satisfies the law.
/// `rebounding`: open contacts at their surfaces, which take part if the impulse drives them in.
[[nodiscard]] std::vector<ImpactEffect> find_strikes(const ImpactSituation& at, int contact,
                                                     const PerContact<int>& rebounding,
                                                     bool jammed);

}  // namespace slipstick
