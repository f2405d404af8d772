#pragma once

/// How the laws of motion change with the state: exact rates along a small change of it, for
/// first-order perturbations of a motion. docs/theory/gaits.md.

#include <span>

#include "slipstick/model/dynamics.h"
#include "slipstick/model/model.h"

namespace slipstick {

/// A small change of a state at the same time; only its direction and proportions matter.
struct Variation {
  VecQ q, v;
};

/// Rates of how each contact of the model moves.
struct KinematicVariation {
  VecC gap, gap_rate, slip;
};
[[nodiscard]] KinematicVariation eval_kinematic_variation(const Model& model, const State& state,
                                                          const Variation& variation);

/// Accelerations and contact forces (entries 2 i, 2 i + 1: normal and tangential at the i-th of
/// these contacts) that are held while the state changes.
struct HeldMotion {
  std::span<const int> contacts;
  const VecQ& acceleration;
  const Vec2C& force;
};
struct MotionVariation {
  VecQ force;          ///< rate of M v' + h - W f
  Vec2C acceleration;  ///< rate of the contacts' accelerations, normal and tangential
};
[[nodiscard]] MotionVariation eval_motion_variation(const Model& model, const State& state,
                                                    const HeldMotion& held,
                                                    const Variation& variation);

/// The same for a jump of the rates by impulses: the rate of M [v] - W [impulses].
[[nodiscard]] VecQ eval_jump_variation(const Model& model, const State& state,
                                       const HeldMotion& held, const VecQ& change_of_q);

/// The change in the names that hold after a relabelling.
[[nodiscard]] Variation make_relabelled(const Model& model, const Relabel& relabel,
                                        const State& state, const Variation& variation);

}  // namespace slipstick
