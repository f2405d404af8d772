#pragma once

/// The motion of all contacts, from a tree that is already placed. Internal to this folder.

#include "slipstick/model/dynamics.h"
#include "slipstick/model/placed_tree.h"

namespace slipstick {

inline void resize(const Model& model, ContactKinematics& out) {
  const int count = model.contact_count();
  for (VecC* entries : {&out.gap, &out.gap_rate, &out.slip, &out.bias_n, &out.bias_t}) {
    entries->resize(count);
  }
  out.W_n.resize(model.size(), count);
  out.W_t.resize(model.size(), count);
}

/// A disc's contact point moves with the turn rate as well:
/// slip = t . (centre's velocity) + radius * turn rate - surface speed.
template <int fixed_size>
void write_contact_kinematics(const Model& model, const StateView& state,
                              const PlacedTree<fixed_size>& placed, ContactKinematics& out) {
  const CentroidalTree& frame = model.centroidal;
  for (std::size_t i = 0; i < frame.contacts.size(); ++i) {
    const CentroidalContact& contact = frame.contacts[i];
    typename PlacedTree<fixed_size>::Turned point;
    placed.turn_contact(state, contact, contact.from_base, point);
    const auto column = static_cast<Eigen::Index>(i);
    const double speed =
        eval_function(model.surfaces[static_cast<std::size_t>(contact.surface)].speed, state);
    out.gap[column] =
        contact.gap_offset + contact.normal.dot(placed.base_position()) + point.value_y;
    out.gap_rate[column] =
        contact.normal.dot(placed.base_velocity()) + placed.dot(point.y, placed.rates());
    out.slip[column] =
        contact.tangent.dot(placed.base_velocity()) + placed.dot(point.x, placed.rates()) - speed;
    out.bias_n[column] = point.bias_y;
    out.bias_t[column] = point.bias_x;
    double* W_n = &out.W_n.coeffRef(0, column);
    double* W_t = &out.W_t.coeffRef(0, column);
    placed.each([&](std::size_t e) {
      W_n[frame.coordinates[e]] = frame.senses[e] * point.y[e];
      W_t[frame.coordinates[e]] = frame.senses[e] * point.x[e];
    });
    if (!frame.has_base) continue;
    W_n[frame.base_x] = contact.normal.x();
    W_n[frame.base_y] = contact.normal.y();
    W_t[frame.base_x] = contact.tangent.x();
    W_t[frame.base_y] = contact.tangent.y();
  }
}

/// Gradients by the model's coordinates, from those by internal ones. In a separate file, because
/// inlined in the hot path its matrices would cost time even where it is not called.
void convert_gradients(const Model& model, ContactKinematics& out);

}  // namespace slipstick
