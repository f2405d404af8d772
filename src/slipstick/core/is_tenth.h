#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace slipstick {

/// One of ten points, by the bits of its values, so that threads and their order change nothing:
/// those whose runs are checked against the laws.
[[nodiscard]] inline bool is_tenth(std::span<const double> values) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const double value : values) {
    hash ^= std::bit_cast<std::uint64_t>(value);
    hash *= 1099511628211ULL;
    hash ^= hash >> 32U;
  }
  return hash % 10 == 0;
}

}  // namespace slipstick
