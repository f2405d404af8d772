#pragma once

#include <span>
#include <string>

#include "slipstick/model/model.h"

namespace slipstick {

/// A relabelling gives the same motion new names. Says what of it changed instead, as a sentence:
/// the kinetic energy, or how one of the closed contacts moves under its new name; empty if it is
/// the same motion. Open contacts may have other surfaces from now on: the next tread of a stair.
[[nodiscard]] std::string find_changed_by_relabel(const Model& model, const Relabel& relabel,
                                                  const State& before, const State& after,
                                                  std::span<const int> closed);

}  // namespace slipstick
