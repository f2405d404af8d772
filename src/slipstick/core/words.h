#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace slipstick {

/// Words for the values of an enumeration, in their order: written once, read and printed with it.
template <std::size_t count>
using Words = std::array<std::string_view, count>;

template <class Enum, std::size_t count>
[[nodiscard]] constexpr std::string_view find_word(const Words<count>& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace slipstick
