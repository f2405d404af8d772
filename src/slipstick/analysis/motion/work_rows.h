#pragma once

/// The work done since the start, at the rows of a motion.

#include "slipstick/model/model.h"
#include "slipstick/sim/check/mechanism.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {

/// Of a trajectory whose balances are known (check_tree, balance_tree). Rows must be asked for in
/// order of time.
class WorkRows {
 public:
  WorkRows(const Model& model, const Trajectory& trajectory)
      : mechanism_(model), trajectory_(trajectory) {}

  /// Loads, surfaces, impacts, friction and damping; the other parts are not defined.
  [[nodiscard]] Balance eval(const TrajectoryPlace& place);

 private:
  check::Mechanism mechanism_;
  const Trajectory& trajectory_;
  std::size_t segment_ = 0;  ///< of the last row
  Balance before_;           ///< until that segment began
  bool started_ = false;
};

}  // namespace slipstick
