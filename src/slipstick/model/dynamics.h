#pragma once

/// M, h and contact kinematics of a model at a state: M v' + h = W_n f_n + W_t f_t.

#include "slipstick/core/linalg.h"
#include "slipstick/model/forces.h"
#include "slipstick/model/model.h"
#include "slipstick/model/state.h"

namespace slipstick {

/// Per contact, in the model's order. d(gap_rate)/dt = W_n' v' + bias_n and
/// d(slip)/dt = W_t' v' + bias_t.
struct ContactKinematics {
  VecC gap;             ///< distance from the surface along its normal [m]
  VecC gap_rate;        ///< [m/s]
  VecC slip;            ///< velocity of the contact point along t minus the surface's own [m/s]
  VecC bias_n, bias_t;  ///< [m/s^2]
  MatQC W_n, W_t;       ///< columns: gradients of gap and of the tangential path
};

struct Dynamics {
  MatQ M;  ///< mass matrix, symmetric positive definite
  VecQ h;  ///< velocity terms, gravity, springs, dampers and applied forces, on the left side
  ContactKinematics contacts;
};

/// Evaluates all of it. Does not allocate.
[[nodiscard]] Dynamics eval_dynamics(const Model& model, const State& state);

/// Evaluates only the contacts.
[[nodiscard]] ContactKinematics eval_contact_kinematics(const Model& model, const StateView& state);
/// The same into an object that need not be copied.
void eval_contact_kinematics(const Model& model, const StateView& state, ContactKinematics& out);

/// Evaluates one contact's gap [m].
[[nodiscard]] double eval_gap(const Model& model, int contact, const VecQ& q);

/// v' M v / 2 [J].
[[nodiscard]] double eval_kinetic_energy(const Model& model, const State& state);

/// Of gravity and springs [J]; gravity's is zero where the masses' centre is at the origin.
[[nodiscard]] double eval_potential_energy(const Model& model, const VecQ& q);

/// True where the contact's `active_when` holds; a contact without one is always active.
[[nodiscard]] inline bool eval_is_active(const Model& model, int contact, const State& state) {
  const auto& condition = model.contacts.at(static_cast<std::size_t>(contact)).active_when;
  return !condition || eval_function(*condition, state) != 0.0;
}

/// The state in the names that hold after `relabel` (the same motion, told from the new stance).
[[nodiscard]] State make_relabelled(const Model& model, const Relabel& relabel, const State& state);

/// The motion that costs least kinetic energy.
struct LightestMotion {
  double inertia = 0.0;  ///< least eigenvalue of M scaled to a unit diagonal
  int coordinate = 0;    ///< the largest part of it
};
[[nodiscard]] LightestMotion find_lightest_motion(const Model& model, const VecQ& q);

}  // namespace slipstick
