#pragma once

/// Rows of a trajectory: at which points of the steps, and what the contacts do there.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "slipstick/io/segments.h"
#include "slipstick/sim/run.h"

namespace slipstick {

inline constexpr int kRowsPerStep = 8;  ///< of a table; the interpolant has degree 7

/// What every contact of the model does at a state of a motion.
struct ContactRow {
  VecC gap, slip;         ///< [m], [m/s]
  VecC force_n, force_t;  ///< [N], 0 where open
};

[[nodiscard]] ContactRow eval_contact_row(const Model& model, const Mode& mode, const State& state);

/// The jams among the events.
[[nodiscard]] std::vector<const Event*> list_jams(const std::vector<Event>& events);
/// Contacts whose force is unbounded at a time of a mode: there, as far as its time is known, a jam
/// ended it. At other times none.
[[nodiscard]] std::vector<int> list_unbounded(const std::vector<const Event*>& jams, double time,
                                              const ModeWord& modes);
/// Infinite forces there, with their signs: what the equations give at p = 0 is rounding.
void mark_unbounded(const std::vector<int>& contacts, const ModeWord& modes, ContactRow& row);

/// Rows between which straight lines in time follow the motion.
struct LinearRows {
  VecQ error_q, error_v;   ///< no coordinate and no rate is further from its line
  std::vector<int> parts;  ///< per segment: into so many parts, equal in theta
};

/// Lines within 1e-3 of a coordinate's unit (make_coordinate_scale), and for its rate of that unit
/// times the run's largest rate [1/s]; the bounds are wider where more than a million rows were
/// needed.
[[nodiscard]] LinearRows make_linear_rows(const Model& model, const Trajectory& trajectory,
                                          const Segments& segments);

/// The words of a trajectory's modes, each once, and which of them each mode has.
struct ModeWords {
  std::vector<std::string> words;
  std::vector<std::int64_t> of_mode;
};
[[nodiscard]] ModeWords make_mode_words(const Trajectory& trajectory);

/// A run in such rows, as result files have it (docs/formats.md). An event that changes something
/// has two rows with the same time, before and after it.
struct MotionRows {
  std::vector<std::string> words;
  std::vector<double> time;
  std::vector<std::int64_t> mode;  ///< index in `words`
  /// Row after row: an entry per coordinate, or per contact.
  std::vector<double> q, v, gap, slip, force_n, force_t;
  /// Of rows without the columns from `gap` on: gives them for a row with this state, so that those
  /// that nobody looks at are never computed.
  std::function<ContactRow(const State&, std::size_t)> eval_contacts{};

  [[nodiscard]] std::size_t size() const { return time.size(); }
};
[[nodiscard]] State make_state_at(const Model& model, const MotionRows& rows, std::size_t row);
[[nodiscard]] ContactRow make_contacts_at(const Model& model, const MotionRows& rows,
                                          const State& state, std::size_t row);
[[nodiscard]] MotionRows make_motion_rows(const Model& model, const Run& run,
                                          const LinearRows& linear);
/// The same with kRowsPerStep or more, and not few in all, for curves that look smooth; without the
/// columns of contacts. The model and the run must outlive it.
[[nodiscard]] MotionRows make_smooth_rows(const Model& model, const Run& run);
MotionRows make_smooth_rows(const Model& model, Run&& run) = delete;

}  // namespace slipstick
