#pragma once

/// A simulated run as text (docs/formats.md): a table of its trajectory, and its events line by
/// line.
///
///     const slipstick::RunTree tree = slipstick::make_tree(run);
///     std::ofstream("trajectory.csv") << slipstick::make_trajectory_csv(arm, tree, {});
///     std::ofstream("events.jsonl") << slipstick::make_event_lines(arm, tree);

#include <optional>
#include <string>

#include "slipstick/model_file.h"
#include "slipstick/run.h"

namespace slipstick {

/// Columns: time, coordinates, rates, modes, then gap, slip and forces of every contact, kinetic
/// energy, and the observables of the model. Rows: every `sample` seconds from the start and at the
/// end; without `sample` several per step of the integration, and two at every event, before and
/// after it. In the table of a tree the first column is the number of the run.
struct TableOptions {
  std::optional<double> sample;  ///< [s]
  bool centres = false;          ///< also where the acceleration centre of every closed contact's
                                 ///< body is, seen from the contact
  bool accelerations = false;    ///< also of the coordinates
  bool p = false, b = false;     ///< also of every contact, empty where it does not slide
  bool energy = false;           ///< also the potential energy and the sum with the kinetic one
  bool work = false;  ///< also the work since the start; needs check_tree or balance_tree
};

/// One JSON object per line and event; for a tree with the number of its run.
[[nodiscard]] std::string make_event_lines(const LoadedModel& loaded, const RunTree& tree);
/// The same for a single run.
[[nodiscard]] std::string make_event_lines(const LoadedModel& loaded, const Run& run);

/// The table, with a line of names first.
[[nodiscard]] std::string make_trajectory_csv(const LoadedModel& loaded, const RunTree& tree,
                                              const TableOptions& options);
}  // namespace slipstick
