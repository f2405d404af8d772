#pragma once

/// Modes from their letters: mode_letters.h.

#include <optional>
#include <string_view>

#include "slipstick/mode_letters.h"

namespace slipstick {

/// Nothing unless each letter is F, S, P or N, and there are not too many.
[[nodiscard]] inline std::optional<ModeWord> parse_modes(std::string_view letters) {
  if (letters.size() > ModeWord::kMost) return std::nullopt;
  ModeWord out(letters.size());
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t mode = kModeLetters.find(letters[i]);
    if (mode == std::string_view::npos) return std::nullopt;
    out.set(i, static_cast<ContactMode>(mode));
  }
  return out;
}

}  // namespace slipstick
