#pragma once

/// The guards that end a mode: docs/theory/motion.md, Events.

#include <cstddef>
#include <vector>

#include "slipstick/run.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// The guards that a mode arms at a state. `opening`: per contact of the model, the order of the
/// zero of its gap or slip at the start.
[[nodiscard]] std::vector<Guard> list_guards(const Model& model, const Mode& mode,
                                             const State& state, const PerContact<int>& opening);

/// The principal minors of P, of unilateral contacts that slide, that can change sign while d does
/// not. There are none unless two of the contacts have friction. Their signs are those at the
/// start.
[[nodiscard]] std::vector<Guard> list_minors(const Mode& mode, const ContactDynamics& dynamics);

/// A principal minor of P in units of unit mobility, from the dynamics of the mode's contacts.
[[nodiscard]] double eval_minor(const Mode& mode, const ContactDynamics& dynamics, unsigned subset);

/// True for guards on contact forces; all others except kTime are functions of the state alone.
[[nodiscard]] bool is_of_forces(const Guard& guard);

/// A guard's value, positive as long as the mode holds: from the forces of its contact,
[[nodiscard]] inline double eval_force_guard(const Mode& mode, const Guard& guard, double normal,
                                             double tangential) {
  const ClosedMode& contact = mode.closed[guard.index];
  const double pressure = contact.force_sign * normal;
  switch (guard.type) {
    case GuardType::kConePlus:
      return contact.mu_s * pressure - tangential;
    case GuardType::kConeMinus:
      return contact.mu_s * pressure + tangential;
    default:
      return pressure;
  }
}
/// or from the state.
[[nodiscard]] double eval_state_guard(const Model& model, const Mode& mode, const Guard& guard,
                                      const State& state);

}  // namespace slipstick
