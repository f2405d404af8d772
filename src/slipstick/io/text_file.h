#pragma once

#include <functional>
#include <string>
#include <vector>

#include "slipstick/io/byte_sink.h"

namespace slipstick {

/// Of a text that is read: no model or list of claims has more.
inline constexpr std::size_t kMaxTextBytes = 1U << 20U;

/// Reads a small text file. Throws InputError if it is a directory, cannot be read, is larger than
/// 1 MiB, contains zero bytes, or is a pipe that nobody writes to.
[[nodiscard]] std::string read_text_file(const std::string& path);

/// Reads a file of any bytes into memory. Throws InputError if it is no regular file (a pipe or a
/// device may never end), cannot be read, or is larger than 4 GiB.
[[nodiscard]] std::string read_binary_file(const std::string& path);

struct TextFile {
  std::string path, text;
  /// If there is one: gives the sink all that is in the file, instead of `text`.
  std::function<void(const ByteSink&)> write{};
};

/// For use before a long computation, changes nothing: throws InputError if no directory is at this
/// path and none can be made there, or if it may not be written to.
void check_directory(const std::string& path);
/// The same of a file: its directory, and that only a file would be replaced.
void check_output_file(const std::string& path);

/// Writes a set of files, docs/formats.md#files. Those of one directory appear together, also if
/// the process is killed or another one writes them at the same time, unless the directory holds
/// other things: then each appears whole. Makes the directories, follows no links, replaces nothing
/// but files. Throws InputError naming the path and the system's reason if that fails; then
/// nothing has changed. `between` is called between any two changes on the disk, for tests.
void write_text_files(const std::vector<TextFile>& files,
                      const std::function<void()>& between = {});

}  // namespace slipstick
