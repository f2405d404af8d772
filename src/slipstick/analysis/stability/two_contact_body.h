#pragma once

/// A rigid body at rest on two frictional contacts: what the stability theory needs of a mechanism.

#include <array>

#include "slipstick/core/linalg.h"
#include "slipstick/core/tolerances.h"
#include "slipstick/model/model.h"

namespace slipstick {

struct TwoContactBody {
  double mass = 1.0;             ///< [kg]
  double inertia = 1.0;          ///< about the centre of mass [kg m^2]
  std::array<Vec2, 2> lever;     ///< contact points from the centre of mass [m]
  std::array<Vec2, 2> normal;    ///< of their surfaces
  std::array<double, 2> mu{};    ///< friction
  Vec2 force = Vec2::Zero();     ///< load at the centre of mass [N]
  double torque = 0.0;           ///< load, counter-clockwise [N m]
  std::array<int, 2> contact{};  ///< indices in the model
};

/// The same body with its contacts in the other order.
[[nodiscard]] TwoContactBody make_swapped(const TwoContactBody& body);

/// Reduces a model at rest to one rigid body. Throws InputError unless the model is one body, or
/// bodies fixed to each other, free to move in the plane, rests under loads that do not depend on
/// time, and has exactly two closed contacts, both unilateral, always active, without relabelling,
/// inelastic, with equal static and kinetic friction, on surfaces at rest.
[[nodiscard]] TwoContactBody make_two_contact_body(const Model& model, const State& state,
                                                   const Tolerances& tolerances);

}  // namespace slipstick
