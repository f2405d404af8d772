#pragma once

/// Internal coordinates of a state, and all forces on a mechanism except gravity, inertia and
/// contacts: springs, dampers, applied forces.

#include "slipstick/linalg.h"
#include "slipstick/model/model.h"

namespace slipstick {

/// Internal coordinates and their rates: z = C q.
struct StateInTree {
  VecQ z, z_rate;
};
[[nodiscard]] inline StateInTree make_state_in_tree(const Model& model, const StateView& state) {
  if (model.tree.coordinates_are_internal) return {state.q, state.v};
  return {model.tree.C * state.q, model.tree.C * state.v};
}

[[nodiscard]] bool has_applied_forces(const Model& model);

/// True if a force, a surface's speed or a contact's existence is a function of t.
[[nodiscard]] bool has_time_dependence(const Model& model);
/// The same for forces and the existence of contacts alone, without the speeds of surfaces.
[[nodiscard]] bool do_loads_depend_on_time(const Model& model);

/// Text of a force or of a surface's speed that is not finite at a state; empty if all are finite.
[[nodiscard]] std::string find_undefined_formula(const Model& model, const State& state);

/// Generalised forces in internal coordinates [N, N m].
[[nodiscard]] VecQ eval_applied_forces(const Model& model, const StateView& state);

/// The part of them that springs and dampers exert, in numbers or with their rates (Dual).
template <class Scalar>
[[nodiscard]] BasicVecQ<Scalar> eval_spring_forces(const Model& model,
                                                   const BasicTreeState<Scalar>& state,
                                                   const BasicVecQ<Scalar>& z);

/// Energy stored in the springs [J].
[[nodiscard]] double eval_spring_energy(const Model& model, const TreeState& state, const VecQ& z);

/// Change of the turn rate of a contact's body for a change of the coordinates' rates [rad/s].
[[nodiscard]] double eval_turn_rate_change(const Model& model, const Contact& contact,
                                           const VecQ& change);

/// A Function of the model at a state.
[[nodiscard]] double eval_varying_function(const Function& function, const StateView& state);
[[nodiscard]] inline double eval_function(const Function& function, const StateView& state) {
  return function.is_constant() ? function.eval({}) : eval_varying_function(function, state);
}

/// The same with its rate along rates of the state: q and v are those of time, coordinates and
/// their rates.
[[nodiscard]] Dual eval_function(const Function& function, const StateView& state,
                                 const StateView& rates);

/// A value that changes its sign where one of the function's switches is passed, and its rate.
[[nodiscard]] Dual eval_switch(const Function& function, std::size_t index, const StateView& state,
                               const StateView& rates);

/// d(speed)/dt of a surface [m/s^2].
[[nodiscard]] double eval_surface_acceleration(const Surface& surface, const StateView& state);

}  // namespace slipstick
