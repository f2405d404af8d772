#pragma once

/// How contact forces accelerate a mechanism and its contacts at a state. This is the hot path of
/// every analysis and simulation: it works from the centre of mass, evaluates only the contacts
/// asked for, and does not allocate.

#include <functional>
#include <span>

#include "slipstick/linalg.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/model.h"

namespace slipstick {

/// Entries and columns 2 i and 2 i + 1 are normal and tangent of the i-th contact asked for.
struct ContactDynamics {
  VecQ free_acceleration;  ///< v' without contact forces
  MatQ2C M_inverse_W;      ///< v' per unit contact force
  Mat2C G;                 ///< contact acceleration per unit contact force (Delassus) [1/kg]
  Vec2C a_free;            ///< contact accelerations without contact forces [m/s^2]
  bool regular = true;     ///< false: M is not positive definite, nothing else is set
};

/// Evaluates it for the contacts with these indices, all taken as closed.
[[nodiscard]] ContactDynamics eval_contact_dynamics(const Model& model, const StateView& state,
                                                    std::span<const int> contacts);
/// The same, written into `out` without a copy.
void eval_contact_dynamics(const Model& model, const StateView& state,
                           std::span<const int> contacts, ContactDynamics& out);

/// Names the contacts whose dynamics matter, from how all of them move.
using ChooseContacts = std::function<std::span<const int>(const ContactKinematics&)>;

/// Evaluates the kinematics of all contacts and the dynamics of the chosen ones, with one set of
/// sines and cosines, written into the arguments without a copy.
void eval_contacts(const Model& model, const StateView& state, const ChooseContacts& choose,
                   ContactKinematics& kinematics, ContactDynamics& dynamics);

/// Normal acceleration of one closed contact that slides: b + p f_n. Both are NaN if M is not
/// positive definite.
struct SlidingResponse {
  double p = 0.0;  ///< G_nn - s mu G_nt [1/kg]
  double b = 0.0;  ///< [m/s^2]
};

/// Evaluates only that, for a slip with this sign.
[[nodiscard]] SlidingResponse eval_sliding_response(const Model& model, const StateView& state,
                                                    int contact, double slip_sign);

}  // namespace slipstick
