#pragma once

/// How the motion in a mode changes with the state, exactly to first order.

#include <Eigen/LU>

#include "slipstick/model/variation.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

struct ModeVariation {
  VecQ acceleration;
  Vec2C force;  ///< entries 2 i, 2 i + 1: normal and tangential at the i-th closed contact
};

/// Rates u and contact forces f = F x together: M u - W f = g, and W^T u = c in the rows that are
/// held. M^-1 is not used: with a light foot its entries are so large that the other digits would
/// be lost after two such steps.
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
  /// The change by the motion itself per unit time.
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
