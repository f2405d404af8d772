#pragma once

/// The mechanical part of a model file: TOML tables to a ModelSpec (docs/model-format.md).

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "slipstick/io/model/table_reader.h"
#include "slipstick/model/spec.h"
#include "slipstick/observable.h"

namespace slipstick {

/// Names of all joints' coordinates in the model's order. Needs no numbers, so it comes first.
[[nodiscard]] std::vector<std::string> read_coordinate_names(Document& document,
                                                             const toml::table& root);

/// Everything but parameters and initial values.
[[nodiscard]] ModelSpec read_model_spec(Document& document, const toml::table& root);

/// The tables `observe`, as texts.
[[nodiscard]] std::vector<Observable> read_observables(Document& document, const toml::table& root);

}  // namespace slipstick
