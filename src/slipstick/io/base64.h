#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slipstick {

/// RFC 4648, section 4.
[[nodiscard]] inline std::string encode_base64(const unsigned char* bytes, std::size_t count) {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((count + 2) / 3 * 4);
  for (std::size_t i = 0; i < count; i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k) word = word << 8U | (i + k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k) {
      out += i + k > count ? '=' : kLetters[word >> (18U - 6U * k) & 63U];
    }
  }
  return out;
}

/// The numbers' bytes, little-endian.
template <class Number>
[[nodiscard]] std::string encode_base64(const std::vector<Number>& numbers) {
  static_assert(std::endian::native == std::endian::little);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes may alias
  return encode_base64(reinterpret_cast<const unsigned char*>(numbers.data()),
                       numbers.size() * sizeof(Number));
}

}  // namespace slipstick
