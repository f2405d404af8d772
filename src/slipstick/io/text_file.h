#pragma once

#include <string>

namespace slipstick {

/// Reads a small text file. Throws InputError if it is a directory, cannot be read, is larger than
/// 1 MiB, or contains zero bytes.
[[nodiscard]] std::string read_text_file(const std::string& path);

/// Writes a file so that it is either complete or not there: to a temporary beside it, then
/// renamed. Makes the directories. Throws InputError naming the path if that fails, and leaves
/// nothing behind.
void write_text_file(const std::string& path, const std::string& text);

}  // namespace slipstick
