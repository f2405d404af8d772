#pragma once

#include <functional>
#include <string_view>

namespace slipstick {

/// Receives the bytes of a file part by part, in order, so that they need not all be in memory.
using ByteSink = std::function<void(std::string_view)>;

}  // namespace slipstick
