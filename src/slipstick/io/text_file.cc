#include "slipstick/io/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "slipstick/core/input_error.h"
#include "slipstick/io/descriptor.h"

namespace slipstick {
namespace {

constexpr std::uintmax_t kMaxBinaryBytes = 1ULL << 32U;

/// Without `O_NONBLOCK` in the flags this waits for who writes to a pipe.
Descriptor open_for_reading(const std::string& path, int flags) {
  Descriptor out(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags));
  struct stat about {};
  if (!out.is_open() || fstat(out.get(), &about) != 0) {
    throw InputError(path, errno == ENOENT ? "expected a file that can be read, got none"
                                           : "expected a file that can be read, got an error: " +
                                                 describe_errno(errno));
  }
  if (S_ISDIR(about.st_mode)) throw InputError(path, "expected a file, got a directory");
  return out;
}

/// Up to `most` bytes.
std::string read_bytes(const Descriptor& file, const std::string& path, std::size_t most) {
  std::string out;
  constexpr std::size_t kPart = 1U << 16U;
  for (std::size_t count = 0;;) {
    out.resize(std::min(most, count + std::max(kPart, count)));
    const ssize_t got = read(file.get(), out.data() + count, out.size() - count);
    if (got < 0 && errno == EINTR) continue;
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
  std::string text = read_bytes(open_for_reading(path, 0), path, kMaxTextBytes + 1);
  if (text.size() > kMaxTextBytes) {
    throw InputError(path, "expected a file of at most 1 MiB, got a larger one");
  }
  if (text.find('\0') != std::string::npos) {
    throw InputError(path, "expected a text file, got zero bytes in it");
  }
  return text;
}

std::string read_binary_file(const std::string& path) {
  const Descriptor in = open_for_reading(path, O_NONBLOCK);
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
