#pragma once

/// How the motion in a mode changes with the state, to first order and exactly.

#include <Eigen/LU>

#include "slipstick/model/variation.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

struct ModeVariation {
  VecQ acceleration;
  Vec2C force;  ///< entries 2 i, 2 i + 1: normal and tangential at the i-th closed contact
};

/// Rates u and contact forces f = F x together: M u - W f = g, and W' u = c in the rows that are
/// held. Neither is found from M^-1: the inverse of a light foot's mass, in every entry, would
/// leave nothing of the others after two such steps.
class HeldSystem {
 public:
  HeldSystem() = default;
  HeldSystem(const Dynamics& dynamics, std::span<const int> contacts,
             const ModeEquations& equations);

  struct Solution {
    VecQ rates;
    Vec2C force;  ///< as ModeVariation's
  };
  [[nodiscard]] Solution solve(const VecQ& g, const Vec2C& c) const;

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd row_scale_;
  Mat2C F_;
};

/// A mode at a state, ready to be varied. Both must outlive it.
class VariedMode {
 public:
  VariedMode(const Model& model, const Mode& mode, const State& state);

  [[nodiscard]] bool regular() const { return regular_; }
  [[nodiscard]] const VecQ& acceleration() const { return acceleration_; }
  [[nodiscard]] const Vec2C& force() const { return force_; }
  /// The change that the motion itself brings in unit time.
  [[nodiscard]] Variation flow() const { return {state_.v, acceleration_}; }

  [[nodiscard]] ModeVariation vary(const Variation& variation) const;

 private:
  const Model& model_;
  const Mode& mode_;
  const State& state_;
  ContactDynamics dynamics_;
  ModeEquations equations_;
  HeldSystem system_;
  VecQ acceleration_;
  Vec2C force_;
  bool regular_ = true;
};

}  // namespace slipstick
