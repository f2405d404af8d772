#pragma once

/// A planar mechanism in numbers and names, as a file or a program describes it. Lengths in m,
/// masses in kg, angles in rad (counter-clockwise), forces in N. `where` starts an error message
/// about the entry, e.g. "arm.toml:12: body 'link'"; a Function has its own place.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/impact_law.h"
#include "slipstick/linalg.h"
#include "slipstick/model/function.h"

namespace slipstick {

/// The name that bodies use for the fixed frame.
inline constexpr const char* kWorld = "world";

/// Joints, with their coordinates in order.
enum class JointType {
  kFixed,        ///< none
  kRevolute,     ///< angle
  kPrismatic,    ///< displacement along `axis`
  kTranslation,  ///< x, y in the world; the body does not turn
  kFree,         ///< x, y in the world, and angle
};

/// Places a body's frame: its origin is the joint.
struct JointSpec {
  JointType type = JointType::kFree;
  std::string parent = kWorld;
  Vec2 at = Vec2::Zero();     ///< the joint in the parent's frame [m]
  Vec2 axis = Vec2::UnitX();  ///< of a prismatic joint, in the parent's frame
  double angle = 0.0;         ///< turn of the body's frame where the coordinates are zero
  bool absolute = false;      ///< the angle is measured from the world's frame, not the parent's
  bool clockwise = false;     ///< the angle grows clockwise
  std::vector<std::string> coordinates;
};

struct PointMass {
  double mass = 0.0;  ///< [kg], > 0
  Vec2 at = Vec2::Zero();
};

struct BodySpec {
  std::string where, name;
  JointSpec joint;
  std::vector<PointMass> masses;  ///< in the body's frame; the centre of mass of a solid is one
  double inertia = 0.0;           ///< sum of the solids' inertias about their own centres [kg m^2]
  std::vector<std::vector<Vec2>> hulls;  ///< of its picture, in its frame; may be empty
};

/// A line that may move along itself.
struct SurfaceSpec {
  std::string where, name;
  Vec2 point = Vec2::Zero();
  Vec2 normal = Vec2::UnitY();  ///< out of the solid; normalised when the model is made
  std::string speed_where;
  Function speed;  ///< along the tangent, normal turned by -90 degrees [m/s]; of t
};

struct ContactSpec {
  std::string where, name, body, surface;
  Vec2 point = Vec2::Zero();  ///< in the body's frame; the centre of a disc
  double radius = 0.0;        ///< 0: a point
  double mu = 0.0;            ///< kinetic friction
  double mu_s = 0.0;          ///< static friction, >= mu
  double restitution = 0.0;   ///< in [0, 1]
  double jump = 0.0;          ///< [omega] of Fremond's law [rad/s]
  ImpactLaw law = ImpactLaw::kInelastic;
  bool bilateral = false;
  std::string active_when_where;
  std::optional<Function> active_when;  ///< the contact exists where this is not zero
};

/// A point of a body, or of the world.
struct Anchor {
  std::string body = kWorld;
  Vec2 at = Vec2::Zero();
};

/// Spring and damper between two points.
struct LinearSpringSpec {
  std::string where;
  Anchor from, to;
  double stiffness = 0.0;  ///< [N/m]
  double length = 0.0;     ///< unstressed [m]
  double damping = 0.0;    ///< [N s/m]
};

/// Spring and damper between two bodies' angles: the torque on `body` is
/// -stiffness (phi - phi_to - angle) - damping d(phi - phi_to)/dt, its opposite acts on `to`.
struct TorsionSpringSpec {
  std::string where, body, to = kWorld;
  double stiffness = 0.0;  ///< [N m/rad]
  double angle = 0.0;      ///< unstressed [rad]
  double damping = 0.0;    ///< [N m s/rad]
};

/// Generalised force on a coordinate.
struct CoordinateForceSpec {
  std::string where, coordinate, value_where;
  Function value;  ///< [N] or [N m]
};

/// Force in the world's directions at a point of a body, with a torque (counter-clockwise).
struct PointForceSpec {
  std::string where, force_where, torque_where;
  Anchor at;
  Function x, y, torque;  ///< [N], [N], [N m]
};

/// New names after a step: how the coordinates of the new stance follow from the old ones once
/// `contact` has closed.
struct RelabelSpec {
  std::string where, contact;
  std::vector<Function> coordinates, rates;  ///< one per coordinate of the model
  std::vector<int> contacts;                 ///< contact i becomes contacts[i]
};

/// Where a step of a periodic motion ends: just after `section` has collided and the names changed.
struct GaitSpec {
  std::string section_where, section, advance_where;
  std::string
      advance;  ///< the coordinate that a step carries along without any effect; may be none
};

struct ModelSpec {
  std::string where, name, title, source;
  std::vector<std::string> coordinates;  ///< every joint's coordinates, in the model's order
  Vec2 gravity = Vec2::Zero();           ///< [m/s^2]
  std::vector<BodySpec> bodies;
  std::vector<SurfaceSpec> surfaces;
  std::vector<ContactSpec> contacts;
  std::vector<LinearSpringSpec> linear_springs;
  std::vector<TorsionSpringSpec> torsion_springs;
  std::vector<CoordinateForceSpec> coordinate_forces;
  std::vector<PointForceSpec> point_forces;
  std::vector<RelabelSpec> relabels;
  std::optional<GaitSpec> gait;
};

}  // namespace slipstick
