#pragma once

#include <algorithm>
#include <string>

#include "slipstick/errors.h"
#include "slipstick/words.h"

namespace slipstick {

/// The value that a word stands for. Throws InputError with all words.
template <class Enum, std::size_t count>
[[nodiscard]] Enum parse_word(const std::string& where, std::string_view word,
                              const Words<count>& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<Enum>(found - words.begin());
  std::string all(words[0]);
  for (std::size_t i = 1; i < count; ++i) {
    all += (i + 1 < count ? ", " : " or ") + std::string(words[i]);
  }
  throw InputError(where, "expected " + all + ", got '" + std::string(word) + "'");
}

}  // namespace slipstick
