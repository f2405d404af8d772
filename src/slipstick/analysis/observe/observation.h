#pragma once

/// One observable along one run.

#include <optional>
#include <vector>

#include "slipstick/run.h"
#include "slipstick/sim/mode/motion_formula.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {

class Observation {
 public:
  Observation(const Model& model, const MotionFormula& formula, const Run& run, double tolerance);

  /// Writes all but the names.
  void write(ObservableRecord& out);

 private:
  /// A place of the motion between two of which the observable only rises or only falls.
  struct Node {
    double time = 0.0, value = 0.0;
    double error = 0.0;  ///< changes below it are rounding
    TrajectoryPlace place;
  };

  void add_segment(std::size_t index);
  void add_node(const TrajectoryPlace& place);
  [[nodiscard]] std::vector<double> list_places(const Segment& segment) const;
  void add_turns(const Segment& segment, double from, double to, std::vector<double>& out) const;
  [[nodiscard]] State state_at(const Segment& segment, double theta) const;
  [[nodiscard]] double eval(const Segment& segment, double theta) const;
  [[nodiscard]] double eval_slope(const Segment& segment, double theta) const;
  [[nodiscard]] MotionBlur find_blur(const Segment& segment) const;

  void find_extremes(std::size_t from, std::size_t to, std::vector<Observed>& out) const;
  void find_zeros(std::size_t from, std::size_t to, std::vector<Observed>& out) const;
  [[nodiscard]] std::optional<Observed> locate_zero(const Node& before, const Node& after) const;

  const Model& model_;
  const MotionFormula& formula_;
  const Trajectory& trajectory_;
  MotionBlur blur_;  ///< of the segment that is looked at
  std::vector<Node> nodes_;
  std::vector<std::size_t> gaps_;  ///< nodes before which the observable is not defined
};

}  // namespace slipstick
