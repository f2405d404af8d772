#pragma once

/// The steps of a trajectory in one piece: what result files keep of them, and quick to go through.

#include <vector>

#include "slipstick/sim/run.h"

namespace slipstick {

struct Segments {
  static constexpr std::size_t kOrder = Interpolant::kRows;

  std::size_t coordinates = 0;
  std::size_t components = 0;  ///< q, v, t, normal and tangential impulse of every contact
  std::vector<double> from, to, theta_end;
  std::vector<std::size_t> mode;     ///< index in Trajectory::modes
  std::vector<double> coefficients;  ///< per segment Interpolant::rows

  [[nodiscard]] std::size_t size() const { return from.size(); }
  /// The segment's coefficients: entry k * components + i is of order k and component i.
  [[nodiscard]] const double* find(std::size_t segment) const {
    return coefficients.data() + segment * kOrder * components;
  }
  [[nodiscard]] double eval(std::size_t segment, std::size_t component, double theta) const;
  /// The state at theta, by which `out` has its size.
  void eval_state(std::size_t segment, double theta, State& out) const;
  /// True if the next segment does not start where this one ends: an event came between, or
  /// nothing follows.
  [[nodiscard]] bool ends_piece(std::size_t segment) const {
    return segment + 1 == size() || mode[segment] != mode[segment + 1];
  }
};

[[nodiscard]] Segments make_segments(const Model& model, const Trajectory& trajectory);

}  // namespace slipstick
