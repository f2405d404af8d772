#pragma once

/// The modes in which a motion can continue from a state: the contact problem of contacts that are
/// known to be closed. Decisions at zero are settled by the motion that follows.

#include <vector>

#include "slipstick/sim/hybrid/contact_set.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// Every mode that satisfies the contact laws at the state and just after it. If an inequality is
/// at zero (as where the old mode ends), a mode counts if its own motion does not break it. Of
/// modes with the same motion one is kept. A contact with mu_s > mu sticks if it can. `ended`, if
/// given: the mode that a vanishing force has just ended. Then every mode is tested along its own
/// motion, and `ended` itself counts only if there is no other. `rates`: of the motion so far, per
/// coordinate for its whole tree of bodies [1/s]; they are the scale where all loads pass through
/// zero. `latest`: formulas of time stay the same up to here [s].
[[nodiscard]] ModeList find_continuations(const Model& model, const State& state,
                                          const PerContact<ClosedContact>& closed,
                                          const Mode* ended, const VecQ& rates, double latest,
                                          const Tolerances& tolerances);

/// The state a little later in a mode, where forces that are infinite at the state are finite.
[[nodiscard]] State look_ahead(const Model& model, const Mode& mode, const State& state);

/// A mode in which a contact slides, alone or with all closed contacts as they slide and stick.
struct SlidingField {
  Mode mode;
  ModeField field;
  bool alone = false;
};
/// All of them that are regular, for each combination of the sides to which bilateral contacts with
/// friction push.
[[nodiscard]] std::vector<SlidingField> list_sliding_fields(const Model& model, const State& state,
                                                            const PerContact<ClosedContact>& closed,
                                                            const ClosedContact& contact);

/// True if an impulse without collision can act at a closed contact: it slides, and has no force or
/// several, either alone (p < 0, or zero up to rounding) or together with the other closed contacts
/// (d < 0).
[[nodiscard]] bool can_be_struck(const Model& model, const State& state,
                                 const PerContact<ClosedContact>& closed,
                                 const ClosedContact& contact);

/// True if contacts that are released at p = b = 0 open. Their normal acceleration is zero there,
/// so its rate decides.
[[nodiscard]] bool opens_after_release(const Model& model, const State& state,
                                       const PerContact<int>& contacts);

/// Per contact of the model, the order of the zero at the start of a mode: of the gap if the
/// contact opens, of the slip if it begins to slip.
[[nodiscard]] PerContact<int> find_openings(const Model& model, const State& state,
                                            const ModeSolution& mode, const ContactSet& before);

}  // namespace slipstick
