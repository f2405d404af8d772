#include "slipstick/model/placed_contacts.h"

namespace slipstick {
namespace {

template <int fixed_size>
[[gnu::flatten]] void place_and_write(const Model& model, const StateView& state,
                                      ContactKinematics& out) {
  write_contact_kinematics(model, state, PlacedTree<fixed_size>(model, state), out);
}

}  // namespace

void convert_gradients(const Model& model, ContactKinematics& out) {
  out.W_n = (model.tree.C.transpose() * out.W_n).eval();
  out.W_t = (model.tree.C.transpose() * out.W_t).eval();
}

ContactKinematics eval_contact_kinematics(const Model& model, const StateView& state) {
  ContactKinematics out;
  eval_contact_kinematics(model, state, out);
  return out;
}

void eval_contact_kinematics(const Model& model, const StateView& state, ContactKinematics& out) {
  resize(model, out);
  with_tree_size(model, [&](auto size) { place_and_write<size()>(model, state, out); });
  if (!model.tree.coordinates_are_internal) convert_gradients(model, out);
}

}  // namespace slipstick
