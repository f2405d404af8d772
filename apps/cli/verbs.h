#pragma once

/// One function per verb: it adds the verb to the command line; what it parsed is run by `run`.

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace slipstick::cli {

/// Set by the verb that was named on the command line.
using Action = std::function<void()>;

void add_models_verb(CLI::App& app, Action& run);
void add_classify_verb(CLI::App& app, Action& run);
void add_paradox_verb(CLI::App& app, Action& run);
void add_critical_friction_verb(CLI::App& app, Action& run);

}  // namespace slipstick::cli
