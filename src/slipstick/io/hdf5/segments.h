#pragma once

/// The steps of a trajectory as in result files: polynomials that all have the same components,
/// whichever contacts are closed. Nothing is copied; the trajectory must outlive this object.

#include "slipstick/io/byte_sink.h"
#include "slipstick/model/model.h"
#include "slipstick/run.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {

class Segments {
 public:
  static constexpr std::size_t kOrder = 8;  ///< rows of coefficients that the schema has

  Segments(const Model& model, const Trajectory& trajectory)
      : trajectory_(trajectory.operator->()),
        coordinates_(model.coordinates.size()),
        contacts_(model.contacts.size()) {}

  [[nodiscard]] std::size_t coordinates() const { return coordinates_; }
  /// q, v, t, normal and tangential impulse of every contact.
  [[nodiscard]] std::size_t components() const { return 2 * coordinates_ + 1 + 2 * contacts_; }
  [[nodiscard]] std::size_t size() const { return trajectory_->segments.size(); }
  [[nodiscard]] const Segment& operator[](std::size_t segment) const {
    return trajectory_->segments[segment];
  }

  /// Of q, v and t only, like the functions below.
  [[nodiscard]] double eval(std::size_t segment, std::size_t component, double theta) const {
    return (*this)[segment].polynomial.eval(component, theta);
  }
  /// The state at theta.
  void eval_state(std::size_t segment, double theta, State& out) const;
  /// True if the next segment does not start where this one ends: an event came between, or
  /// nothing follows.
  [[nodiscard]] bool ends_piece(std::size_t segment) const {
    return segment + 1 == size() || (*this)[segment].mode != (*this)[segment + 1].mode;
  }

  /// Writes the coefficients segment by segment: for each order those of all components.
  void write_coefficients(const ByteSink& sink) const;

 private:
  const TrajectoryParts* trajectory_;
  std::size_t coordinates_, contacts_;
};

}  // namespace slipstick
