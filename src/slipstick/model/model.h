#pragma once

/// A mechanism ready to be evaluated: made once from a ModelSpec, constant afterwards.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slipstick/model.h"
#include "slipstick/model/centroidal_tree.h"
#include "slipstick/model/function.h"
#include "slipstick/model/skeleton.h"
#include "slipstick/model/spec.h"
#include "slipstick/model/tree.h"
#include "slipstick/state.h"

namespace slipstick {

struct Surface {
  std::string name;
  Vec2 point, normal, tangent;
  Function speed;  ///< along the tangent [m/s], of t
};

struct Contact {
  std::string name;
  int body = 0, surface = 0;
  int group = -1;       ///< of the coordinates that move it: Model::groups; -1: none does
  double length = 1.0;  ///< of that group [m], the scale of small gaps
  double blur = 0.0;    ///< rounding of the gap, where the surface is far from the origin [m]
  Row normal;           ///< gap of the point or disc [m]
  Row tangent;          ///< place of the point or of the disc's centre along the surface [m]
  Orientation turn;     ///< of the body: a disc's contact point also moves with it
  double radius = 0.0, mu = 0.0, mu_s = 0.0, restitution = 0.0, jump = 0.0;
  ImpactLaw law = ImpactLaw::kInelastic;
  bool bilateral = false;
  std::optional<Function> active_when;
};

struct LinearSpring {
  Row x, y;  ///< vector between the ends, `from` minus `to`
  double stiffness = 0.0, length = 0.0, damping = 0.0;
};

struct TorsionSpring {
  Orientation body, to;
  double stiffness = 0.0, angle = 0.0, damping = 0.0;
};

struct CoordinateForce {
  int coordinate = 0;
  Function value;
};

struct PointForce {
  Row at_x, at_y;
  Orientation turn;
  Function x, y, torque;
};

struct Relabel {
  int contact = 0;
  std::vector<Function> coordinates, rates;
  std::vector<int> contacts;
};

/// Where a step of a periodic motion ends: GaitSpec.
struct GaitSection {
  int contact = 0;
  int advance = -1;  ///< a coordinate, or -1
};

struct Model {
  std::string name, title, source;
  std::vector<std::string> coordinates;
  Vec2 gravity = Vec2::Zero();
  /// Per coordinate the index of the first one that moves the same tree of bodies. The motion of
  /// one tree must not change what counts as small for another.
  std::vector<int> groups;
  VecQ lengths;               ///< per coordinate: longest lever arm of a contact in its tree [m]
  double length_scale = 1.0;  ///< the longest of them [m]
  Tree tree;
  CentroidalTree centroidal;  ///< the same for the hot path
  std::vector<Surface> surfaces;
  std::vector<Contact> contacts;
  std::vector<std::string> contact_names;
  std::vector<LinearSpring> linear_springs;
  std::vector<TorsionSpring> torsion_springs;
  std::vector<CoordinateForce> coordinate_forces;
  std::vector<PointForce> point_forces;
  bool has_forces = false;       ///< one of the four lists above is not empty
  bool depends_on_time = false;  ///< a force or a surface's speed changes at a fixed state
  std::vector<Relabel> relabels;
  std::optional<GaitSection> gait;
  Skeleton skeleton;
  bool frozen = false;           ///< make_frozen_model's: linear, unlike its skeleton
  bool has_light_parts = false;  ///< M^-1 loses digits

  [[nodiscard]] int size() const { return static_cast<int>(coordinates.size()); }
  [[nodiscard]] int contact_count() const { return static_cast<int>(contacts.size()); }
  /// Index of a name, or -1.
  [[nodiscard]] int find_coordinate(std::string_view coordinate) const;
  [[nodiscard]] int find_contact(std::string_view contact) const;
};

/// Makes a model. Throws InputError, in the words of the entry's `where`, if names are unknown or
/// used twice, the bodies do not form a tree, a number is out of its range, or the model has more
/// than kMaxCoordinates coordinates or kMaxContacts contacts.
[[nodiscard]] Model make_model(const ModelSpec& spec);

}  // namespace slipstick
