#include "slipstick/io/text_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "slipstick/core/input_error.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBytes = 1U << 20U;

/// The directories that have to be made for `directory`, deepest first.
std::vector<fs::path> list_missing(fs::path directory) {
  std::vector<fs::path> out;
  std::error_code error;  // a name too long: not there
  for (; !directory.empty() && !fs::exists(directory, error); directory = directory.parent_path()) {
    out.push_back(directory);
  }
  return out;
}

}  // namespace

std::string read_text_file(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InputError(path, "expected a file, got a directory");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(path, "expected a file that can be read, got none");
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

void write_text_file(const std::string& path, const std::string& text) {
  const fs::path target(path);
  const fs::path temporary(path + ".part");
  const std::vector<fs::path> missing = list_missing(target.parent_path());
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (out) fs::rename(temporary, target, error);
  if (!out || error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    for (const fs::path& made : missing) fs::remove(made, ignored);  // only if empty
    throw InputError(path, "expected a place to write to, got an error: " +
                               (error ? error.message() : "the file could not be written"));
  }
}

}  // namespace slipstick
