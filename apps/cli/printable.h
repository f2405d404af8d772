#pragma once

#include <string>
#include <string_view>

namespace slipstick::cli {

/// A text for the terminal: names and titles of a file may contain what a terminal takes for a
/// command, or what turns the order of letters around. Such characters, and bytes that are not
/// UTF-8, are written as `\x1b` or `\u202e`; line ends and tabulators stay.
[[nodiscard]] std::string make_printable(std::string_view text);

}  // namespace slipstick::cli
