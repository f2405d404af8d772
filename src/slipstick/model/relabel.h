#pragma once

#include <span>
#include <string>

#include "slipstick/model/model.h"

namespace slipstick {

/// A relabelling must only give the same motion new names. If it changes the motion, says in a
/// sentence what changed: the kinetic energy, the motion of one of the closed contacts under its
/// new name, or a contact that is suddenly below its surface. Empty if nothing changed. Open
/// contacts may get other surfaces, such as the next tread of a stair.
[[nodiscard]] std::string find_changed_by_relabel(const Model& model, const Relabel& relabel,
                                                  const State& before, const State& after,
                                                  std::span<const int> closed);

}  // namespace slipstick
