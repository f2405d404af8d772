#pragma once

/// Model files as text, to be changed by a test before they are read.

#include <string>
#include <string_view>

namespace slipstick::testkit {

/// The text of a built-in model.
[[nodiscard]] std::string builtin_text(std::string_view name);

/// The text with its only `from` replaced; throws std::logic_error unless there is exactly one.
[[nodiscard]] std::string replace(std::string text, std::string_view from, std::string_view to);

/// Number, from 1, of the only line with `part`; throws std::logic_error unless there is one.
[[nodiscard]] int line_of(std::string_view text, std::string_view part);

/// `part` written `count` times.
[[nodiscard]] std::string repeat(std::string_view part, int count);

}  // namespace slipstick::testkit
