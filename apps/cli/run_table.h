#pragma once

#include <string>

#include "slipstick/sim/run.h"

namespace slipstick::cli {

/// Events, end and last state of a run, for readers.
[[nodiscard]] std::string describe_run(const Model& model, const Run& run);

}  // namespace slipstick::cli
