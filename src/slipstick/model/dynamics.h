#pragma once

/// What the library needs beside dynamics.h (include/slipstick): evaluation in place, conditions,
/// new names.

#include "slipstick/dynamics.h"
#include "slipstick/model/forces.h"
#include "slipstick/model/model.h"

namespace slipstick {

/// eval_contact_kinematics(), written into `out` without a copy.
void eval_contact_kinematics(const Model& model, const StateView& state, ContactKinematics& out);

/// True where the contact's `active_when` holds; a contact without one is always active.
[[nodiscard]] inline bool eval_is_active(const Model& model, int contact, const State& state) {
  const auto& condition = model.contacts.at(static_cast<std::size_t>(contact)).active_when;
  return !condition || eval_function(*condition, state) != 0.0;
}

/// The state in the names that hold after `relabel`: the same motion, described from the new
/// stance.
[[nodiscard]] State make_relabelled(const Model& model, const Relabel& relabel, const State& state);

/// The motion with the least kinetic energy.
struct LightestMotion {
  double inertia = 0.0;  ///< least eigenvalue of M scaled to a unit diagonal
  int coordinate = 0;    ///< the largest part of it
};
[[nodiscard]] LightestMotion find_lightest_motion(const Model& model, const VecQ& q);

}  // namespace slipstick
