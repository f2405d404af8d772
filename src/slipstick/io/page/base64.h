#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slipstick {

/// Two letters for every 12 bits.
inline constexpr auto kBase64Pairs = [] {
  constexpr const char* kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kCount = 4096;
  std::array<std::array<char, 2>, kCount> out{};
  for (std::size_t i = 0; i < kCount; ++i) out[i] = {kLetters[i >> 6U], kLetters[i & 63U]};
  return out;
}();

/// RFC 4648, section 4.
[[nodiscard]] inline std::string encode_base64(const unsigned char* bytes, std::size_t count) {
  std::string out((count + 2) / 3 * 4, '=');
  std::size_t at = 0;
  const auto put = [&](std::uint32_t bits) {
    out[at] = kBase64Pairs[bits][0];
    out[at + 1] = kBase64Pairs[bits][1];
    at += 2;
  };
  std::size_t i = 0;
  for (; i + 3 <= count; i += 3) {
    const std::uint32_t word =
        std::uint32_t{bytes[i]} << 16U | std::uint32_t{bytes[i + 1]} << 8U | bytes[i + 2];
    put(word >> 12U);
    put(word & 4095U);
  }
  if (count - i == 1) put(std::uint32_t{bytes[i]} << 4U);
  if (count - i == 2) {
    const std::uint32_t word = std::uint32_t{bytes[i]} << 10U | std::uint32_t{bytes[i + 1]} << 2U;
    put(word >> 6U);
    out[at] = kBase64Pairs[word & 63U][1];
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
