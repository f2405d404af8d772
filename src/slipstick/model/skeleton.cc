#include "slipstick/model/skeleton.h"

namespace slipstick {

std::vector<Pose> eval_poses(const Skeleton& skeleton, const VecQ& q) {
  const Tree& tree = skeleton.tree;
  const VecQ z = tree.C * q;
  const TreeState state = eval_tree_state<double>(tree, z, VecQ::Zero(z.size()));
  std::vector<Pose> out;
  for (const BodyFrame& body : skeleton.bodies) {
    out.push_back({{eval_row(tree, state, body.x).value, eval_row(tree, state, body.y).value},
                   eval_angle(tree, body.turn, z)});
  }
  return out;
}

}  // namespace slipstick
