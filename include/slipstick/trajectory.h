#pragma once

/// The motion of a run between its events, to be evaluated at any time.
///
///     const slipstick::State middle = run.trajectory.eval(0.25).state;

#include <cstddef>
#include <memory>

#include "slipstick/state.h"

namespace slipstick {

/// The motion at one time.
struct TrajectorySample {
  State state;           ///< in the names that held then, before any later relabelling
  std::size_t mode = 0;  ///< which of the run's modes it was, counted from the start
};

/// Segments of the motion and their modes, for use inside the library only.
struct TrajectoryParts;

/// Copies share nothing.
class Trajectory {
 public:
  /// Without any motion.
  Trajectory();
  Trajectory(const Trajectory& other);                 ///< a copy
  Trajectory(Trajectory&& other) noexcept;             ///< leaves the other empty
  Trajectory& operator=(const Trajectory& other);      ///< a copy
  Trajectory& operator=(Trajectory&& other) noexcept;  ///< leaves the other empty
  ~Trajectory();

  /// True if there is no motion to evaluate.
  [[nodiscard]] bool empty() const;
  /// The state at a time within the run; at an event's time the state after it. Not of an empty
  /// trajectory.
  [[nodiscard]] TrajectorySample eval(double time) const;

  /// What it consists of.
  [[nodiscard]] const TrajectoryParts* operator->() const;
  [[nodiscard]] TrajectoryParts* operator->();  ///< to change it

 private:
  std::unique_ptr<TrajectoryParts> parts_;  ///< null: empty
};

}  // namespace slipstick
