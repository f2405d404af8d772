#include "slipstick/analysis/stability/two_contact_body.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/errors.h"

namespace slipstick {
namespace {

using MatQ3 = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::ColMajor, kMaxCoordinates, 3>;

[[noreturn]] void refuse(const Model& model, const std::string& what) {
  throw InputError(model.name, what);
}

/// Rates of the coordinates when all bodies move as one: along x, along y, and turning
/// counter-clockwise about the base's origin.
MatQ3 make_rigid_motions(const Model& model) {
  const Tree& tree = model.tree;
  MatQ3 internal = MatQ3::Zero(tree.size(), 3);
  internal(static_cast<Eigen::Index>(model.centroidal.base_x), 0) = 1.0;
  internal(static_cast<Eigen::Index>(model.centroidal.base_y), 1) = 1.0;
  for (int i = 0; i < tree.size(); ++i) {
    const Element& element = tree.elements[static_cast<std::size_t>(i)];
    if (element.is_angle) internal(i, 2) = element.sense;
  }
  return tree.C_inverse * internal;
}

void check_at_rest(const Model& model, const State& state) {
  for (int i = 0; i < model.size(); ++i) {
    if (state.v[i] == 0.0) continue;
    refuse(model, fmt::format("expected a state of rest, got {}_dot = {:.6g}",
                              model.coordinates[static_cast<std::size_t>(i)], state.v[i]));
  }
}

/// Rejects models with parts that the theory does not cover.
void check_model(const Model& model) {
  if (!model.centroidal.has_base) {
    refuse(model, "expected a body free to move in the plane, got a mechanism fixed to the world");
  }
  constexpr int kOneBody = 3;  // coordinates
  if (model.size() > kOneBody) {
    refuse(model,
           fmt::format("expected one body, or bodies fixed to each other, got {} coordinates "
                       "(a joint of type 'fixed' locks one)",
                       model.size()));
  }
  if (model.depends_on_time) {
    refuse(model, "expected loads and surfaces that do not depend on time, got some that do");
  }
}

/// Rejects contacts that touch but are switched off, because they may be switched on.
void check_inactive(const Model& model, const ContactProblem& problem,
                    const ContactKinematics& kinematics, const Tolerances& tolerances) {
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool touches = std::abs(kinematics.gap[i]) <= tolerances.closure * model.length_scale;
    if (problem.status[k] != ContactStatus::kInactive || !touches) continue;
    refuse(model, fmt::format("contact '{}': expected contacts without active_when where they "
                              "touch, got one that is switched off",
                              model.contacts[k].name));
  }
}

void check_contact(const Model& model, const State& state, int index) {
  const Contact& contact = model.contacts[static_cast<std::size_t>(index)];
  const auto fail = [&](const std::string& what) {
    refuse(model, fmt::format("contact '{}': {}", contact.name, what));
  };
  if (contact.bilateral) fail("expected a unilateral contact, got a bilateral one");
  if (contact.active_when) fail("expected a contact that is always active, got active_when");
  for (const Relabel& relabel : model.relabels) {
    if (relabel.contact == index) fail("expected a contact without relabelling, got one with it");
  }
  if (contact.mu_s != contact.mu) {
    fail(fmt::format("expected equal static and kinetic friction, got {:.6g} and {:.6g}",
                     contact.mu_s, contact.mu));
  }
  if (contact.law != ImpactLaw::kInelastic && contact.restitution != 0.0) {
    fail(fmt::format("expected inelastic impacts, got restitution {:.6g}", contact.restitution));
  }
  if (contact.turn.frame == kWorldFrame) {
    fail("expected a body that can turn, got one that cannot");
  }
  const Surface& surface = model.surfaces[static_cast<std::size_t>(contact.surface)];
  const double speed = eval_function(surface.speed, state);
  if (speed != 0.0) fail(fmt::format("expected a surface at rest, got speed {:.6g}", speed));
}

PerContact<int> find_closed(const Model& model, const State& state, const Tolerances& tolerances) {
  ContactKinematics kinematics;
  const ContactProblem problem = make_contact_problem(model, state, tolerances, kinematics);
  check_inactive(model, problem, kinematics, tolerances);
  PerContact<int> out;
  for (const ClosedContact& contact : problem.closed) out.push_back(contact.index);
  return out;
}

}  // namespace

TwoContactBody make_swapped(const TwoContactBody& body) {
  TwoContactBody out = body;
  std::swap(out.lever[0], out.lever[1]);
  std::swap(out.normal[0], out.normal[1]);
  std::swap(out.mu[0], out.mu[1]);
  std::swap(out.contact[0], out.contact[1]);
  return out;
}

TwoContactBody make_two_contact_body(const Model& model, const State& state,
                                     const Tolerances& tolerances) {
  check_model(model);
  check_at_rest(model, state);
  const PerContact<int> closed = find_closed(model, state, tolerances);
  if (closed.size() != 2) {
    refuse(model, fmt::format("expected two closed contacts, got {}", closed.size()));
  }
  for (const int i : closed) check_contact(model, state, i);

  const Dynamics dynamics = eval_dynamics(model, state);
  const MatQ3 rigid = make_rigid_motions(model);
  const Eigen::Matrix3d M = rigid.transpose() * dynamics.M * rigid;
  const Eigen::Vector3d load = -rigid.transpose() * dynamics.h;
  TwoContactBody out;
  out.mass = M(0, 0);
  const Vec2 centre(M(1, 2) / out.mass, -M(0, 2) / out.mass);  // from the base's origin
  out.inertia = M(2, 2) - out.mass * centre.squaredNorm();
  out.force = load.head<2>();
  out.torque = load[2] - cross(centre, out.force);
  for (std::size_t i = 0; i < 2; ++i) {
    const int k = closed[i];
    const Surface& surface = model.surfaces[static_cast<std::size_t>(
        model.contacts[static_cast<std::size_t>(k)].surface)];
    // Turning at unit rate moves a point at r with (r . t) along n and -(r . n) along t.
    const Eigen::RowVectorXd turned = rigid.col(2).transpose();
    const Vec2 from_base = turned.dot(dynamics.contacts.W_n.col(k)) * surface.tangent -
                           turned.dot(dynamics.contacts.W_t.col(k)) * surface.normal;
    out.lever[i] = from_base - centre;
    out.normal[i] = surface.normal;
    out.mu[i] = model.contacts[static_cast<std::size_t>(k)].mu;
    out.contact[i] = k;
  }
  return out;
}

}  // namespace slipstick
