#pragma once

#include <span>
#include <string>
#include <string_view>

namespace slipstick {

/// Finds the name closest to `name` in edit distance; empty if none is close enough to be a typo.
[[nodiscard]] std::string find_nearest_name(std::string_view name,
                                            std::span<const std::string> known);

/// Makes "; did you mean 'known'?" or nothing, to end a sentence about an unknown name.
[[nodiscard]] std::string make_suggestion(std::string_view name,
                                          std::span<const std::string> known);

}  // namespace slipstick
