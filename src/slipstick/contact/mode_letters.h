#pragma once

/// Modes as people read them, a letter per contact: F free, S stick, P slip along +t, N slip along
/// -t. For output, and for the sentences that the library makes itself: nothing is decided by a
/// letter. The way back is `parse_modes` in io/parse_modes.h.

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/contact/mode_word.h"

namespace slipstick {

/// In the order of ContactMode.
inline constexpr std::string_view kModeLetters = "FNPS";

[[nodiscard]] constexpr std::string_view to_letter(ContactMode mode) {
  return kModeLetters.substr(static_cast<std::size_t>(mode), 1);
}

[[nodiscard]] inline std::string to_letters(const ModeWord& word) {
  std::string out;
  for (const ContactMode mode : word) out += to_letter(mode);
  return out;
}
[[nodiscard]] inline std::vector<std::string> to_letters(const std::vector<ModeWord>& words) {
  std::vector<std::string> out;
  for (const ModeWord& word : words) out.push_back(to_letters(word));
  return out;
}

}  // namespace slipstick
