#pragma once

#include <functional>
#include <string>
#include <vector>

#include "slipstick/io/byte_sink.h"

namespace slipstick {

/// Limit of a text that is read; no model and no claims file is larger.
inline constexpr std::size_t kMaxTextBytes = 1U << 20U;

/// Reads a small text file. Throws InputError if it is a directory, cannot be read, is larger than
/// 1 MiB, contains zero bytes, or is a pipe that nobody writes to.
[[nodiscard]] std::string read_text_file(const std::string& path);

/// Reads a file of any bytes into memory. Throws InputError if it is no regular file (a pipe or a
/// device may never end), cannot be read, or is larger than 4 GiB.
[[nodiscard]] std::string read_binary_file(const std::string& path);

struct TextFile {
  std::string path, text;
  /// If set, passes the whole content of the file to the sink; `text` is then not used.
  std::function<void(const ByteSink&)> write{};
};

/// Checks a directory before a long computation, and changes nothing: throws InputError if there is
/// none at this path and none can be made, or if it is not writable.
void check_directory(const std::string& path);
/// The same for a file: checks its directory, and that only a regular file would be replaced.
void check_output_file(const std::string& path);

/// Writes a set of files, docs/formats.md#files. The files of one directory appear together, even
/// if the process is killed or another one writes them at the same time. If the directory holds
/// other things, each file appears whole. Makes missing directories, follows no links, replaces
/// only regular files. If that fails, throws InputError with the path and the system's reason, and
/// nothing has changed. `between` is called between any two changes on the disk, for tests.
void write_text_files(const std::vector<TextFile>& files,
                      const std::function<void()>& between = {});

}  // namespace slipstick
