#pragma once

#include <string>

#include "slipstick/run.h"

namespace slipstick::cli {

/// Events, ends and last states as text; the runs of a tree are indented.
[[nodiscard]] std::string describe_runs(const Model& model, const RunTree& tree);

}  // namespace slipstick::cli
