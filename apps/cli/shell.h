#pragma once

#include <string>

namespace slipstick::cli {

/// A text as one word of a shell.
[[nodiscard]] inline std::string quote_for_shell(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace slipstick::cli
