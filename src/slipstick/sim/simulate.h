#pragma once

/// Motions of a model: docs/theory/motion.md.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/sim/run.h"

namespace slipstick {

/// Follows the motion from a state in which no contact is penetrated. Where the options ask for a
/// branching it ends.
[[nodiscard]] Run simulate(const Model& model, const State& initial,
                           const SimulationOptions& options);

/// One run of a tree: from a choice to its end or to the next choices.
struct BranchRun {
  int parent = -1;                 ///< the run that ended at the choice; -1: the first run
  std::string choice;              ///< made at its start
  std::optional<int> merged_into;  ///< goes on like this one, and is not followed
  Run run;
};

/// Every future, where the options ask for it; a run's number is its place in the list. The choices
/// of a run come in the order in which its branching lists them, the default one first.
struct RunTree {
  std::vector<BranchRun> runs;
  bool limited = false;  ///< some choices were not followed: too many, or too deep
};

[[nodiscard]] RunTree simulate_tree(const Model& model, const State& initial,
                                    const SimulationOptions& options);

}  // namespace slipstick
