#include "slipstick/model/variation.h"

#include "slipstick/core/dual.h"
#include "slipstick/model/forces.h"

namespace slipstick {
namespace {

using DualVecQ = BasicVecQ<Dual>;

DualVecQ make_dual(const VecQ& value, const VecQ& rate) {
  DualVecQ out(value.size());
  for (Eigen::Index i = 0; i < value.size(); ++i) out[i] = {value[i], rate[i]};
  return out;
}

VecQ get_rates(const DualVecQ& x) {
  return x.unaryExpr([](const Dual& entry) { return entry.rate; });
}

/// A formula of the model file with its rate along a variation.
Dual eval_varied(const Function& function, const State& state, const Variation& variation) {
  return eval_function(function, state, State{0.0, variation.q, variation.v});
}

/// The tree at a state, with rates along a variation.
class VaryingTree {
 public:
  VaryingTree(const Model& model, const State& state, const Variation& variation)
      : model_(model), given_(state), variation_(variation) {
    const StateInTree at = make_state_in_tree(model, state);
    const StateInTree along = make_state_in_tree(model, {0.0, variation.q, variation.v});
    z_ = make_dual(at.z, along.z);
    state_ = eval_tree_state(model.tree, z_, make_dual(at.z_rate, along.z_rate));
  }

  [[nodiscard]] BasicRowValue<Dual> eval(const Row& row) const {
    return eval_row(model_.tree, state_, row);
  }
  /// Rate of a disc's rim along the surface.
  [[nodiscard]] double eval_roll_rate(const Contact& contact) const {
    if (contact.turn.frame == kWorldFrame) return 0.0;
    return contact.radius * state_.turn_rate[static_cast<std::size_t>(contact.turn.frame)].rate;
  }

  void eval_dynamics(BasicMatQ<Dual>& M, DualVecQ& h) const {
    eval_tree_dynamics(model_.tree, state_, M, h);
  }
  [[nodiscard]] DualVecQ eval_forces() const {
    DualVecQ out = eval_spring_forces(model_, state_, z_);
    for (const PointForce& force : model_.point_forces) {
      if (!force.x.is_zero()) out += eval(force.x) * eval(force.at_x).gradient;
      if (!force.y.is_zero()) out += eval(force.y) * eval(force.at_y).gradient;
      if (force.turn.frame != kWorldFrame && !force.torque.is_zero()) {
        const auto frame = static_cast<std::size_t>(force.turn.frame);
        out[force.turn.frame] += model_.tree.elements[frame].sense * eval(force.torque);
      }
    }
    return out;
  }
  [[nodiscard]] Dual eval(const Function& function) const {
    return eval_varied(function, given_, variation_);
  }

  /// Subtracts the rates of the contact forces from those of generalised forces, and returns the
  /// rates of the contacts' accelerations; all in internal coordinates.
  Vec2C add_contacts(const HeldMotion& held, VecQ& force) const {
    const VecQ acceleration = to_tree(held.acceleration);
    Vec2C out(2 * static_cast<Eigen::Index>(held.contacts.size()));
    Eigen::Index row = 0;
    for (const int i : held.contacts) {
      const Contact& contact = model_.contacts[static_cast<std::size_t>(i)];
      for (const Row* side : {&contact.normal, &contact.tangent}) {
        const BasicRowValue<Dual> value = eval(*side);
        const VecQ rates = get_rates(value.gradient);
        force -= held.force[row] * rates;
        out[row] = rates.dot(acceleration) + value.bias.rate;
        ++row;
      }
    }
    return out;
  }

  [[nodiscard]] VecQ to_tree(const VecQ& of_model) const {
    return model_.tree.coordinates_are_internal ? of_model : VecQ(model_.tree.C * of_model);
  }
  /// Generalised forces: power is the same, z = C q.
  [[nodiscard]] VecQ from_tree(const VecQ& force) const {
    return model_.tree.coordinates_are_internal ? force : VecQ(model_.tree.C.transpose() * force);
  }

 private:
  const Model& model_;
  const State& given_;
  const Variation& variation_;
  DualVecQ z_;
  BasicTreeState<Dual> state_;
};

/// Rates of M x for a fixed x.
VecQ multiply_rates(const BasicMatQ<Dual>& M, const VecQ& x) {
  VecQ out = VecQ::Zero(x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    for (Eigen::Index i = 0; i < x.size(); ++i) out[i] += M(i, j).rate * x[j];
  }
  return out;
}

}  // namespace

KinematicVariation eval_kinematic_variation(const Model& model, const State& state,
                                            const Variation& variation) {
  const VaryingTree tree(model, state, variation);
  const int count = model.contact_count();
  KinematicVariation out{VecC(count), VecC(count), VecC(count)};
  for (int i = 0; i < count; ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    const BasicRowValue<Dual> normal = tree.eval(contact.normal);
    out.gap[i] = normal.value.rate;
    out.gap_rate[i] = normal.rate.rate;
    out.slip[i] = tree.eval(contact.tangent).rate.rate + tree.eval_roll_rate(contact);
  }
  return out;
}

MotionVariation eval_motion_variation(const Model& model, const State& state,
                                      const HeldMotion& held, const Variation& variation) {
  const VaryingTree tree(model, state, variation);
  BasicMatQ<Dual> M;
  DualVecQ h;
  tree.eval_dynamics(M, h);
  if (model.has_forces) h -= tree.eval_forces();
  MotionVariation out{multiply_rates(M, tree.to_tree(held.acceleration)) + get_rates(h), {}};
  out.acceleration = tree.add_contacts(held, out.force);
  out.force = tree.from_tree(out.force);
  for (const CoordinateForce& force : model.coordinate_forces) {
    out.force[force.coordinate] -= tree.eval(force.value).rate;
  }
  return out;
}

VecQ eval_jump_variation(const Model& model, const State& state, const HeldMotion& held,
                         const VecQ& change_of_q) {
  const Variation variation{change_of_q, VecQ::Zero(model.size())};
  const VaryingTree tree(model, state, variation);
  BasicMatQ<Dual> M;
  DualVecQ h;
  tree.eval_dynamics(M, h);
  VecQ out = multiply_rates(M, tree.to_tree(held.acceleration));
  (void)tree.add_contacts(held, out);
  return tree.from_tree(out);
}

Variation make_relabelled(const Model& model, const Relabel& relabel, const State& state,
                          const Variation& variation) {
  Variation out{VecQ(model.size()), VecQ(model.size())};
  for (int i = 0; i < model.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    out.q[i] = eval_varied(relabel.coordinates[k], state, variation).rate;
    out.v[i] = eval_varied(relabel.rates[k], state, variation).rate;
  }
  return out;
}

}  // namespace slipstick
