#pragma once

/// Impulses during a motion: collisions, and those without.

#include <vector>

#include "slipstick/sim/hybrid/impacts.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Every outcome of the impact of these contacts; the one that the law prefers first.
[[nodiscard]] Transitions find_outcomes(const Model& model, HybridState at, const Laws& laws,
                                        const Collides& impact);

/// Every outcome of an impulse without collision. Contacts that none can drive in alone may be
/// struck together: -1 for the contact tries them all. No way: no impulse satisfies the law.
[[nodiscard]] Transitions find_outcomes(const Model& model, HybridState at, const Laws& laws,
                                        const IsStruck& impulse);

/// A closed contact that slides where the law has no or several forces, and at which an impulse
/// without collision satisfies the law of impact. -1: none.
[[nodiscard]] int find_strikable(const Model& model, const State& state, const ContactSet& contacts,
                                 const Laws& laws);

/// An impulse without collision has been applied at this time and state: Fremond's law may reverse
/// slips to and fro.
[[nodiscard]] bool was_struck(const Model& model, const HybridState& at);

}  // namespace slipstick
