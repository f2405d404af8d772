#pragma once

/// NAME=A:B of the command line.

#include <string>

#include "slipstick/io/model_file.h"

namespace slipstick {

struct NamedRange {
  int coordinate = 0;
  bool is_rate = false;
  double low = 0.0, high = 0.0;
};

/// Parses NAME=A:B with expressions in the model's parameters; `option` starts error messages.
/// Throws InputError for an unknown name, an empty or reversed range, or a bad expression.
[[nodiscard]] NamedRange parse_range(const LoadedModel& loaded, const std::string& option,
                                     const std::string& text);

}  // namespace slipstick
