#pragma once

/// Forces of redundant contacts. The equations of a mode leave a family of them; rows, events and
/// pictures show one member. docs/theory/motion.md, Redundant contacts.

#include "slipstick/sim/mode/mode_equations.h"

namespace slipstick {

/// Normal and tangential forces of the closed contacts (entries 2 i, 2 i + 1) [N]: the member of
/// the family in the middle of the inequalities of Signorini and Coulomb. It minimises
///   kHold/2 |f|^2 - sum_i log(slack of inequality i),
/// It has one minimum, which depends smoothly on the state. The first term is small and bounds the
/// member where the family is unbounded (a body wedged between two walls). If no member satisfies
/// the inequalities, it is the one that breaks them least. If the members have different
/// accelerations, the motion follows this member, too.
[[nodiscard]] Vec2C find_family_forces(const Mode& mode, const ModeEquations& equations);

}  // namespace slipstick
