#include "slipstick/io/text_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "slipstick/core/input_error.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 1U << 20U;
constexpr std::uintmax_t kMaxBinaryBytes = 1ULL << 32U;

/// The directories that have to be made for `directory`, deepest first.
std::vector<fs::path> list_missing(fs::path directory) {
  std::vector<fs::path> out;
  std::error_code error;  // a name too long: not there
  for (; !directory.empty() && !fs::exists(directory, error); directory = directory.parent_path()) {
    out.push_back(directory);
  }
  return out;
}

[[noreturn]] void throw_no_place(const std::string& path, const std::error_code& error) {
  throw InputError(path, "expected a place to write to, got an error: " +
                             (error ? error.message() : "the file could not be written"));
}

std::ifstream open_file(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path, "expected a file, got a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path, "expected a file that can be read, got none");
  return in;
}

}  // namespace

std::string read_text_file(const std::string& path) {
  std::ifstream in = open_file(path);
  std::string text(kMaxBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kMaxBytes) {
    throw InputError(path, "expected a file of at most 1 MiB, got a larger one");
  }
  if (text.find('\0') != std::string::npos) {
    throw InputError(path, "expected a text file, got zero bytes in it");
  }
  return text;
}

std::string read_binary_file(const std::string& path) {
  std::ifstream in = open_file(path);
  std::error_code error;
  // A device or a pipe may never end.
  if (!fs::is_regular_file(path, error)) {
    throw InputError(path, "expected a file, got something else");
  }
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size > kMaxBinaryBytes) {
    throw InputError(path, "expected a file of at most 4 GiB, got a larger one");
  }
  std::string out(size, '\0');
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

void check_directory(const std::string& path) {
  const std::vector<fs::path> missing = list_missing(path);
  const fs::path above = missing.empty() ? fs::path(path) : missing.back().parent_path();
  const std::string place = above.empty() ? "." : above.string();
  std::error_code error;
  if (!fs::is_directory(place, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error && access(place.c_str(), W_OK | X_OK) != 0) error = {errno, std::generic_category()};
  if (error) throw_no_place(path, error);
}

void write_text_files(const std::vector<TextFile>& files) {
  std::vector<fs::path> made;       // directories, the deepest first
  std::vector<fs::path> temporary;  // what there is to remove again
  std::error_code error;
  const auto fail = [&](const std::string& path) {
    std::error_code ignored;
    for (const fs::path& part : temporary) fs::remove(part, ignored);
    for (const fs::path& directory : made) fs::remove(directory, ignored);  // only if empty
    if (!error) error = {errno, std::generic_category()};
    throw_no_place(path, error);
  };
  for (const TextFile& file : files) {
    const fs::path target(file.path);
    const std::vector<fs::path> missing = list_missing(target.parent_path());
    made.insert(made.begin(), missing.begin(), missing.end());
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
    if (error) fail(file.path);
    std::error_code unknown;
    if (fs::is_directory(target, unknown)) {
      error = std::make_error_code(std::errc::is_a_directory);
      fail(file.path);
    }
    temporary.emplace_back(file.path + ".part");
    errno = 0;
    std::ofstream out(temporary.back(), std::ios::binary | std::ios::trunc);
    out << file.text;
    out.close();
    if (!out) fail(file.path);
  }
  for (const TextFile& file : files) {
    fs::rename(file.path + ".part", file.path, error);
    if (error) fail(file.path);
  }
}

}  // namespace slipstick
