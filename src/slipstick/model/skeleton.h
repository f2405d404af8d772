#pragma once

/// Where the bodies are and what is seen of them: for pictures, nothing is computed from it.

#include <string>
#include <utility>
#include <vector>

#include "slipstick/model/spec.h"
#include "slipstick/model/tree.h"

namespace slipstick {

struct BodyFrame {
  std::string name;
  Row x, y;  ///< of the frame's origin in the world [m]
  Orientation turn;
  std::vector<PointMass> masses;         ///< in the body's frame
  std::vector<std::vector<Vec2>> hulls;  ///< drawn as the hulls of these points
  bool hinged = false;                   ///< its origin is a hinge
};

/// A point of a body; body -1 is the world.
struct BodyPoint {
  int body = -1;
  Vec2 at = Vec2::Zero();
};

/// A frozen model keeps the skeleton of the model it was made from, hence the tree of its own.
struct Skeleton {
  Tree tree;
  std::vector<BodyFrame> bodies;
  std::vector<BodyPoint> contacts;  ///< the point, or the centre of the disc
  std::vector<std::pair<BodyPoint, BodyPoint>> springs;
};

/// The place of a body's frame, and its angle (counter-clockwise).
struct Pose {
  Vec2 at;
  double angle;
};

[[nodiscard]] std::vector<Pose> eval_poses(const Skeleton& skeleton, const VecQ& q);

}  // namespace slipstick
