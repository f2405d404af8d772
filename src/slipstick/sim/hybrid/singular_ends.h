#pragma once

/// Sliding that ends at d = 0 (one contact: p = 0): docs/theory/motion.md.

#include "slipstick/sim/events/integrate.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// The force grew without bound.
[[nodiscard]] Transitions pass_jam(const Model& model, HybridState at, const Laws& laws,
                                   const ModeEnd& end);

/// Contacts are driven to where they lock: to a dead centre, where velocities grow without bound,
/// too, or to a state where their friction holds each other.
[[nodiscard]] Transitions end_in_lock(const Model& model, const HybridState& at,
                                      const ModeEnd& end);

/// The force acts like an impulse for a time that doubles do not resolve, and does not end the
/// slip.
[[nodiscard]] Transitions pass_return(const Model& model, HybridState at, const Laws& laws,
                                      const ModeEnd& end);

/// p = b = 0 reached with a finite force: beyond it p < 0 < b, where a sliding contact can be
/// struck. Released at the point itself one contact would penetrate, since f* > 0 needs gamma < 0;
/// of several some may open.
[[nodiscard]] Transitions pass_with_finite_force(const Model& model, HybridState at,
                                                 const Laws& laws, const ModeEnd& end);

/// The force still acts, at a d that is rounding: that it vanishes first is what the motion so far
/// says.
[[nodiscard]] Transitions pass_separation(const Model& model, HybridState at, const Laws& laws);

}  // namespace slipstick
