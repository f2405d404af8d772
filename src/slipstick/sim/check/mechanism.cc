#include "slipstick/sim/check/mechanism.h"

#include <algorithm>
#include <cmath>

#include "slipstick/sim/check/tolerances.h"

namespace slipstick::check {
namespace {

/// The first entries, as one array.
template <int width>
auto block(Gradient& gradient) {
  return Eigen::Map<Eigen::Array<double, width, 1>>(gradient.data());
}
template <int width>
auto block(const Gradient& gradient) {
  return Eigen::Map<const Eigen::Array<double, width, 1>>(gradient.data());
}

}  // namespace

Mechanism::Mechanism(const Model& model) : model_(model), n_(model.size()) {
  const std::vector<BodyFrame>& bodies = model.skeleton.bodies;
  bodies_.resize(bodies.size());
  std::vector<bool> placed(bodies.size(), false);
  while (order_.size() < bodies.size()) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const int parent = bodies[i].joint.parent;
      if (placed[i] || (parent >= 0 && !placed[static_cast<std::size_t>(parent)])) continue;
      placed[i] = true;
      order_.push_back(i);
    }
  }
  for (const BodyFrame& body : bodies) {
    const Joint& joint = body.joint;
    const int angle = joint.type == JointType::kRevolute ? joint.coordinates[0]
                      : joint.type == JointType::kFree   ? joint.coordinates[2]
                                                         : -1;
    if (angle >= 0) angles_[static_cast<std::size_t>(angle)] = true;
  }
  world_.origin.at = world_.origin.velocity = world_.origin.bias = Vec2::Zero();
  world_.origin.J_x.fill(0.0);
  world_.origin.J_y.fill(0.0);
  world_.turn.fill(0.0);
}

double Mechanism::find_size() const {
  double out = 0.0;
  const auto grow = [&](double length) { out = std::max(out, length); };
  for (const BodyFrame& body : model_.skeleton.bodies) {
    double mass = 0.0;
    for (const PointMass& part : body.masses) {
      mass += part.mass;
      grow(part.at.norm());
    }
    if (mass > 0.0) grow(std::sqrt(body.inertia / mass));
    if (body.joint.parent >= 0) grow(body.joint.at.norm());
  }
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    grow(model_.skeleton.contacts[i].at.norm() + model_.contacts[i].radius);
  }
  return out;
}

/// Place, velocity, bias and gradients of a point: with u from the joint, turned with the body,
/// r = o + u, r' = o' + omega J u, r'' = o'' - omega^2 u at v' = 0.
template <int width>
void Mechanism::write_point(int index, const Vec2& at, Point& out) const {
  const Body& body = index < 0 ? world_ : bodies_[static_cast<std::size_t>(index)];
  const Vec2 u{body.cosine * at.x() - body.sine * at.y(),
               body.sine * at.x() + body.cosine * at.y()};
  const Vec2 across = turn_left(u);
  out.at = body.origin.at + u;
  out.velocity = body.origin.velocity + body.turn_rate * across;
  out.bias = body.origin.bias - body.turn_rate * body.turn_rate * u;
  block<width>(out.J_x) = block<width>(body.origin.J_x) + block<width>(body.turn) * across.x();
  block<width>(out.J_y) = block<width>(body.origin.J_y) + block<width>(body.turn) * across.y();
}

