#pragma once

#include <string>

#include "slipstick/io/json/outcomes_json.h"

namespace slipstick::cli {

/// The answer of `outcomes` in words.
[[nodiscard]] std::string describe_outcomes(const LoadedModel& loaded,
                                            const OutcomesAnswer& answer);

}  // namespace slipstick::cli
