#pragma once

#include <string>

namespace slipstick::cli {

/// Quotes a text as one word of a shell.
[[nodiscard]] std::string quote_for_shell(const std::string& text);

/// The same for a command that people read and copy: no quotes where none are needed, and control
/// characters escaped, because a terminal would obey them when they are pasted.
[[nodiscard]] std::string make_shell_word(const std::string& text);

}  // namespace slipstick::cli
