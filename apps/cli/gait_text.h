#pragma once

#include <string>

#include "slipstick/gait_answer.h"
#include "slipstick/model_file.h"

namespace slipstick::cli {

/// The answer of `gait` in words.
[[nodiscard]] std::string describe_gait(const LoadedModel& loaded, const GaitAnswer& answer);

}  // namespace slipstick::cli
