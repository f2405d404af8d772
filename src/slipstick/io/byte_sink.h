#pragma once

#include <functional>
#include <string_view>

namespace slipstick {

/// Takes the bytes of a file part by part, in order, so that nobody has to hold them all.
using ByteSink = std::function<void(std::string_view)>;

}  // namespace slipstick
