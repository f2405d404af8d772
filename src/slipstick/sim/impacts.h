#pragma once

/// What an impact does to a motion, under the law of its contacts: docs/theory/impact.md.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/sim/contact_set.h"
#include "slipstick/sim/run.h"

namespace slipstick {

/// Where an impact happens.
struct ImpactSituation {
  const Model& model;
  const State& state;
  const ContactSet& contacts;    ///< closed before
  std::optional<ImpactLaw> law;  ///< instead of the contacts' own
  Tolerances tolerances;
};

struct ImpactEffect {
  State state;          ///< after, before relabelling
  ContactSet contacts;  ///< after
  ImpactRecord record;
  double energy_before = 0.0, energy_after = 0.0;  ///< kinetic [J]
  std::vector<std::string> alternatives;           ///< other outcomes, as mode words
  std::vector<std::string> notes;
};

/// A collision of these contacts, in which the closed ones that feel it take part. Nothing if the
/// law has no outcome.
[[nodiscard]] std::optional<ImpactEffect> find_collision(const ImpactSituation& at,
                                                         const std::vector<int>& colliding);

/// An impulse without collision at a sliding contact. `jammed`: its force grew without bound, so
/// that p is zero up to rounding. Nothing if the law has none.
[[nodiscard]] std::optional<ImpactEffect> find_strike(const ImpactSituation& at, int contact,
                                                      bool jammed);

}  // namespace slipstick
