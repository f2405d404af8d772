#include "slipstick/model/dynamics.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "slipstick/model/forces.h"

namespace slipstick {
namespace {

/// In internal coordinates; a disc's contact point moves with the turn rate as well:
/// slip = t . (centre's velocity) + radius * turn rate - surface speed.
ContactKinematics eval_contacts(const Model& model, const TreeState& tree_state,
                                const State& state) {
  const int n = model.size();
  const int count = model.contact_count();
  ContactKinematics out{VecC(count), VecC(count),     VecC(count),    VecC(count),
                        VecC(count), MatQC(n, count), MatQC(n, count)};
  for (int i = 0; i < count; ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    const Surface& surface = model.surfaces[static_cast<std::size_t>(contact.surface)];
    const RowValue normal = eval_row(model.tree, tree_state, contact.normal);
    const RowValue tangent = eval_row(model.tree, tree_state, contact.tangent);
    out.gap[i] = normal.value;
    out.gap_rate[i] = normal.rate;
    out.bias_n[i] = normal.bias;
    out.W_n.col(i) = normal.gradient;
    out.W_t.col(i) = tangent.gradient;
    out.slip[i] = tangent.rate - eval_function(surface.speed, state);
    out.bias_t[i] = tangent.bias - eval_surface_acceleration(surface, state);
    if (contact.radius != 0.0 && contact.turn.frame != kWorldFrame) {
      const auto f = static_cast<std::size_t>(contact.turn.frame);
      out.slip[i] += contact.radius * tree_state.turn_rate[f];
      out.W_t(contact.turn.frame, i) += contact.radius * model.tree.elements[f].sense;
    }
  }
  return out;
}

void turn_to_user_coordinates(const Tree& tree, ContactKinematics& contacts) {
  if (tree.coordinates_are_internal) return;
  contacts.W_n = (tree.C.transpose() * contacts.W_n).eval();
  contacts.W_t = (tree.C.transpose() * contacts.W_t).eval();
}

}  // namespace

Dynamics eval_dynamics(const Model& model, const State& state) {
  const Tree& tree = model.tree;
  const StateInTree internal = make_state_in_tree(model, state);
  const TreeState tree_state = eval_tree_state(tree, internal.z, internal.z_rate);
  Dynamics out;
  eval_tree_dynamics(tree, tree_state, out.M, out.h);
  if (has_applied_forces(model)) out.h -= eval_applied_forces(model, state);
  out.contacts = eval_contacts(model, tree_state, state);
  if (!tree.coordinates_are_internal) {
    out.M = (tree.C.transpose() * out.M * tree.C).eval();
    out.h = (tree.C.transpose() * out.h).eval();
    turn_to_user_coordinates(tree, out.contacts);
  }
  return out;
}

ContactKinematics eval_contact_kinematics(const Model& model, const State& state) {
  const StateInTree internal = make_state_in_tree(model, state);
  const TreeState tree_state = eval_tree_state(model.tree, internal.z, internal.z_rate);
  ContactKinematics out = eval_contacts(model, tree_state, state);
  turn_to_user_coordinates(model.tree, out);
  return out;
}

double eval_kinetic_energy(const Model& model, const State& state) {
  return 0.5 * state.v.dot(eval_dynamics(model, state).M * state.v);
}

bool eval_is_active(const Model& model, int contact, const State& state) {
  const auto& condition = model.contacts.at(static_cast<std::size_t>(contact)).active_when;
  return !condition || eval_function(*condition, state) != 0.0;
}

State make_relabelled(const Model& model, const Relabel& relabel, const State& state) {
  State out = state;
  for (int i = 0; i < model.size(); ++i) {
    out.q[i] = eval_function(relabel.coordinates[static_cast<std::size_t>(i)], state);
    out.v[i] = eval_function(relabel.rates[static_cast<std::size_t>(i)], state);
  }
  return out;
}

int find_massless_coordinate(const Model& model, const VecQ& q) {
  Eigen::MatrixXd M = eval_dynamics(model, {0.0, q, VecQ::Zero(q.size())}).M;
  const Eigen::VectorXd diagonal = M.diagonal();
  Eigen::Index index = 0;
  if (!(diagonal.minCoeff(&index) > 0.0)) return static_cast<int>(index);
  // Scaled to a unit diagonal, so that units do not matter.
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  M = (scale.asDiagonal() * M * scale.asDiagonal()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(M);
  constexpr double kSmallest = 1e-13;
  if (solver.eigenvalues()[0] > kSmallest) return -1;
  solver.eigenvectors().col(0).cwiseAbs().maxCoeff(&index);
  return static_cast<int>(index);
}

}  // namespace slipstick
