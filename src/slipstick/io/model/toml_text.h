#pragma once

#include <toml++/toml.h>

#include <string>

namespace slipstick {

/// Parses a file's text; `what` it should hold, for messages ("a model"). Throws InputError with
/// the line.
[[nodiscard]] toml::table parse_toml(const std::string& file, const std::string& text,
                                     const std::string& what);

}  // namespace slipstick
