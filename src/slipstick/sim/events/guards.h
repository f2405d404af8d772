#pragma once

/// What ends a mode: docs/theory/motion.md, Events.

#include <cstddef>
#include <vector>

#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// What a mode watches.
enum class GuardType {
  kGap,       ///< of an open contact
  kForce,     ///< normal force of a closed one
  kConePlus,  ///< mu_s f_n - f_t of a sticking one
  kConeMinus,
  kSlip,    ///< of a sliding one
  kSlack,   ///< of the family of forces of redundant contacts
  kActive,  ///< a closed contact's `active_when`
  kBegins,  ///< the same of a contact that does not exist and is at its surface
  kTime,    ///< the end that was asked for, or a change of formulas of time
  kMinor,   ///< a principal minor of P, times its sign so far; ends no mode
};

struct Guard {
  GuardType type = GuardType::kTime;
  int contact = -1;       ///< in the model's order
  std::size_t index = 0;  ///< among the closed contacts
  int zero_at_start = 0;  ///< order of its known zero at the mode's start
  unsigned subset = 0;    ///< of a minor: bits of closed contacts
  double sign = 1.0;      ///< of a minor; 0: it starts at zero, what follows decides
  double margin = 0.0;    ///< of a slack: how far below zero it may be
};

/// The guards that a mode arms at a state. `opening`: per contact of the model, the order of the
/// zero of its gap or slip at the start.
[[nodiscard]] std::vector<Guard> list_guards(const Model& model, const Mode& mode,
                                             const State& state, const PerContact<int>& opening);

/// The principal minors of P that can change sign while d does not, of unilateral contacts that
/// slide: none unless two of them have friction. Their signs are those at the start.
[[nodiscard]] std::vector<Guard> list_minors(const Mode& mode, const ContactDynamics& dynamics);

/// A principal minor of P in units of unit mobility, from the dynamics of the mode's contacts.
[[nodiscard]] double eval_minor(const Mode& mode, const ContactDynamics& dynamics, unsigned subset);

/// True for guards on contact forces; the others but kTime are functions of the state alone.
[[nodiscard]] bool is_of_forces(const Guard& guard);

/// A guard's value, positive while the mode goes on: from its contact's forces,
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
