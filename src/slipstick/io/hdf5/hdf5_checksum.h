#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace slipstick {

/// The checksum of HDF5's metadata: B. Jenkins's lookup3, `hashlittle`, starting from 0.
[[nodiscard]] inline std::uint32_t eval_hdf5_checksum(std::string_view bytes) {
  constexpr std::uint32_t kStart = 0xdeadbeef;
  constexpr std::size_t kBlock = 12;
  std::uint32_t a = kStart + static_cast<std::uint32_t>(bytes.size());
  std::uint32_t b = a;
  std::uint32_t c = a;
  const auto word = [&](std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i) {
      out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    }
    return out;
  };
  const auto add_block = [&] {
    a += word(0);
    b += word(4);
    c += word(8);
  };
  for (; bytes.size() > kBlock; bytes.remove_prefix(kBlock)) {
    add_block();
    a = (a - c) ^ std::rotl(c, 4);
    c += b;
    b = (b - a) ^ std::rotl(a, 6);
    a += c;
    c = (c - b) ^ std::rotl(b, 8);
    b += a;
    a = (a - c) ^ std::rotl(c, 16);
    c += b;
    b = (b - a) ^ std::rotl(a, 19);
    a += c;
    c = (c - b) ^ std::rotl(b, 4);
    b += a;
  }
  if (bytes.empty()) return c;
  add_block();
  c = (c ^ b) - std::rotl(b, 14);
  a = (a ^ c) - std::rotl(c, 11);
  b = (b ^ a) - std::rotl(a, 25);
  c = (c ^ b) - std::rotl(b, 16);
  a = (a ^ c) - std::rotl(c, 4);
  b = (b ^ a) - std::rotl(a, 14);
  return (c ^ b) - std::rotl(b, 24);
}

}  // namespace slipstick
