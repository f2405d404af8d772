#pragma once

/// Words for the values of an enumeration, as documents and options have them. They are written
/// once, beside the enumeration, in the order of its values.
///
///     find_word(slipstick::kEventTypes, slipstick::EventType::kLiftoff)  // "liftoff"

#include <array>
#include <cstddef>
#include <string_view>

namespace slipstick {

/// One word per value.
template <std::size_t count>
using Words = std::array<std::string_view, count>;

/// The word of a value.
template <class Enum, std::size_t count>
[[nodiscard]] constexpr std::string_view find_word(const Words<count>& words, Enum value) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace slipstick
