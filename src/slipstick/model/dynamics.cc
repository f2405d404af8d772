#include "slipstick/model/dynamics.h"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "slipstick/core/differentiate.h"

namespace slipstick {
namespace {

/// Values of a Function's variables at a state: t, q, v.
struct Variables {
  std::array<double, 1 + 2 * kMaxCoordinates> values;
  std::size_t count;

  explicit Variables(const State& state) : count(1 + 2 * static_cast<std::size_t>(state.q.size())) {
    const auto n = static_cast<std::size_t>(state.q.size());
    values[0] = state.time;
    for (std::size_t i = 0; i < n; ++i) {
      values[1 + i] = state.q[static_cast<Eigen::Index>(i)];
      values[1 + n + i] = state.v[static_cast<Eigen::Index>(i)];
    }
  }
  [[nodiscard]] double eval(const Function& f) const { return f.eval({values.data(), count}); }
};

/// A surface's speed at another time; it depends on nothing else.
double eval_speed(const Function& speed, const Variables& variables, double time) {
  Variables shifted = variables;
  shifted.values[0] = time;
  return shifted.eval(speed);
}

double eval_acceleration(const Function& speed, const Variables& variables) {
  if (speed.is_constant()) return 0.0;
  constexpr double kFirstStep = 0.1;  // s; falls to 1e-5 s, fast enough for rates up to 1e4 1/s
  const auto at = [&](double time) { return eval_speed(speed, variables, time); };
  return find_derivative(at, variables.values[0], kFirstStep);
}

double eval_angle(const Tree& tree, const Orientation& turn, const VecQ& z) {
  if (turn.frame == kWorldFrame) return turn.turn;
  return tree.elements[static_cast<std::size_t>(turn.frame)].sense * z[turn.frame] + turn.turn;
}

double eval_turn_rate(const TreeState& state, const Orientation& turn) {
  return turn.frame == kWorldFrame ? 0.0 : state.turn_rate[static_cast<std::size_t>(turn.frame)];
}

/// h -= (generalised force of a torque on a body).
void subtract_torque(const Tree& tree, const Orientation& turn, double torque, VecQ& h) {
  if (turn.frame == kWorldFrame) return;
  h[turn.frame] -= tree.elements[static_cast<std::size_t>(turn.frame)].sense * torque;
}

void subtract_springs(const Model& model, const TreeState& state, const VecQ& z, VecQ& h) {
  for (const LinearSpring& spring : model.linear_springs) {
    const RowValue x = eval_row(model.tree, state, spring.x);
    const RowValue y = eval_row(model.tree, state, spring.y);
    const double length = std::hypot(x.value, y.value);
    if (length == 0.0) continue;  // no direction; a spring of length zero pulls nowhere here
    const double rate = (x.value * x.rate + y.value * y.rate) / length;
    const double tension = spring.stiffness * (length - spring.length) + spring.damping * rate;
    h += (tension / length) * (x.value * x.gradient + y.value * y.gradient);
  }
  for (const TorsionSpring& spring : model.torsion_springs) {
    const double angle =
        eval_angle(model.tree, spring.body, z) - eval_angle(model.tree, spring.to, z);
    const double rate = eval_turn_rate(state, spring.body) - eval_turn_rate(state, spring.to);
    const double torque = -spring.stiffness * (angle - spring.angle) - spring.damping * rate;
    subtract_torque(model.tree, spring.body, torque, h);
    subtract_torque(model.tree, spring.to, -torque, h);
  }
}

void subtract_point_forces(const Model& model, const TreeState& state, const Variables& variables,
                           VecQ& h) {
  for (const PointForce& force : model.point_forces) {
    if (!force.x.is_zero()) {
      h -= variables.eval(force.x) * eval_row(model.tree, state, force.at_x).gradient;
    }
    if (!force.y.is_zero()) {
      h -= variables.eval(force.y) * eval_row(model.tree, state, force.at_y).gradient;
    }
    if (!force.torque.is_zero()) {
      subtract_torque(model.tree, force.turn, variables.eval(force.torque), h);
    }
  }
}

/// In internal coordinates; a disc's contact point moves with the turn rate as well:
/// slip = t . (centre's velocity) + radius * turn rate - surface speed.
ContactKinematics eval_contacts(const Model& model, const TreeState& state,
                                const Variables& variables) {
  const int n = model.size();
  const int count = model.contact_count();
  ContactKinematics out{VecC(count), VecC(count),     VecC(count),    VecC(count),
                        VecC(count), MatQC(n, count), MatQC(n, count)};
  for (int i = 0; i < count; ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    const Function& speed = model.surfaces[static_cast<std::size_t>(contact.surface)].speed;
    const RowValue normal = eval_row(model.tree, state, contact.normal);
    const RowValue tangent = eval_row(model.tree, state, contact.tangent);
    out.gap[i] = normal.value;
    out.gap_rate[i] = normal.rate;
    out.bias_n[i] = normal.bias;
    out.W_n.col(i) = normal.gradient;
    out.W_t.col(i) = tangent.gradient;
    out.slip[i] = tangent.rate - variables.eval(speed);
    out.bias_t[i] = tangent.bias - eval_acceleration(speed, variables);
    if (contact.radius != 0.0 && contact.turn.frame != kWorldFrame) {
      const auto f = static_cast<std::size_t>(contact.turn.frame);
      out.slip[i] += contact.radius * state.turn_rate[f];
      out.W_t(contact.turn.frame, i) += contact.radius * model.tree.elements[f].sense;
    }
  }
  return out;
}

/// Internal coordinates and their rates: z = C q.
struct Internal {
  VecQ z, z_rate;
};
Internal make_internal(const Tree& tree, const State& state) {
  if (tree.coordinates_are_internal) return {state.q, state.v};
  return {tree.C * state.q, tree.C * state.v};
}

void turn_to_user_coordinates(const Tree& tree, ContactKinematics& contacts) {
  if (tree.coordinates_are_internal) return;
  contacts.W_n = (tree.C.transpose() * contacts.W_n).eval();
  contacts.W_t = (tree.C.transpose() * contacts.W_t).eval();
}

}  // namespace

Dynamics eval_dynamics(const Model& model, const State& state) {
  const Tree& tree = model.tree;
  const Variables variables(state);
  const Internal internal = make_internal(tree, state);
  const TreeState tree_state = eval_tree_state(tree, internal.z, internal.z_rate);
  Dynamics out;
  eval_tree_dynamics(tree, tree_state, out.M, out.h);
  subtract_springs(model, tree_state, internal.z, out.h);
  subtract_point_forces(model, tree_state, variables, out.h);
  out.contacts = eval_contacts(model, tree_state, variables);
  if (!tree.coordinates_are_internal) {
    out.M = (tree.C.transpose() * out.M * tree.C).eval();
    out.h = (tree.C.transpose() * out.h).eval();
    turn_to_user_coordinates(tree, out.contacts);
  }
  for (const CoordinateForce& force : model.coordinate_forces) {
    out.h[force.coordinate] -= variables.eval(force.value);
  }
  return out;
}

ContactKinematics eval_contact_kinematics(const Model& model, const State& state) {
  const Internal internal = make_internal(model.tree, state);
  const TreeState tree_state = eval_tree_state(model.tree, internal.z, internal.z_rate);
  ContactKinematics out = eval_contacts(model, tree_state, Variables(state));
  turn_to_user_coordinates(model.tree, out);
  return out;
}

double eval_kinetic_energy(const Model& model, const State& state) {
  return 0.5 * state.v.dot(eval_dynamics(model, state).M * state.v);
}

bool eval_is_active(const Model& model, int contact, const State& state) {
  const auto& condition = model.contacts.at(static_cast<std::size_t>(contact)).active_when;
  return !condition || Variables(state).eval(*condition) != 0.0;
}

State make_relabelled(const Model& model, const Relabel& relabel, const State& state) {
  const Variables variables(state);
  State out = state;
  for (int i = 0; i < model.size(); ++i) {
    out.q[i] = variables.eval(relabel.coordinates[static_cast<std::size_t>(i)]);
    out.v[i] = variables.eval(relabel.rates[static_cast<std::size_t>(i)]);
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
