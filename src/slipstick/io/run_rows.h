#pragma once

/// Rows of a trajectory: at which points of the steps.

#include <cstdint>
#include <vector>

#include "slipstick/analysis/motion/motion_rows.h"
#include "slipstick/analysis/observe/observable_rows.h"
#include "slipstick/io/hdf5/segments.h"
#include "slipstick/run.h"

namespace slipstick {

inline constexpr int kRowsPerStep = 8;  ///< of a table; the interpolant has degree 7

/// Rows between which linear interpolation in time follows the motion.
struct LinearRows {
  VecQ error_q, error_v;   ///< no coordinate and no rate is further from its line
  std::vector<int> parts;  ///< per segment: into so many parts, equal in theta
};

/// Linear interpolation is within 1e-3 of a coordinate's unit (make_coordinate_scale), and for its
/// rate within 1e-3 of that unit times the run's largest rate [1/s]. The bounds are wider where
/// they would need more than a million rows.
[[nodiscard]] LinearRows make_linear_rows(const Model& model, const Trajectory& trajectory,
                                          const Segments& segments);

/// The different words of a trajectory's modes, and for each mode the index of its word.
struct ModeWords {
  std::vector<ModeWord> words;
  std::vector<std::int64_t> of_mode;
};
[[nodiscard]] ModeWords make_mode_words(const Trajectory& trajectory);

/// A run in such rows, as result files have it (docs/formats.md).
[[nodiscard]] MotionRows make_motion_rows(const Model& model, const Run& run,
                                          const LinearRows& linear,
                                          const ObservableRows& observed = {});
/// The same with at least kRowsPerStep rows per step, and not few in all, so that curves look
/// smooth; without the columns of contacts. The model and the run must outlive it.
[[nodiscard]] MotionRows make_smooth_rows(const Model& model, const Run& run,
                                          const ObservableRows& observed = {});
MotionRows make_smooth_rows(const Model& model, Run&& run,
                            const ObservableRows& observed = {}) = delete;

}  // namespace slipstick