template <int width>
void Mechanism::place_body(std::size_t index, const State& state) {
  const Joint& joint = model_.skeleton.bodies[index].joint;
  const Body& parent = joint.parent < 0 ? world_ : bodies_[static_cast<std::size_t>(joint.parent)];
  Body& out = bodies_[index];
  write_point<width>(joint.parent, joint.at, out.origin);
  Point& origin = out.origin;
  block<width>(out.turn) = block<width>(parent.turn);
  out.turn_rate = parent.turn_rate;
  out.angle = parent.angle + joint.angle;
  const auto turn = [&](int coordinate) {
    const auto k = static_cast<std::size_t>(coordinate);
    const double sense = joint.clockwise ? -1.0 : 1.0;
    if (joint.absolute) {
      block<width>(out.turn) = 0.0;
      out.turn_rate = 0.0;
      out.angle = joint.angle;
    }
    out.turn[k] += sense;
    out.turn_rate += sense * state.v[coordinate];
    out.angle += sense * state.q[coordinate];
  };
  const auto move = [&](int coordinate, const Vec2& along) {
    origin.at += state.q[coordinate] * along;
    origin.velocity += state.v[coordinate] * along;
    origin.J_x[static_cast<std::size_t>(coordinate)] += along.x();
    origin.J_y[static_cast<std::size_t>(coordinate)] += along.y();
  };
  switch (joint.type) {
    case JointType::kFixed:
      break;
    case JointType::kRevolute:
      turn(joint.coordinates[0]);
      break;
    case JointType::kPrismatic: {
      // s e with e turning as the parent: (s e)'' = 2 s' omega J e - omega^2 s e at v' = 0.
      const Vec2 axis = joint.axis / joint.axis.norm();
      const Vec2 e{parent.cosine * axis.x() - parent.sine * axis.y(),
                   parent.sine * axis.x() + parent.cosine * axis.y()};
      const Vec2 across = turn_left(e);
      const double s = state.q[joint.coordinates[0]];
      const double s_rate = state.v[joint.coordinates[0]];
      move(joint.coordinates[0], e);
      origin.velocity += s * parent.turn_rate * across;
      origin.bias +=
          2.0 * s_rate * parent.turn_rate * across - parent.turn_rate * parent.turn_rate * s * e;
      block<width>(origin.J_x) += block<width>(parent.turn) * (s * across.x());
      block<width>(origin.J_y) += block<width>(parent.turn) * (s * across.y());
      break;
    }
    case JointType::kTranslation:
    case JointType::kFree:
      move(joint.coordinates[0], Vec2::UnitX());
      move(joint.coordinates[1], Vec2::UnitY());
      if (joint.type == JointType::kFree) turn(joint.coordinates[2]);
      break;
  }
  out.cosine = std::cos(out.angle);
  out.sine = std::sin(out.angle);
}

/// d'Alembert: sum of m (r'' - g) . dr/dq_i over the masses, and of I phi'' dphi/dq_i.
template <int width>
void Mechanism::add_inertia(double pace, Placed& out) {
  const auto w = block<width>(w_);
  auto balance = block<width>(out.balance);
  auto size = block<width>(out.size);
  auto load = block<width>(out.load);
  auto root = block<width>(out.root);
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const BodyFrame& frame = model_.skeleton.bodies[k];
    const Body& body = bodies_[k];
    for (const PointMass& part : frame.masses) {
      write_point<width>(static_cast<int>(k), part.at, point_);
      const auto J_x = block<width>(point_.J_x);
      const auto J_y = block<width>(point_.J_y);
      const double m = part.mass;
      out.kinetic += 0.5 * m * point_.velocity.squaredNorm();
      out.potential -= m * model_.gravity.dot(point_.at);
      const Vec2 moving{(w * J_x).sum(), (w * J_y).sum()};
      const Vec2 moving_size{(w * J_x).abs().sum(), (w * J_y).abs().sum()};
      const Vec2 force = m * (moving + pace * (point_.bias - model_.gravity));
      const Vec2 given = m * (point_.bias.cwiseAbs() + model_.gravity.cwiseAbs());
      balance += force.x() * J_x + force.y() * J_y;
      size += m * moving_size.x() * J_x.abs() + m * moving_size.y() * J_y.abs();
      load += given.x() * J_x.abs() + given.y() * J_y.abs();
      root += m * (J_x.square() + J_y.square());
    }
    if (frame.inertia == 0.0) continue;
    const auto turn = block<width>(body.turn);
    out.kinetic += 0.5 * frame.inertia * body.turn_rate * body.turn_rate;
    balance += frame.inertia * (turn * w).sum() * turn;
    size += frame.inertia * (turn * w).abs().sum() * turn.abs();
    root += frame.inertia * turn.square();
  }
}

template <int width>
void Mechanism::add_force(const Point& point, const Vec2& force, double pace, Placed& out) const {
  const auto J_x = block<width>(point.J_x);
  const auto J_y = block<width>(point.J_y);
  block<width>(out.balance) -= pace * force.x() * J_x + pace * force.y() * J_y;
  block<width>(out.load) += (force.x() * J_x).abs() + (force.y() * J_y).abs();
}

template <int width>
void Mechanism::add_torque(int index, double torque, double pace, Placed& out) const {
  if (index < 0) return;
  const auto turn = block<width>(bodies_[static_cast<std::size_t>(index)].turn);
  block<width>(out.balance) -= pace * torque * turn;
  block<width>(out.load) += std::abs(torque) * turn.abs();
}

