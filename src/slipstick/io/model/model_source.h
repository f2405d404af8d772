#pragma once

#include "slipstick/model/spec.h"
#include "slipstick/model_file.h"

namespace slipstick {

/// What make_model makes the model of, before it is frozen.
[[nodiscard]] ModelSpec make_model_spec(const ModelSource& source);

}  // namespace slipstick
