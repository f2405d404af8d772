#pragma once

#include <string>
#include <string_view>

namespace slipstick::cli {

/// Makes a text safe for the terminal: names and titles from a file may contain control sequences
/// of the terminal or characters that reverse the order of letters. Such characters, and bytes that
/// are not UTF-8, are written as `\x1b` or `\u202e`; line ends and tabs stay.
[[nodiscard]] std::string make_printable(std::string_view text);

}  // namespace slipstick::cli
