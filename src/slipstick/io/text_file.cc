#include "slipstick/io/text_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "slipstick/errors.h"
#include "slipstick/io/descriptor.h"

namespace slipstick {
namespace {

constexpr std::uintmax_t kMaxBinaryBytes = 1ULL << 32U;

/// Does not wait for a writer if the file is a pipe.
Descriptor open_for_reading(const std::string& path) {
  Descriptor out(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat about {};
  if (!out.is_open() || fstat(out.get(), &about) != 0) {
    throw InputError(path, errno == ENOENT ? "expected a file that can be read, got none"
                                           : "expected a file that can be read, got an error: " +
                                                 describe_errno(errno));
  }
  if (S_ISDIR(about.st_mode)) throw InputError(path, "expected a file, got a directory");
  return out;
}

/// Waits until there is something to read, or its end; false after so many milliseconds (-1: any
/// number).
bool wait_for_input(const Descriptor& file, int milliseconds) {
  pollfd wanted{file.get(), POLLIN, 0};
  return poll(&wanted, 1, milliseconds) != 0;
}

/// True for a named pipe from which nothing has come for a while. If nobody opened it for writing,
/// a reader would wait forever.
bool is_silent_pipe(const Descriptor& file) {
  struct stat about {};
  if (fstat(file.get(), &about) != 0 || !S_ISFIFO(about.st_mode)) return false;
  constexpr int kPatience = 2000;  // ms: a writer started at the same time has opened it by then
  return !wait_for_input(file, kPatience);
}

/// Up to `most` bytes.
std::string read_bytes(const Descriptor& file, const std::string& path, std::size_t most) {
  std::string out;
  constexpr std::size_t kPart = 1U << 16U;
  for (std::size_t count = 0;;) {
    out.resize(std::min(most, count + std::max(kPart, count)));
    const ssize_t got = read(file.get(), out.data() + count, out.size() - count);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && wait_for_input(file, -1)) continue;
    if (got < 0) {
      throw InputError(path,
                       "expected a file that can be read, got an error: " + describe_errno(errno));
    }
    count += static_cast<std::size_t>(got);
    if (got > 0 && count < most) continue;
    out.resize(count);
    return out;
  }
}

}  // namespace

std::string read_text_file(const std::string& path) {
  const Descriptor in = open_for_reading(path);
  const bool silent = is_silent_pipe(in);
  std::string text =
      read_bytes(in, path, kMaxTextBytes + 1);  // waits for a writer, if there is one
  if (silent && text.empty()) {
    throw InputError(path, "expected a file, got a pipe that nobody writes to");
  }
  if (text.size() > kMaxTextBytes) {
    throw InputError(path, "expected a file of at most 1 MiB, got a larger one");
  }
  if (text.find('\0') != std::string::npos) {
    throw InputError(path, "expected a text file, got zero bytes in it");
  }
  return text;
}

std::string read_binary_file(const std::string& path) {
  const Descriptor in = open_for_reading(path);
  struct stat about {};
  if (fstat(in.get(), &about) != 0 || !S_ISREG(about.st_mode)) {
    throw InputError(path, "expected a file, got something else");
  }
  if (static_cast<std::uintmax_t>(about.st_size) > kMaxBinaryBytes) {
    throw InputError(path, "expected a file of at most 4 GiB, got a larger one");
  }
  return read_bytes(in, path, static_cast<std::size_t>(about.st_size));
}

}  // namespace slipstick
