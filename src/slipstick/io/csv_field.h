#pragma once

/// A field of comma separated text. Internal to io.

#include <string>

namespace slipstick {

/// RFC 4180: quoted where a comma, a quote or the end of a line is in it.
[[nodiscard]] inline std::string make_csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace slipstick
