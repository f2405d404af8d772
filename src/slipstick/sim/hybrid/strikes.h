#pragma once

/// Impulses during a motion, with and without a collision.

#include <vector>

#include "slipstick/sim/hybrid/impacts.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// Every outcome of an impact of these contacts, the preferred one of the law first.
[[nodiscard]] Transitions find_outcomes(const Model& model, HybridState at, const Laws& laws,
                                        const Collides& impact);

/// Every outcome of an impulse without collision. Contacts that friction cannot drive in alone may
/// be struck together: with the contact -1 all are tried. Empty: no impulse satisfies the law.
[[nodiscard]] Transitions find_outcomes(const Model& model, HybridState at, const Laws& laws,
                                        const IsStruck& impulse);

/// A closed contact that slides where there is no force or several, and at which an impulse without
/// collision satisfies the law of impact; -1 if there is none.
[[nodiscard]] int find_strikable(const Model& model, const State& state, const ContactSet& contacts,
                                 const Laws& laws);

/// True if an impulse without collision has been applied at this time and state: Fremond's law may
/// reverse slips back and forth.
[[nodiscard]] bool was_struck(const Model& model, const HybridState& at);

}  // namespace slipstick
