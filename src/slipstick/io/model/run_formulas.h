#pragma once

/// Formulas of the command line over a model's parameters.

#include <map>
#include <string>
#include <vector>

#include "slipstick/analysis/observe/observable_rows.h"
#include "slipstick/model_file.h"
#include "slipstick/run.h"

namespace slipstick {

/// The parameters' values by name.
[[nodiscard]] std::map<std::string, double> list_parameters(const LoadedModel& loaded);

/// A number from an expression of parameters, such as "2*pi/w". Throws InputError at `where`.
[[nodiscard]] double eval_with_parameters(const LoadedModel& loaded, const std::string& where,
                                          const std::string& text);

/// "NAME = EXPR". Throws InputError.
[[nodiscard]] Observable parse_observable(const std::string& where, const std::string& text);

/// Adds observables to those of the model's file. Throws InputError.
void add_observables(LoadedModel& loaded, const std::vector<Observable>& observables);

/// Follows the model's observables along runs with trajectories.
void observe(const LoadedModel& loaded, double tolerance, RunTree& tree);

/// Their values at rows.
[[nodiscard]] ObservableRows make_observable_rows(const LoadedModel& loaded);

}  // namespace slipstick
