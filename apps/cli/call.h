#pragma once

#include <string>

#include "slipstick/io/call_values.h"

namespace slipstick::cli {

/// Runs this program with a line of arguments and `--json`, as a process of its own.
[[nodiscard]] CallAnswer call_program(const std::string& arguments);

}  // namespace slipstick::cli
