#pragma once

#include <string>

#include "slipstick/model/model.h"

namespace slipstick {

/// A relabelling gives the same motion new names. Says what of it changed instead, as a sentence:
/// the kinetic energy, or how a contact that keeps existing under a new name moves; empty if it is
/// the same motion.
[[nodiscard]] std::string find_changed_by_relabel(const Model& model, const Relabel& relabel,
                                                  const State& before, const State& after);

}  // namespace slipstick
