#pragma once

#include <string>

namespace slipstick::cli {

/// A text as one word of a shell.
[[nodiscard]] std::string quote_for_shell(const std::string& text);

/// The same for a command that people read and copy: without quotes where none are needed, and
/// with control characters written out, which a terminal would obey as they are pasted.
[[nodiscard]] std::string make_shell_word(const std::string& text);

}  // namespace slipstick::cli
