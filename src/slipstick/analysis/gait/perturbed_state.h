#pragma once

/// The state of a gait right after a perturbation of some size, and its rate by that size. Internal
/// to this folder.

#include <optional>

#include "slipstick/gait_perturbation.h"
#include "slipstick/model/variation.h"
#include "slipstick/sim/mode/mode.h"
#include "slipstick/why.h"

namespace slipstick {

/// A perturbed state at time zero, or the reason why there is none: a point below its surface.
struct PerturbedState {
  std::optional<State> state;
  Why why;
};
[[nodiscard]] PerturbedState make_perturbed(const Model& model, const Perturbation& perturbation,
                                            const State& state, double size);

/// What a small perturbation amounts to once friction has ended the slips of sticking contacts.
struct SmallPerturbation {
  Variation change;         ///< per size
  bool is_stopped = false;  ///< a slip of a sticking contact was taken out of it
  Why why;                  ///< why there is none
};
/// To first order friction acts on a small slip of a sticking contact as the projection onto
/// sticking that is orthogonal by M (docs/theory/gaits.md).
[[nodiscard]] SmallPerturbation make_small_perturbation(const Model& model, const Mode& mode,
                                                        const Perturbation& perturbation,
                                                        const State& state);

}  // namespace slipstick
