#pragma once

#include "slipstick/model/spec.h"
#include "slipstick/model_file.h"

namespace slipstick {

/// The specification that make_model gets, before the model is frozen.
[[nodiscard]] ModelSpec make_model_spec(const ModelSource& source);

}  // namespace slipstick
