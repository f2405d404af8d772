#pragma once

/// The bodies as described in the file: how they are joined, where they are, and their shapes. For
/// pictures and for the check of a run (sim/check); no motion is computed from it.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/model/spec.h"
#include "slipstick/model/tree.h"

namespace slipstick {

/// JointSpec in numbers: `parent` is a body's index or -1 for the world, `coordinates` indices of
/// the model's coordinates, as many as the joint has.
struct Joint {
  JointType type = JointType::kFixed;
  int parent = -1;
  Vec2 at = Vec2::Zero(), axis = Vec2::UnitX();
  double angle = 0.0;
  bool absolute = false, clockwise = false;
  std::array<int, 3> coordinates{-1, -1, -1};
};

struct BodyFrame {
  std::string name;
  Row x, y;  ///< of the frame's origin in the world [m]
  Orientation turn;
  std::vector<PointMass> masses;         ///< in the body's frame
  std::vector<std::vector<Vec2>> hulls;  ///< drawn as the hulls of these points
  bool hinged = false;                   ///< its origin is a hinge
  Joint joint;
  double inertia = 0.0;  ///< beside the masses [kg m^2]
};

/// A point of a body; body -1 is the world.
struct BodyPoint {
  int body = -1;
  Vec2 at = Vec2::Zero();
};

/// It has a tree of its own, because a frozen model keeps the skeleton of the model from which it
/// was made.
struct Skeleton {
  Tree tree;
  std::vector<BodyFrame> bodies;
  std::vector<BodyPoint> contacts;  ///< the point, or the centre of the disc
  std::vector<std::pair<BodyPoint, BodyPoint>> springs;
  std::vector<std::pair<int, int>> torsion_springs;  ///< bodies: `body`, `to`; -1 is the world
  std::vector<BodyPoint> point_forces;
};

/// The place of a body's frame, and its angle (counter-clockwise).
struct Pose {
  Vec2 at;
  double angle;
};

[[nodiscard]] std::vector<Pose> eval_poses(const Skeleton& skeleton, const VecQ& q);

}  // namespace slipstick
