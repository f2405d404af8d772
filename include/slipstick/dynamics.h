#pragma once

/// The equations of motion of a model at a state, M v' + h = W_n f_n + W_t f_t, and how its
/// contacts move. docs/theory/planar-trees.md.
///
///     const slipstick::Dynamics at = slipstick::eval_dynamics(*arm.model, arm.initial);
///     std::cout << at.M << '\n' << at.contacts.gap << '\n';

#include "slipstick/linalg.h"
#include "slipstick/model.h"
#include "slipstick/state.h"

namespace slipstick {

/// Per contact, in the model's order. d(gap_rate)/dt = W_n^T v' + bias_n and d(slip)/dt = W_t^T v'
/// + bias_t, with v' the acceleration.
struct ContactKinematics {
  VecC gap;             ///< distance from the surface along its normal [m]
  VecC gap_rate;        ///< [m/s]
  VecC slip;            ///< velocity of the contact point along t minus the surface's own [m/s]
  VecC bias_n, bias_t;  ///< [m/s^2]
  MatQC W_n, W_t;       ///< columns: gradients of gap and of the tangential path
};

/// The equations of motion, and the contacts.
struct Dynamics {
  MatQ M;  ///< mass matrix, symmetric positive definite
  VecQ h;  ///< velocity terms, gravity, springs, dampers and applied forces, on the left side
  ContactKinematics contacts;  ///< of all contacts, closed or not
};

/// Evaluates all of it. Does not allocate.
[[nodiscard]] Dynamics eval_dynamics(const Model& model, const State& state);

/// Evaluates only the contacts.
[[nodiscard]] ContactKinematics eval_contact_kinematics(const Model& model, const StateView& state);

/// Evaluates one contact's gap [m].
[[nodiscard]] double eval_gap(const Model& model, int contact, const VecQ& q);

/// v^T M v / 2 [J].
[[nodiscard]] double eval_kinetic_energy(const Model& model, const State& state);

/// Potential energy of gravity and springs [J]. That of gravity is zero where the masses' centre is
/// at the origin.
[[nodiscard]] double eval_potential_energy(const Model& model, const VecQ& q);

}  // namespace slipstick
