#pragma once

/// The runs that golden files and tests of the scales look at: every built-in model as it stands.

#include <functional>
#include <string>
#include <utility>

#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model_file.h"
#include "slipstick/simulate.h"

namespace slipstick {

inline LoadedModel read(const BuiltinModel& builtin) {
  return read_model(std::string(builtin.name), {});
}

inline RunTree simulate_builtin(const LoadedModel& loaded,
                                std::function<bool(double)> keep_going = {}) {
  SimulationOptions options;
  options.keep_going = std::move(keep_going);
  options.until = 2.0;  // [s]
  return simulate_tree(*loaded.model, loaded.initial, options);
}

}  // namespace slipstick