template <int width>
void Mechanism::add_springs(double pace, Placed& out) {
  for (std::size_t k = 0; k < model_.linear_springs.size(); ++k) {
    const LinearSpring& spring = model_.linear_springs[k];
    const auto& [from, to] = model_.skeleton.springs[k];
    write_point<width>(from.body, from.at, point_);
    write_point<width>(to.body, to.at, other_);
    const Vec2 between = point_.at - other_.at;
    const double length = between.norm();
    const double stretch = length - spring.length;
    out.potential += 0.5 * spring.stiffness * stretch * stretch;
    if (length == 0.0) continue;  // no direction: no force
    const Vec2 direction = between / length;
    const double rate = direction.dot(point_.velocity - other_.velocity);
    const double tension = spring.stiffness * stretch + spring.damping * rate;
    out.damping_power -= spring.damping * rate * rate;
    add_force<width>(point_, -tension * direction, pace, out);
    add_force<width>(other_, tension * direction, pace, out);
    // Positions are accurate to 1e-13 of lengths, and 1e-8 of a force may be missing.
    const double unknown = kOfPlaces * spring.stiffness * (length + spring.length);
    block<width>(out.load) +=
        unknown * (direction.x() * (block<width>(point_.J_x) - block<width>(other_.J_x)) +
                   direction.y() * (block<width>(point_.J_y) - block<width>(other_.J_y)))
                      .abs();
  }
  for (std::size_t k = 0; k < model_.torsion_springs.size(); ++k) {
    const TorsionSpring& spring = model_.torsion_springs[k];
    const auto& [index, to] = model_.skeleton.torsion_springs[k];
    const Body& body = index < 0 ? world_ : bodies_[static_cast<std::size_t>(index)];
    const Body& other = to < 0 ? world_ : bodies_[static_cast<std::size_t>(to)];
    const double stretch = body.angle - other.angle - spring.angle;
    const double rate = body.turn_rate - other.turn_rate;
    const double torque = -spring.stiffness * stretch - spring.damping * rate;
    out.potential += 0.5 * spring.stiffness * stretch * stretch;
    out.damping_power -= spring.damping * rate * rate;
    add_torque<width>(index, torque, pace, out);
    add_torque<width>(to, -torque, pace, out);
  }
}

template <int width>
void Mechanism::add_loads(const State& state, double pace, Placed& out) {
  for (const CoordinateForce& load : model_.coordinate_forces) {
    const double force = eval(load.value);
    const auto i = static_cast<std::size_t>(load.coordinate);
    out.load_power += force * state.v[load.coordinate];
    out.balance[i] -= pace * force;
    out.load[i] += std::abs(force);
  }
  for (std::size_t k = 0; k < model_.point_forces.size(); ++k) {
    const PointForce& load = model_.point_forces[k];
    const BodyPoint& where = model_.skeleton.point_forces[k];
    const Vec2 force{eval(load.x), eval(load.y)};
    const double torque = eval(load.torque);
    write_point<width>(where.body, where.at, point_);
    out.load_power += force.dot(point_.velocity);
    add_force<width>(point_, force, pace, out);
    if (where.body < 0) continue;
    out.load_power += torque * bodies_[static_cast<std::size_t>(where.body)].turn_rate;
    add_torque<width>(where.body, torque, pace, out);
  }
}

namespace {

template <int width>
void set_mobility(const Gradient& root, ContactMotion& contact) {
  const Eigen::Array<double, width, 1> unit = block<width>(root).inverse();
  contact.mobility_n = (block<width>(contact.W_n).abs() * unit).maxCoeff();
  contact.mobility_t = (block<width>(contact.W_t).abs() * unit).maxCoeff();
}

}  // namespace

template <int width>
void Mechanism::place_contacts(Placed& out) {
  for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
    const Contact& contact = model_.contacts[k];
    const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
    const BodyPoint& where = model_.skeleton.contacts[k];
    ContactMotion& at = out.contacts[k];
    write_point<width>(where.body, where.at, point_);
    const Vec2& n = surface.normal;
    const Vec2 t{n.y(), -n.x()};
    const Body& body = where.body < 0 ? world_ : bodies_[static_cast<std::size_t>(where.body)];
    at.exists = !contact.active_when || eval(*contact.active_when) != 0.0;
    at.surface_speed = eval(surface.speed);
    at.gap = n.dot(point_.at - surface.point) - contact.radius;
    at.reach = n.cwiseAbs().dot(point_.at.cwiseAbs() + surface.point.cwiseAbs()) + contact.radius;
    at.gap_rate = n.dot(point_.velocity);
    at.slip = t.dot(point_.velocity) + contact.radius * body.turn_rate - at.surface_speed;
    at.bias_n = n.dot(point_.bias);
    at.bias_t = t.dot(point_.bias);
    const auto J_x = block<width>(point_.J_x);
    const auto J_y = block<width>(point_.J_y);
    block<width>(at.W_n) = n.x() * J_x + n.y() * J_y;
    block<width>(at.W_t) = t.x() * J_x + t.y() * J_y + contact.radius * block<width>(body.turn);
    set_mobility<width>(out.root, at);
  }
}

