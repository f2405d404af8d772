#include "printable.h"

#include <fmt/format.h>

#include <cstdint>

namespace slipstick::cli {
namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< in bytes; 0: not UTF-8
};

Letter read_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return {};
  std::uint32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3fU);
  }
  const bool too_long = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool no_letter = (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return too_long || no_letter ? Letter{} : Letter{code, length};
}

bool is_plain(std::uint32_t code) {
  if (code == '\n' || code == '\t') return true;
  const bool controls = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns = code == 0x061c || code == 0x200e || code == 0x200f ||
                     (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !controls && !turns;
}

}  // namespace

std::string make_printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = read_letter(text);
    if (letter.length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (is_plain(letter.code)) {
      out += text.substr(0, letter.length);
    } else {
      out += letter.code < 0x80 ? fmt::format("\\x{:02x}", letter.code)
                                : fmt::format("\\u{:04x}", letter.code);
    }
    text.remove_prefix(letter.length == 0 ? 1 : letter.length);
  }
  return out;
}

}  // namespace slipstick::cli
