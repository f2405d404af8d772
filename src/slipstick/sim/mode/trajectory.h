#pragma once

/// The motion between events, step by step, to be evaluated at any time.

#include <vector>

#include "slipstick/sim/mode/dormand_prince.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// What is integrated: q, v, t, then normal and tangential impulse of every closed contact; room
/// for whole blocks of four.
inline constexpr std::size_t kMaxIntegrated = 2 * kMaxCoordinates + 1 + 2 * kMaxContacts + 3;
/// Of the step that is being made, with room for every model.
using WideInterpolant = StepInterpolant<kMaxIntegrated>;
/// Rows of one length in one block of memory.
struct RowBlock {
  std::size_t length = 0;
  std::vector<double> numbers;

  [[nodiscard]] const double* operator[](std::size_t row) const {
    return numbers.data() + row * length;
  }
  [[nodiscard]] double* operator[](std::size_t row) { return numbers.data() + row * length; }
};
/// With the components in use only: runs keep one for every step.
using Interpolant = InterpolantOf<RowBlock>;

/// The first components of all.
[[nodiscard]] Interpolant make_interpolant(const WideInterpolant& from, std::size_t components);

struct TrajectoryStep {
  Interpolant interpolant;
  double theta_end = 1.0;       ///< an event cut the step here
  double from = 0.0, to = 0.0;  ///< time [s]
  std::size_t mode = 0;         ///< index in Trajectory::modes
};

struct TrajectorySample {
  State state;
  std::size_t mode = 0;
};

struct Trajectory {
  int coordinate_count = 0;
  std::vector<Mode> modes;
  std::vector<std::size_t> events;  ///< per mode: how many the run had when it began
  std::vector<TrajectoryStep> steps;

  [[nodiscard]] bool empty() const { return steps.empty(); }
  /// The state at a time within the steps; at an event's time the state after it. In the names
  /// that held then, before any later relabelling.
  [[nodiscard]] TrajectorySample eval(double time) const;
};

/// The state at theta of an interpolant over (q, v, t, ...).
[[nodiscard]] State eval_state(const Interpolant& interpolant, int coordinate_count, double theta);
[[nodiscard]] State eval_state(const WideInterpolant& interpolant, int coordinate_count,
                               double theta);

}  // namespace slipstick
