#pragma once

/// Modes as people read them, a letter per contact: F free, S stick, P slip along +t, N slip along
/// -t. For output, and for the sentences that the library makes itself: nothing is decided by a
/// letter.
///
///     std::cout << to_letters(event.modes_after) << '\n';  // "SF": the first contact sticks

#include <string>
#include <string_view>
#include <vector>

#include "slipstick/mode_word.h"

namespace slipstick {

/// In the order of ContactMode.
inline constexpr std::string_view kModeLetters = "FNPS";

/// The letter of one contact.
[[nodiscard]] constexpr std::string_view to_letter(ContactMode mode) {
  return kModeLetters.substr(static_cast<std::size_t>(mode), 1);
}

/// The letters of all contacts.
[[nodiscard]] inline std::string to_letters(const ModeWord& word) {
  std::string out;
  for (const ContactMode mode : word) out += to_letter(mode);
  return out;
}
/// The same of several words.
[[nodiscard]] inline std::vector<std::string> to_letters(const std::vector<ModeWord>& words) {
  std::vector<std::string> out;
  for (const ModeWord& word : words) out.push_back(to_letters(word));
  return out;
}

}  // namespace slipstick