/// Masses, loads and directions stay as at the start.
void Mechanism::place_frozen(const State& state, double pace, Placed& out) const {
  const auto n = static_cast<std::size_t>(n_);
  const MatQ& M = model_.tree.M_constant;
  const Eigen::Map<const VecQ> slope(w_.data(), n_);
  out.kinetic = 0.5 * state.v.dot(M * state.v);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    out.balance[i] = M.row(row).dot(slope);
    out.size[i] = M.row(row).cwiseAbs().dot(slope.cwiseAbs());
    out.root[i] = std::sqrt(M(row, row));
  }
  for (const Row::Term& term : model_.tree.weight.terms) {
    const auto i = static_cast<std::size_t>(term.element);
    out.potential -= term.cosine * state.q[term.element];
    out.balance[i] -= pace * term.cosine;
    out.load[i] += std::abs(term.cosine);
    out.size[i] += pace * std::abs(term.cosine);
  }
  for (std::size_t k = 0; k < model_.contacts.size(); ++k) {
    const Contact& contact = model_.contacts[k];
    ContactMotion& at = out.contacts[k];
    at = {};
    at.W_n.fill(0.0);
    at.W_t.fill(0.0);
    at.exists = !contact.active_when || eval(*contact.active_when) != 0.0;
    at.surface_speed = eval(model_.surfaces[static_cast<std::size_t>(contact.surface)].speed);
    at.slip = -at.surface_speed;
    at.gap = contact.normal.offset;
    at.reach = std::abs(at.gap);
    for (const Row::Term& term : contact.normal.terms) {
      const auto i = static_cast<std::size_t>(term.element);
      at.W_n[i] = term.cosine;
      at.W_t[i] = model_.centroidal.contacts[k].arm[i].x();
      at.gap += at.W_n[i] * state.q[term.element];
      at.reach += std::abs(at.W_n[i] * state.q[term.element]);
      at.gap_rate += at.W_n[i] * state.v[term.element];
      at.slip += at.W_t[i] * state.v[term.element];
    }
    set_mobility<kMaxCoordinates>(out.root, at);
  }
}

template <int width>
void Mechanism::place_tree(const State& state, double pace, Placed& out) {
  for (const std::size_t index : order_) place_body<width>(index, state);
  add_inertia<width>(pace, out);
  add_springs<width>(pace, out);
  add_loads<width>(state, pace, out);
  block<width>(out.root) = block<width>(out.root).sqrt();
  block<width>(out.size) += pace * block<width>(out.load);
  place_contacts<width>(out);
}

void Mechanism::place(const State& state, const double* w, double pace, Placed& out) {
  const auto n = static_cast<std::size_t>(n_);
  variables_[0] = state.time;
  std::copy_n(state.q.data(), n, variables_.begin() + 1);
  std::copy_n(state.v.data(), n, variables_.begin() + 1 + n_);
  std::copy_n(w, n, w_.begin());
  out.kinetic = out.potential = out.load_power = out.damping_power = 0.0;
  out.balance.fill(0.0);
  out.size.fill(0.0);
  out.load.fill(0.0);
  out.root.fill(0.0);
  std::fill(out.root.begin() + n_, out.root.end(), 1.0);
  if (model_.frozen) return place_frozen(state, pace, out);
  if (n <= 2) return place_tree<2>(state, pace, out);
  if (n <= 4) return place_tree<4>(state, pace, out);
  if (n <= 8) return place_tree<8>(state, pace, out);
  place_tree<kMaxCoordinates>(state, pace, out);
}

MatQ Mechanism::eval_mass_matrix(const State& state) {
  MatQ out(n_, n_);
  Placed placed;
  for (int j = 0; j < n_; ++j) {
    Gradient unit{};
    unit[static_cast<std::size_t>(j)] = 1.0;
    place(state, unit.data(), 0.0, placed);
    for (int i = 0; i < n_; ++i) out(i, j) = placed.balance[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace slipstick::check
