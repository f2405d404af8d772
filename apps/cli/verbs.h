#pragma once

/// Each function adds one verb to the command line. If that verb is parsed, `run` is set to what
/// runs it.

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace slipstick::cli {

/// 0 answered, 1 anything else, 2 bad input, 3 the numerics failed, 128 + n ended by signal n.
enum ExitCode { kAnswered = 0, kOther = 1, kBadInput = 2, kNumerics = 3, kSignal = 128 };

/// Runs the verb that the command line names; returns an exit code.
using Action = std::function<int()>;

void add_models_verb(CLI::App& app, Action& run);
void add_classify_verb(CLI::App& app, Action& run);
void add_paradox_verb(CLI::App& app, Action& run);
void add_critical_friction_verb(CLI::App& app, Action& run);
void add_simulate_verb(CLI::App& app, Action& run);
void add_stability_verb(CLI::App& app, Action& run);
void add_stability_map_verb(CLI::App& app, Action& run);
void add_outcomes_verb(CLI::App& app, Action& run);
void add_gait_verb(CLI::App& app, Action& run);
void add_impact_verb(CLI::App& app, Action& run);
void add_jam_verb(CLI::App& app, Action& run);
void add_reproduce_verb(CLI::App& app, Action& run);
void add_show_verb(CLI::App& app, Action& run);
void add_rerun_verb(CLI::App& app, Action& run);
void add_completion_verb(CLI::App& app, Action& run);
void add_manual_verb(CLI::App& app, Action& run);

}  // namespace slipstick::cli
