#pragma once

/// The modes of the closed contacts, and the equations for their forces.

#include <boost/container/static_vector.hpp>

#include "slipstick/contact/mode_list.h"
#include "slipstick/model/contact_dynamics.h"

namespace slipstick {

/// The mode of one closed contact.
struct ClosedMode {
  int contact = 0;                         ///< in the model's order
  ContactMode mode = ContactMode::kStick;  ///< not free
  bool has_friction = true;                ///< false: neither sticks nor resists
  bool bilateral = false;
  double slip_sign = 0.0;   ///< of a sliding contact
  double force_sign = 1.0;  ///< of the normal force; -1 only at bilateral contacts
  double mu = 0.0, mu_s = 0.0;
  bool shares = false;  ///< its force is one of a family, that of redundant contacts

  [[nodiscard]] bool slides() const { return is_sliding(mode); }
  [[nodiscard]] bool sticks() const { return has_friction && !slides(); }
  [[nodiscard]] bool slides_with_friction() const { return has_friction && slides(); }

  [[nodiscard]] bool operator==(const ClosedMode&) const = default;
};

struct Mode {
  ModeWord word;  ///< per contact of the model
  PerContact<ClosedMode> closed;
  PerContact<int> indices;  ///< of the closed contacts
  bool stretched = false;   ///< some contact slides with friction: dt = |d| d(tau)
  bool redundant = false;   ///< directions of closed contacts are linearly dependent
  double gravity = 0.0;     ///< the scale for forces of redundant contacts [m/s^2]

  [[nodiscard]] bool operator==(const Mode&) const = default;
};

/// Those of the contacts of G that feel a force at one that is taken, directly or through others.
[[nodiscard]] PerContact<bool> find_coupled(const Mat2C& G, PerContact<bool> taken);

/// Some contacts of a mode, as if they were all: they and the others do not feel each other.
struct ModePart {
  Mode mode;
  ContactDynamics dynamics;
  PerContact<Eigen::Index> places;  ///< in the whole mode
};
/// Redundant contacts, whose forces are a family, or the others.
[[nodiscard]] ModePart take_part(const Mode& mode, const ContactDynamics& dynamics, bool shares);
/// Puts forces of a part's contacts where they belong in those of the whole mode.
void place_forces(const ModePart& part, const Vec2C& forces, Vec2C& all);

/// The contact equations of a mode: forces F x with E x = r, where the accelerations vanish that
/// the mode forbids: normal ones, and tangential ones where a contact sticks.
struct ModeEquations {
  Mat2C F, E;
  Vec2C r;
  boost::container::static_vector<int, 2 * kMaxContacts> rows;  ///< entries of the accelerations
  Vec2C mobility;                  ///< of each row without the other forces [1/kg]
  double determinant_scale = 1.0;  ///< of unit mobilities: their product
};

/// Per row, the force that has unit effect on its own acceleration [sqrt(kg)]. At a dead centre a
/// contact has no mobility along its surface; it gets the unit of the most mobile row.
[[nodiscard]] Vec2C make_force_units(const Vec2C& mobility);

[[nodiscard]] ModeEquations make_mode_equations(const Mode& mode, const ContactDynamics& dynamics);

}  // namespace slipstick
