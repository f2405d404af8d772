#include "slipstick/model/forces.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "slipstick/core/dual.h"

namespace slipstick {
namespace {

/// Values of a Function's variables: t, q, v.
template <class Scalar>
struct BasicVariables {
  std::array<Scalar, 1 + 2 * kMaxCoordinates> values;
  std::size_t count;

  explicit BasicVariables(Eigen::Index size) : count(1 + 2 * static_cast<std::size_t>(size)) {}
  [[nodiscard]] std::span<const Scalar> get() const { return {values.data(), count}; }
};

struct Variables : BasicVariables<double> {
  explicit Variables(const StateView& state) : BasicVariables(state.q.size()) {
    const auto n = static_cast<std::size_t>(state.q.size());
    values[0] = state.time;
    for (std::size_t i = 0; i < n; ++i) {
      values[1 + i] = state.q[static_cast<Eigen::Index>(i)];
      values[1 + n + i] = state.v[static_cast<Eigen::Index>(i)];
    }
  }
  [[nodiscard]] double eval(const Function& f) const { return f.eval(get()); }
};

struct VaryingVariables : BasicVariables<Dual> {
  VaryingVariables(const StateView& state, const StateView& rates)
      : BasicVariables(state.q.size()) {
    const Variables at(state);
    const Variables along(rates);
    for (std::size_t i = 0; i < count; ++i) values[i] = {at.values[i], along.values[i]};
  }
};

template <class Scalar>
Scalar eval_turn_rate(const BasicTreeState<Scalar>& state, const Orientation& turn) {
  if (turn.frame == kWorldFrame) return 0.0;
  return state.turn_rate[static_cast<std::size_t>(turn.frame)];
}

/// force += (generalised force of a torque on a body).
template <class Scalar>
void add_torque(const Tree& tree, const Orientation& turn, const Scalar& torque,
                BasicVecQ<Scalar>& force) {
  if (turn.frame == kWorldFrame) return;
  force[turn.frame] += tree.elements[static_cast<std::size_t>(turn.frame)].sense * torque;
}

void add_point_forces(const Model& model, const TreeState& state, const Variables& variables,
                      VecQ& out) {
  for (const PointForce& force : model.point_forces) {
    if (!force.x.is_zero()) {
      out += variables.eval(force.x) * eval_row(model.tree, state, force.at_x).gradient;
    }
    if (!force.y.is_zero()) {
      out += variables.eval(force.y) * eval_row(model.tree, state, force.at_y).gradient;
    }
    if (!force.torque.is_zero()) {
      add_torque(model.tree, force.turn, variables.eval(force.torque), out);
    }
  }
}

}  // namespace

bool has_applied_forces(const Model& model) {
  return !model.linear_springs.empty() || !model.torsion_springs.empty() ||
         !model.coordinate_forces.empty() || !model.point_forces.empty();
}

bool has_time_dependence(const Model& model) {
  return do_loads_depend_on_time(model) ||
         std::any_of(model.surfaces.begin(), model.surfaces.end(),
                     [](const Surface& surface) { return surface.speed.uses("t"); });
}

bool do_loads_depend_on_time(const Model& model) {
  const std::string t = "t";
  const auto varies = [&](const auto& list, const auto& uses) {
    return std::any_of(list.begin(), list.end(), uses);
  };
  return varies(model.coordinate_forces,
                [&](const CoordinateForce& force) { return force.value.uses(t); }) ||
         varies(model.point_forces,
                [&](const PointForce& force) {
                  return force.x.uses(t) || force.y.uses(t) || force.torque.uses(t);
                }) ||
         varies(model.contacts, [&](const Contact& contact) {
           return contact.active_when && contact.active_when->uses(t);
         });
}

std::string find_undefined_formula(const Model& model, const State& state) {
  std::string out;
  const auto look = [&](const Function& function) {
    if (!out.empty() || std::isfinite(eval_function(function, state))) return;
    out = function.expression()->text();
  };
  for (const Surface& surface : model.surfaces) look(surface.speed);
  for (const CoordinateForce& force : model.coordinate_forces) look(force.value);
  for (const PointForce& force : model.point_forces) {
    for (const Function* part : {&force.x, &force.y, &force.torque}) look(*part);
  }
  return out;
}

double eval_turn_rate_change(const Model& model, const Contact& contact, const VecQ& change) {
  const int frame = contact.turn.frame;
  if (frame == kWorldFrame) return 0.0;
  const VecQ in_tree = model.tree.coordinates_are_internal ? change : VecQ(model.tree.C * change);
  return model.tree.elements[static_cast<std::size_t>(frame)].sense * in_tree[frame];
}

template <class Scalar>
BasicVecQ<Scalar> eval_spring_forces(const Model& model, const BasicTreeState<Scalar>& state,
                                     const BasicVecQ<Scalar>& z) {
  using std::hypot;
  BasicVecQ<Scalar> out = BasicVecQ<Scalar>::Zero(model.size());
  for (const LinearSpring& spring : model.linear_springs) {
    const BasicRowValue<Scalar> x = eval_row(model.tree, state, spring.x);
    const BasicRowValue<Scalar> y = eval_row(model.tree, state, spring.y);
    const Scalar length = hypot(x.value, y.value);
    if (length == 0.0) continue;  // no direction; a spring of length zero pulls nowhere here
    const Scalar rate = (x.value * x.rate + y.value * y.rate) / length;
    const Scalar tension = spring.stiffness * (length - spring.length) + spring.damping * rate;
    const Scalar pull = tension / length;
    out -= pull * (x.value * x.gradient + y.value * y.gradient);
  }
  for (const TorsionSpring& spring : model.torsion_springs) {
    const Scalar angle =
        eval_angle(model.tree, spring.body, z) - eval_angle(model.tree, spring.to, z);
    const Scalar rate = eval_turn_rate(state, spring.body) - eval_turn_rate(state, spring.to);
    const Scalar torque = -spring.stiffness * (angle - spring.angle) - spring.damping * rate;
    add_torque(model.tree, spring.body, torque, out);
    add_torque(model.tree, spring.to, Scalar(-torque), out);
  }
  return out;
}
template VecQ eval_spring_forces(const Model&, const TreeState&, const VecQ&);
template BasicVecQ<Dual> eval_spring_forces(const Model&, const BasicTreeState<Dual>&,
                                            const BasicVecQ<Dual>&);

double eval_spring_energy(const Model& model, const TreeState& state, const VecQ& z) {
  double out = 0.0;
  for (const LinearSpring& spring : model.linear_springs) {
    const double x = eval_row(model.tree, state, spring.x).value;
    const double y = eval_row(model.tree, state, spring.y).value;
    out += 0.5 * spring.stiffness * std::pow(std::hypot(x, y) - spring.length, 2);
  }
  for (const TorsionSpring& spring : model.torsion_springs) {
    const double angle = eval_angle(model.tree, spring.body, z) -
                         eval_angle(model.tree, spring.to, z) - spring.angle;
    out += 0.5 * spring.stiffness * angle * angle;
  }
  return out;
}

VecQ eval_applied_forces(const Model& model, const StateView& state) {
  const StateInTree internal = make_state_in_tree(model, state);
  const TreeState tree_state = eval_tree_state(model.tree, internal.z, internal.z_rate);
  const Variables variables(state);
  VecQ out = eval_spring_forces(model, tree_state, internal.z);
  add_point_forces(model, tree_state, variables, out);
  if (model.coordinate_forces.empty()) return out;
  VecQ on_coordinates = VecQ::Zero(model.size());
  for (const CoordinateForce& force : model.coordinate_forces) {
    on_coordinates[force.coordinate] += variables.eval(force.value);
  }
  if (model.tree.coordinates_are_internal) return out + on_coordinates;
  return out + model.tree.C_inverse.transpose() * on_coordinates;  // power is the same: z = C q
}

double eval_varying_function(const Function& function, const StateView& state) {
  return Variables(state).eval(function);
}

Dual eval_function(const Function& function, const StateView& state, const StateView& rates) {
  if (function.is_constant()) return function.eval({});
  return function.eval_dual(VaryingVariables(state, rates).get());
}

Dual eval_switch(const Function& function, std::size_t index, const StateView& state,
                 const StateView& rates) {
  return function.expression()->eval_switch(index, VaryingVariables(state, rates).get());
}

double eval_surface_acceleration(const Surface& surface, const StateView& state) {
  if (surface.speed.is_constant()) return 0.0;
  BasicVariables<Dual> variables(state.q.size());  // a speed uses only the time
  variables.values[0] = {state.time, 1.0};
  return surface.speed.eval_dual(variables.get()).rate;
}

}  // namespace slipstick
