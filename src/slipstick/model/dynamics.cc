#include "slipstick/model/dynamics.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "slipstick/model/forces.h"

namespace slipstick {

Dynamics eval_dynamics(const Model& model, const State& state) {
  const Tree& tree = model.tree;
  const StateInTree internal = make_state_in_tree(model, state);
  const TreeState tree_state = eval_tree_state(tree, internal.z, internal.z_rate);
  Dynamics out{{}, {}, eval_contact_kinematics(model, state)};
  eval_tree_dynamics(tree, tree_state, out.M, out.h);
  if (has_applied_forces(model)) out.h -= eval_applied_forces(model, state);
  if (!tree.coordinates_are_internal) {
    out.M = (tree.C.transpose() * out.M * tree.C).eval();
    out.h = (tree.C.transpose() * out.h).eval();
  }
  return out;
}

namespace {

double eval_gap_in_tree(const Tree& tree, const Row& row, const VecQ& z) {
  double gap = row.offset;
  for (const Row::Term& term : row.terms) {
    const Element& element = tree.elements[static_cast<std::size_t>(term.element)];
    const double amplitude = element.is_angle ? 1.0 : z[term.element];
    if (element.frame == kWorldFrame) {
      gap += amplitude * term.cosine;
      continue;
    }
    const double angle = element.sense * z[element.frame];
    gap += amplitude * (term.cosine * std::cos(angle) + term.sine * std::sin(angle));
  }
  return gap;
}

}  // namespace

double eval_gap(const Model& model, int contact, const VecQ& q) {
  const Row& row = model.contacts[static_cast<std::size_t>(contact)].normal;
  if (model.tree.coordinates_are_internal) return eval_gap_in_tree(model.tree, row, q);
  return eval_gap_in_tree(model.tree, row, model.tree.C * q);
}

double eval_kinetic_energy(const Model& model, const State& state) {
  const StateInTree internal = make_state_in_tree(model, state);
  MatQ M;
  VecQ h;
  eval_tree_dynamics(model.tree, eval_tree_state(model.tree, internal.z, internal.z_rate), M, h);
  return 0.5 * internal.z_rate.dot(M.lazyProduct(internal.z_rate));
}

double eval_potential_energy(const Model& model, const VecQ& q) {
  const StateInTree internal = make_state_in_tree(model, {0.0, q, VecQ::Zero(q.size())});
  const TreeState state = eval_tree_state(model.tree, internal.z, internal.z_rate);
  return eval_spring_energy(model, state, internal.z) -
         eval_row(model.tree, state, model.tree.weight).value;
}

State make_relabelled(const Model& model, const Relabel& relabel, const State& state) {
  State out = state;
  for (int i = 0; i < model.size(); ++i) {
    out.q[i] = eval_function(relabel.coordinates[static_cast<std::size_t>(i)], state);
    out.v[i] = eval_function(relabel.rates[static_cast<std::size_t>(i)], state);
  }
  return out;
}

LightestMotion find_lightest_motion(const Model& model, const VecQ& q) {
  Eigen::MatrixXd M = eval_dynamics(model, {0.0, q, VecQ::Zero(q.size())}).M;
  const Eigen::VectorXd diagonal = M.diagonal();
  Eigen::Index index = 0;
  if (!(diagonal.minCoeff(&index) > 0.0)) return {0.0, static_cast<int>(index)};
  // Scaled to a unit diagonal, so that units do not matter.
  const Eigen::VectorXd scale = diagonal.cwiseSqrt().cwiseInverse();
  M = (scale.asDiagonal() * M * scale.asDiagonal()).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(M);
  solver.eigenvectors().col(0).cwiseAbs().maxCoeff(&index);
  return {solver.eigenvalues()[0], static_cast<int>(index)};
}

}  // namespace slipstick
