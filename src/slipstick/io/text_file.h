#pragma once

#include <string>
#include <vector>

namespace slipstick {

/// Reads a small text file. Throws InputError if it is a directory, cannot be read, is larger than
/// 1 MiB, or contains zero bytes.
[[nodiscard]] std::string read_text_file(const std::string& path);

/// Reads a file of any bytes into memory. Throws InputError if it is no file, cannot be read, or is
/// larger than 4 GiB.
[[nodiscard]] std::string read_binary_file(const std::string& path);

struct TextFile {
  std::string path, text;
};

/// Throws InputError if no directory is at this path and none can be made there, or if it may not
/// be written to; for use before a long computation, changes nothing.
void check_directory(const std::string& path);

/// Writes files so that each is either complete or not there, and none is replaced before all are
/// complete: to temporaries beside them, then renamed. Makes the directories. Throws InputError
/// naming the path if that fails; then nothing new is left behind.
void write_text_files(const std::vector<TextFile>& files);

}  // namespace slipstick
