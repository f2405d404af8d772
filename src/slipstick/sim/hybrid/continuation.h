#pragma once

/// How a motion can go on from a state: the contact problem of contacts that are known to be
/// closed, with decisions at zero settled by what follows.

#include <vector>

#include "slipstick/sim/hybrid/contact_set.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// Every mode that satisfies the contact laws at the state and just after it. Where an inequality
/// is at zero (the old mode ends there), a mode counts if its own motion does not break it. Of
/// modes with the same motion one is kept. A contact with mu_s > mu that can stick does. `ended`,
/// if not empty: the mode that a vanishing force just ended; then every mode has to prove itself by
/// what follows, and that one goes on only if there is no other. `rates`: of the motion so far, per
/// coordinate for its whole tree of bodies [1/s], to compare with where all loads pass through
/// zero.
[[nodiscard]] ModeList find_continuations(const Model& model, const State& state,
                                          const PerContact<ClosedContact>& closed,
                                          const Mode* ended, const VecQ& rates,
                                          const Tolerances& tolerances);

/// A little later in a mode: where forces that come from infinity at the state are finite.
[[nodiscard]] State look_ahead(const Model& model, const Mode& mode, const State& state);

/// True if an impulse without collision can act at a closed contact: it slides where the law has no
/// or several forces, by itself (p < 0, or zero up to rounding) or with the other closed contacts
/// (d < 0).
[[nodiscard]] bool can_be_struck(const Model& model, const State& state,
                                 const PerContact<ClosedContact>& closed,
                                 const ClosedContact& contact);

/// True if contacts released at p = b = 0 open: their normal acceleration is zero, its rate
/// decides.
[[nodiscard]] bool opens_after_release(const Model& model, const State& state,
                                       const PerContact<int>& contacts);

/// Per contact of the model, the order of the zero at the start of a mode: of the gap of a contact
/// that opens, of the slip of one that starts to slip.
[[nodiscard]] PerContact<int> find_openings(const Model& model, const State& state,
                                            const ModeSolution& mode, const ContactSet& before);

/// The slip that a contact without friction begins with, while it rests in a mode and nothing
/// accelerates it yet; by what happens up to a time [s].
struct SlowStart {
  int sign = 0;   ///< 0: none is in sight
  int order = 0;  ///< of its zero
};
[[nodiscard]] SlowStart find_slow_start(const Model& model, const Mode& mode, const State& state,
                                        int contact, double latest);

}  // namespace slipstick
