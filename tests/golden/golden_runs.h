#pragma once

/// The runs that golden files and tests of the scales look at: every built-in model as it stands.

#include <string>

#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model_file.h"
#include "slipstick/simulate.h"

namespace slipstick {

inline LoadedModel read(const BuiltinModel& builtin) {
  return read_model(std::string(builtin.name), {});
}

inline RunTree simulate_builtin(const LoadedModel& loaded) {
  SimulationOptions options;
  options.until = 2.0;  // [s]
  return simulate_tree(*loaded.model, loaded.initial, options);
}

}  // namespace slipstick
