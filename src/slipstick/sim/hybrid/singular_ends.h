#pragma once

/// Sliding that ends at d = 0 (one contact: p = 0): docs/theory/motion.md.

#include "slipstick/sim/events/integrate.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

/// The contact force has grown without bound.
[[nodiscard]] Transitions pass_jam(const Model& model, HybridState at, const Laws& laws,
                                   const ModeEnd& end);

/// Contacts are driven to a state in which they lock: to a dead centre, where velocities also grow
/// without bound, or to a state in which the contacts hold each other by friction.
[[nodiscard]] Transitions end_in_lock(const Model& model, const HybridState& at,
                                      const ModeEnd& end);

/// The force acts like an impulse for a time that doubles do not resolve, and does not end the
/// slip.
[[nodiscard]] Transitions pass_return(const Model& model, HybridState at, const Laws& laws,
                                      const ModeEnd& end);

/// p = b = 0 is reached with a finite force. Beyond it p < 0 < b, where a sliding contact can be
/// struck. If one contact were released at the point itself it would penetrate, since f* > 0 needs
/// gamma < 0; of several contacts some may open.
[[nodiscard]] Transitions pass_with_finite_force(const Model& model, HybridState at,
                                                 const Laws& laws, const ModeEnd& end);

/// The force still acts, at a d of rounding size. The motion so far shows that the force vanishes
/// before d does.
[[nodiscard]] Transitions pass_separation(const Model& model, HybridState at, const Laws& laws);

}  // namespace slipstick
