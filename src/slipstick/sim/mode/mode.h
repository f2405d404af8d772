#pragma once

/// The motion in one mode: which contacts are closed, and the mode of each. A mode with sliding
/// runs in a stretched time tau with dt = |d| d(tau), where d is the determinant of the contact
/// equations in units of unit mobility (one contact: p over its frictionless value). Forces are
/// -adj(P) b/d, so nothing in the stretched field is divided by d, and a jam (d -> 0) is an
/// ordinary fixed point: docs/theory/motion.md.

#include <cmath>
#include <span>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/mode_equations.h"
#include "slipstick/state.h"

namespace slipstick {

/// A mode word with the signs of its normal forces, as a solution of the contact problem gives it.
[[nodiscard]] Mode make_mode(const Model& model, const State& state, const ModeSolution& solution);

/// False if d is so small that its sign, the side of d = 0, is rounding.
[[nodiscard]] inline bool is_resolved(double determinant) {
  return std::abs(determinant) >= kUnresolved;
}

/// The rate of time in a mode's field.
struct ModePace {
  bool regular = true;       ///< false: the mass matrix or the contact equations are singular
  double determinant = 1.0;  ///< d; 1 if the mode is not stretched
  double rate = 1.0;         ///< dt/d(tau) = |d|
};

/// The field of a mode at a state. Entries 2 i, 2 i + 1 of the forces: normal and tangential force
/// at the i-th closed contact.
struct ModeField : ModePace {
  VecQ acceleration;   ///< dv/d(tau)
  Vec2C impulse_rate;  ///< forces times the rate
};

[[nodiscard]] ModeField eval_mode_field(const Model& model, const Mode& mode, const State& state);
/// The same from the dynamics of the mode's contacts.
[[nodiscard]] ModeField make_mode_field(const Mode& mode, const ContactDynamics& dynamics);
/// The same, written where accelerations and impulse rates belong. If the field is not regular only
/// the pace is set.
void write_mode_field(const Mode& mode, const ContactDynamics& dynamics, ModePace& pace,
                      double* acceleration, double* impulse_rate);

/// Moves the state onto closed contacts, with zero gap rate and, where a contact sticks, zero slip.
/// Only for changes as small as integration errors.
void project_onto_mode(const Model& model, const Mode& mode, State& state);
/// The same with the contacts' motion at the state, and their dynamics there or very near.
void project_onto_mode(const Mode& mode, const ContactKinematics& contacts,
                       const ContactDynamics& dynamics, State& state);

/// The same for contacts that are known to be closed; those without slip stick.
void project_onto_contacts(const Model& model, const PerContact<ClosedContact>& closed,
                           State& state);

/// The part of a projection that changes velocities only: gap rates of `normals` and slips of
/// `tangents` (indices of contacts) become zero, by the impulses of least energy.
void stop_velocities(const Model& model, std::span<const int> normals,
                     std::span<const int> tangents, State& state);

}  // namespace slipstick
