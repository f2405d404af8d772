#pragma once

/// Forces of redundant contacts: the equations of a mode leave a family of them, of which every
/// row, event and picture shows one member. docs/theory/motion.md, Redundant contacts.

#include "slipstick/sim/mode/mode_equations.h"

namespace slipstick {

/// Normal and tangential forces of the closed contacts (entries 2 i, 2 i + 1) [N]: the member of
/// the family in the middle of the inequalities of Signorini and Coulomb. It minimises
///   kHold/2 |f|^2 - sum_i log(slack of inequality i),
/// which has one minimum that moves smoothly with the state; the first term, small, holds it where
/// a family is unbounded (a body wedged between two walls). Where no member satisfies the
/// inequalities, the one that breaks them least. Unlike accelerations of the family are followed
/// with the same member.
[[nodiscard]] Vec2C find_family_forces(const Mode& mode, const ModeEquations& equations);

}  // namespace slipstick
