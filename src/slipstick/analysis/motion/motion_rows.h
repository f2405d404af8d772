#pragma once

/// What a mechanism does at the states of a motion, row by row, for tables, curves and pictures.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "slipstick/model/model.h"
#include "slipstick/run.h"
#include "slipstick/sim/mode/mode_equations.h"

namespace slipstick {

/// What every contact of the model does at a state of a motion.
struct ContactRow {
  VecC gap, slip;         ///< [m], [m/s]
  VecC force_n, force_t;  ///< [N], 0 where open
};

[[nodiscard]] ContactRow eval_contact_row(const Model& model, const Mode& mode, const State& state);

/// The jams among the events.
[[nodiscard]] std::vector<const Event*> list_jams(const std::vector<Event>& events);
/// The contacts whose force is unbounded at a time of a mode: a jam ended the mode there, within
/// the accuracy of its time. None at other times.
[[nodiscard]] std::vector<int> list_unbounded(const std::vector<const Event*>& jams, double time,
                                              const ModeWord& modes);
/// Makes these forces infinite, with their signs: what the equations give at p = 0 is rounding.
void mark_unbounded(const std::vector<int>& contacts, const ModeWord& modes, ContactRow& row);

/// How far a surface moves along its tangent from a time to that of a state [m]. By Simpson's rule,
/// which suits rows that are close to each other.
[[nodiscard]] double eval_surface_travel(const Surface& surface, double from, const State& state);

/// A motion at some of its times. An event that changes something has two rows with the same time,
/// before and after it.
struct MotionRows {
  std::vector<ModeWord> words;
  std::vector<double> time;
  std::vector<std::int64_t> mode;  ///< index in `words`
  /// Row after row: an entry per coordinate, or per contact.
  std::vector<double> q, v, gap, slip, force_n, force_t;
  std::vector<Observable> observed{};  ///< whose values are
  std::vector<double> observables{};   ///< row after row; NaN where there is none
  /// For rows without the columns from `gap` on: computes them for a row with this state, so that
  /// rows that nobody reads are not computed.
  std::function<ContactRow(const State&, std::size_t)> eval_contacts{};

  [[nodiscard]] std::size_t size() const { return time.size(); }
};

[[nodiscard]] State make_state_at(const Model& model, const MotionRows& rows, std::size_t row);
[[nodiscard]] ContactRow make_contacts_at(const Model& model, const MotionRows& rows,
                                          const State& state, std::size_t row);

/// States by themselves, without forces. A closed contact sticks or slides according to its slip.
[[nodiscard]] MotionRows make_rows(const Model& model, std::span<const State> states);
/// Puts that state before the rows, unless they start with it. A run may begin with an event.
void prepend_state(const Model& model, const State& state, MotionRows& rows);

}  // namespace slipstick
