#include "slipstick/model/frozen_model.h"

#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// The linear function of the coordinates with this gradient, as a row over slides in the world.
Row make_linear_row(double offset, const VecQ& gradient) {
  Row out{offset, {}};
  for (int i = 0; i < gradient.size(); ++i) out.terms.push_back({i, gradient[i], 0.0});
  return out;
}

}  // namespace

Model make_frozen_model(const Model& model, const State& state) {
  const int n = model.size();
  const State rest{state.time, state.q, VecQ::Zero(n)};
  const Dynamics dynamics = eval_dynamics(model, rest);
  Model out = model;
  out.frozen = true;
  out.gravity = Vec2::Zero();
  out.linear_springs.clear();
  out.torsion_springs.clear();
  out.coordinate_forces.clear();
  out.point_forces.clear();
  out.relabels.clear();
  out.gait.reset();
  out.has_forces = false;
  out.depends_on_time = false;
  // Slides along fixed directions have constant inertia and no velocity terms.
  out.tree = {};
  out.tree.elements.assign(static_cast<std::size_t>(n), Element{false, kWorldFrame, 0.0});
  out.tree.M_constant = dynamics.M;
  out.tree.weight = make_linear_row(0.0, -dynamics.h);
  out.tree.C = out.tree.C_inverse = MatQ::Identity(n, n);
  CentroidalTree& tree = out.centroidal;
  const std::vector<CentroidalContact> contacts = tree.contacts;
  tree = {};
  tree.tree = out.tree;
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
    tree.coordinates[i] = i;
    tree.senses[i] = 1.0;
  }
  for (Surface& surface : out.surfaces)
    surface.speed = Function(eval_function(surface.speed, rest));
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const VecQ W_n = dynamics.contacts.W_n.col(i);
    const VecQ W_t = dynamics.contacts.W_t.col(i);
    CentroidalContact contact = contacts[k];
    contact.gap_offset = dynamics.contacts.gap[i] - W_n.dot(state.q);
    contact.arm.fill(Vec2::Zero());
    for (int e = 0; e < n; ++e) contact.arm[static_cast<std::size_t>(e)] = {W_t[e], W_n[e]};
    contact.from_base = contact.arm;
    contact.roll.fill(0.0);
    contact.surface_accelerates = false;
    out.contacts[k].normal = make_linear_row(contact.gap_offset, W_n);
    out.contacts[k].turn = {};
    out.contacts[k].radius = 0.0;
    tree.contacts.push_back(contact);
  }
  return out;
}

}  // namespace slipstick
