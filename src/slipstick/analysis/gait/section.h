#pragma once

/// The states just after an impact as a surface in the space of states: given contacts are closed,
/// and have the rates that the impact leaves. All here is in scaled coordinates: coordinates in
/// their own units (model/scale.h), rates in these units per unit of time of the motion.

#include <Eigen/Core>

#include "slipstick/analysis/gait/walk.h"
#include "slipstick/model/variation.h"

namespace slipstick {

class Section {
 public:
  /// `rate`: the reciprocal of the motion's unit of time [1/s].
  Section(const Model& model, SectionShape shape, double rate);

  [[nodiscard]] const SectionShape& shape() const { return shape_; }

  /// Coordinates and rates as one vector; the advance is left out (zero).
  [[nodiscard]] Eigen::VectorXd scale(const State& state) const;
  [[nodiscard]] Eigen::VectorXd scale(const Variation& variation) const;
  [[nodiscard]] Variation unscale(const Eigen::VectorXd& x) const;

  /// The nearest state on the section.
  [[nodiscard]] State project(State state) const;
  /// Orthonormal directions along the section, one per column; none along the advance.
  [[nodiscard]] Eigen::MatrixXd find_tangents(const State& state) const;

 private:
  [[nodiscard]] Eigen::VectorXd eval_excess(const State& state) const;
  [[nodiscard]] Eigen::MatrixXd eval_gradients(const State& state) const;

  const Model& model_;
  SectionShape shape_;
  VecQ unit_q_, unit_v_;
};

/// The reciprocal of a unit of time for the section [1/s]: the largest rate of one of its states;
/// if that state is at rest, the rate of gravity.
[[nodiscard]] double find_section_rate(const Model& model, const State& state);

/// The state moved by a change.
[[nodiscard]] State move(State state, const Variation& change);

}  // namespace slipstick
