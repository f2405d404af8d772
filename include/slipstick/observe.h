#pragma once

/// Follows observables along the motion of finished runs: their zeros and extremes are located on
/// the dense trajectory, and change nothing of the motion. docs/theory/motion.md, Observables.
///
///     const std::vector<slipstick::Observable> asked{{"height", "height", "y", "m"}};
///     slipstick::check_observables(*ball.model, {}, asked);
///     slipstick::observe_tree(*ball.model, {}, asked, options.tolerance, tree);
///     std::cout << tree.runs[0].run.observables[0].largest.value << " m\n";

#include <map>
#include <span>
#include <string>

#include "slipstick/model.h"
#include "slipstick/observable.h"
#include "slipstick/run.h"

namespace slipstick {

/// Throws InputError for a name that is taken or not possible, and for a formula that is none or
/// has a name that the model does not know.
void check_observables(const Model& model, const std::map<std::string, double>& parameters,
                       std::span<const Observable> observables);

/// Fills Run::observables of every run, which must have its trajectory. `tolerance`: of the runs;
/// smaller swings are not told.
void observe_tree(const Model& model, const std::map<std::string, double>& parameters,
                  std::span<const Observable> observables, double tolerance, RunTree& tree);

/// Joins what was found in two runs, of which the second continues the first.
[[nodiscard]] ObservableRecord join_observed(const ObservableRecord& first,
                                             const ObservableRecord& second);

}  // namespace slipstick
