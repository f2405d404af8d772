#include "slipstick/model/dynamics.h"
#include "slipstick/model/forces.h"
#include "slipstick/model/placed_tree.h"

namespace slipstick {
namespace {

/// A disc's contact point moves with the turn rate as well:
/// slip = t . (centre's velocity) + radius * turn rate - surface speed.
template <int fixed_size>
[[gnu::flatten]] void write_contact_kinematics(const Model& model, const State& state,
                                               ContactKinematics& out) {
  const PlacedTree<fixed_size> placed(model, state);
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

}  // namespace

ContactKinematics eval_contact_kinematics(const Model& model, const State& state) {
  const int n = model.size();
  const int count = model.contact_count();
  ContactKinematics out{VecC(count), VecC(count),     VecC(count),    VecC(count),
                        VecC(count), MatQC(n, count), MatQC(n, count)};
  with_tree_size(model, [&](auto size) { write_contact_kinematics<size()>(model, state, out); });
  if (!model.tree.coordinates_are_internal) {
    out.W_n = (model.tree.C.transpose() * out.W_n).eval();
    out.W_t = (model.tree.C.transpose() * out.W_t).eval();
  }
  return out;
}

}  // namespace slipstick
