#pragma once

/// How a motion is followed: the options that `simulate` and `outcomes` share.

#include <CLI/App.hpp>
#include <string>

#include "slipstick/model_file.h"
#include "slipstick/run.h"

namespace slipstick::cli {

struct MotionOptions {
  SimulationOptions simulation;
  std::string until = "10", max_time;  ///< expressions; `until` may be a condition
  std::string law, on_inconsistent = "impact", on_indeterminate = "lift-off", on_jam = "impact",
                   on_impact = "prefer";
  bool unchecked = false;
};

/// Adds them, except those of branching.
void add_motion_options(CLI::App& verb, MotionOptions& options);

/// The options of a run of this model. Throws InputError.
[[nodiscard]] SimulationOptions make_simulation_options(const MotionOptions& options,
                                                        const LoadedModel& loaded);

/// Throws InputError if a count is not positive.
void check_limit(const char* option, int value);

}  // namespace slipstick::cli
