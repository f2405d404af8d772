#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include "slipstick/errors.h"
#include "slipstick/io/descriptor.h"
#include "slipstick/io/text_file.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_no_place(const std::string& path, int code) {
  throw InputError(path, "expected a place to write to, got an error: " + describe_errno(code));
}

/// The directories that have to be made for `directory`, deepest first.
std::vector<fs::path> list_missing(fs::path directory) {
  std::vector<fs::path> out;
  std::error_code error;  // a name too long: not there
  for (; !directory.empty() && !fs::exists(directory, error); directory = directory.parent_path()) {
    out.push_back(directory);
  }
  return out;
}

fs::path find_directory(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent;
}

/// The path from the root, without links; its last parts need not exist.
fs::path find_real_path(const fs::path& path, std::error_code& error) {
  const fs::path from_root = fs::absolute(path, error);
  return error ? fs::path() : fs::weakly_canonical(from_root, error);
}

/// Checks that a path is free or names a regular file.
void check_replaceable(const fs::path& path, const std::string& told) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  if (type == fs::file_type::not_found || type == fs::file_type::regular) return;
  if (type == fs::file_type::directory) throw_no_place(told, EISDIR);
  if (type == fs::file_type::none) throw_no_place(told, error.value());
  throw InputError(told,
                   fmt::format("expected a file to replace or nothing, got {}",
                               type == fs::file_type::symlink ? "a link" : "a device or a pipe"));
}

// --- directories in which files are made ---

constexpr std::string_view kStagingPrefix = ".slipstick-";
constexpr std::size_t kStagingDigits = 16;

bool is_staging_name(const std::string& name) {
  return name.size() == kStagingPrefix.size() + kStagingDigits &&
         name.starts_with(kStagingPrefix) &&
         name.find_first_not_of("0123456789abcdef", kStagingPrefix.size()) == std::string::npos;
}

/// The directory is locked as long as the result exists. It is not open if there is no directory.
Descriptor lock_directory(const fs::path& path) {
  for (;;) {
    Descriptor out(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!out.is_open()) return out;
    while (flock(out.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    // Another directory may have been put in its place meanwhile.
    struct stat locked {};
    struct stat there {};
    if (fstat(out.get(), &locked) == 0 && stat(path.c_str(), &there) == 0 &&
        locked.st_ino == there.st_ino && locked.st_dev == there.st_dev) {
      return out;
    }
  }
}

void remove_staging(const fs::path& path) {
  std::error_code ignored;
  for (fs::directory_iterator it(path, ignored), end; it != end; it.increment(ignored)) {
    fs::remove(it->path(), ignored);
  }
  fs::remove(path, ignored);
}

/// Removes what killed processes have left. Running processes hold a lock on theirs.
void remove_abandoned(const fs::path& place) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (fs::directory_iterator it(place, ignored), end; it != end; it.increment(ignored)) {
    if (is_staging_name(it->path().filename().string())) found.push_back(it->path());
  }
  for (const fs::path& path : found) {
    const Descriptor directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (directory.is_open() && flock(directory.get(), LOCK_EX | LOCK_NB) == 0) remove_staging(path);
  }
}

/// Makes and locks a new directory with a name that cannot be guessed.
Descriptor make_staging(const fs::path& place, fs::path& path) {
  std::random_device random;
  for (;;) {
    path = place / fmt::format("{}{:08x}{:08x}", kStagingPrefix, random(), random());
    constexpr mode_t kAll = 0777;  // less the user's mask
    if (mkdir(path.c_str(), kAll) != 0) {
      if (errno == EEXIST) continue;
      throw_no_place(place.string(), errno);
    }
    Descriptor out(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const bool locked = out.is_open() && flock(out.get(), LOCK_EX | LOCK_NB) == 0;
    struct stat about {};
    // A process that cleans up may have removed it before it was locked.
    const bool there = out.is_open() && fstat(out.get(), &about) == 0 && about.st_nlink > 0;
    if (there && (locked || errno != EWOULDBLOCK)) return out;
  }
}

/// Joins small parts into large writes.
class FileWriter {
 public:
  FileWriter(const Descriptor& out, const std::string& path) : out_(out), path_(path) {}

  void add(std::string_view bytes) {
    constexpr std::size_t kRoom = 1U << 18U;
    if (waiting_.size() + bytes.size() > kRoom) flush();
    if (bytes.size() > kRoom) {
      write_all(bytes);
    } else {
      waiting_ += bytes;
    }
  }
  void flush() {
    write_all(waiting_);
    waiting_.clear();
  }

 private:
  void write_all(std::string_view rest) const {
    while (!rest.empty()) {
      const ssize_t count = write(out_.get(), rest.data(), rest.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw_no_place(path_, count < 0 ? errno : ENOSPC);
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  const Descriptor& out_;
  const std::string& path_;
  std::string waiting_;
};

void write_file(const Descriptor& directory, const std::string& name, const TextFile& file) {
  constexpr mode_t kAll = 0666;  // less the user's mask
  const Descriptor out(openat(directory.get(), name.c_str(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kAll));
  if (!out.is_open()) throw_no_place(file.path, errno);
  FileWriter writer(out, file.path);
  if (file.write) {
    file.write([&](std::string_view bytes) { writer.add(bytes); });
  } else {
    writer.add(file.text);
  }
  writer.flush();
  // Disk errors may be reported only here. File systems that cannot synchronise return EINVAL.
  if (fdatasync(out.get()) != 0 && errno != EINVAL) throw_no_place(file.path, errno);
}

// --- the files of one directory ---

/// Files on their way to one directory. Unless they are installed, they are removed.
class FileSet {
 public:
  FileSet(fs::path directory, const std::function<void()>& between)
      : directory_(std::move(directory)), between_(between) {}
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;
  ~FileSet() {
    if (!staging_.empty()) remove_staging(staging_);
    std::error_code ignored;
    for (const fs::path& made : made_) fs::remove(made, ignored);  // only if empty
  }

  [[nodiscard]] const fs::path& directory() const { return directory_; }

  void add(const TextFile& file) {
    if (!names_.insert(find_name(file)).second) {
      throw InputError(file.path, "expected different files to write, got one twice");
    }
    check_replaceable(directory_ / find_name(file), file.path);
    files_.push_back(&file);
  }

  /// Writes the files into a directory of their own, which no other process uses.
  void stage() {
    const fs::path place = can_be_exchanged() ? directory_.parent_path() : directory_;
    make_directories(place);
    remove_abandoned(place);
    {
      // Without the lock another process could exchange `place` meanwhile, and the new directory
      // with it.
      const Descriptor lock = lock_directory(place);
      staging_lock_.emplace(make_staging(place, staging_));
    }
    step();
    for (const TextFile* file : files_) {
      write_file(*staging_lock_, find_name(*file), *file);
      step();
    }
  }

  /// Moves the files to their places.
  void install() {
    if (staging_.parent_path() == directory_ || !exchange()) move_each();
    made_.clear();
  }

 private:
  static std::string find_name(const TextFile& file) {
    return fs::path(file.path).filename().string();
  }
  void step() const {
    if (between_) between_();
  }

  void make_directories(const fs::path& place) {
    made_ = list_missing(place);
    std::error_code error;
    fs::create_directories(place, error);
    if (error) throw_no_place(files_.front()->path, error.value());
    step();
  }

  /// True if the directory does not exist or holds only files of this set, so that a new one can
  /// take its place. False for the working directory, because the user's shell would keep showing
  /// the old one, and for a mount point.
  [[nodiscard]] bool can_be_exchanged() const {
    struct stat there {};
    struct stat above {};
    struct stat working {};
    const fs::path parent = directory_.parent_path();
    if (files_.size() < 2 || parent == directory_) return false;
    if (stat(directory_.c_str(), &there) != 0) return true;
    if (stat(parent.c_str(), &above) != 0 || access(parent.c_str(), W_OK | X_OK) != 0 ||
        stat(".", &working) != 0 || above.st_dev != there.st_dev || there.st_uid != geteuid() ||
        (there.st_dev == working.st_dev && there.st_ino == working.st_ino)) {
      return false;
    }
    return holds_only_ours();
  }
  [[nodiscard]] bool holds_only_ours() const {
    std::error_code error;
    for (fs::directory_iterator it(directory_, error), end; !error && it != end;
         it.increment(error)) {
      if (!fs::is_regular_file(it->symlink_status(error)) ||
          names_.count(it->path().filename().string()) == 0) {
        return false;
      }
    }
    return !error;
  }

  /// Replaces the whole directory at once. Returns false, with nothing changed, if that must not or
  /// cannot be done.
  bool exchange() {
    for (;;) {
      const Descriptor lock = lock_directory(directory_);
      if (!lock.is_open()) {
        if (rename(staging_.c_str(), directory_.c_str()) == 0) {
          staging_.clear();
          staging_lock_.reset();
          step();
          return true;
        }
        if (errno == EEXIST || errno == ENOTEMPTY) continue;  // another process was faster
        throw_no_place(directory_.string(), errno);
      }
      if (!can_be_exchanged() || !take_permissions(lock)) return false;
      if (renameat2(AT_FDCWD, staging_.c_str(), AT_FDCWD, directory_.c_str(), RENAME_EXCHANGE) !=
          0) {
        return false;
      }
      staging_lock_.reset();
      step();
      keep_others();
      return true;
    }
  }
  [[nodiscard]] bool take_permissions(const Descriptor& from) const {
    constexpr mode_t kPermissions = 07777;
    struct stat before {};
    struct stat ours {};
    return fstat(from.get(), &before) == 0 && fstat(staging_lock_->get(), &ours) == 0 &&
           before.st_gid == ours.st_gid &&
           fchmod(staging_lock_->get(), before.st_mode & kPermissions) == 0;
  }
  /// Keeps what another program put there just before the exchange; the rest is removed later.
  void keep_others() const {
    std::error_code ignored;
    for (fs::directory_iterator it(staging_, ignored), end; it != end; it.increment(ignored)) {
      const fs::path name = it->path().filename();
      if (names_.count(name.string()) > 0) continue;
      (void)renameat2(AT_FDCWD, it->path().c_str(), AT_FDCWD, (directory_ / name).c_str(),
                      RENAME_NOREPLACE);
    }
  }

  /// Moves one file after the other, under a lock.
  void move_each() {
    std::error_code error;
    fs::create_directory(directory_, error);
    const Descriptor lock = lock_directory(directory_);
    for (const TextFile* file : files_)
      check_replaceable(directory_ / find_name(*file), file->path);
    for (const TextFile* file : files_) {
      const std::string name = find_name(*file);
      if (renameat(staging_lock_->get(), name.c_str(), lock.get(), name.c_str()) != 0) {
        throw_no_place(file->path, errno);
      }
      step();
    }
  }

  fs::path directory_;  ///< without links
  const std::function<void()>& between_;
  std::vector<const TextFile*> files_;
  std::set<std::string> names_;
  std::vector<fs::path> made_;  ///< directories, deepest first
  fs::path staging_;
  std::optional<Descriptor> staging_lock_;
};

}  // namespace

void check_directory(const std::string& path) {
  const std::vector<fs::path> missing = list_missing(path);
  const fs::path above = missing.empty() ? fs::path(path) : missing.back().parent_path();
  const std::string place = above.empty() ? "." : above.string();
  std::error_code error;
  if (!fs::is_directory(place, error)) throw_no_place(path, ENOTDIR);
  if (access(place.c_str(), W_OK | X_OK) != 0) throw_no_place(path, errno);
}

void check_output_file(const std::string& path) {
  if (fs::path(path).filename().empty()) throw_no_place(path, EISDIR);
  try {
    check_directory(find_directory(path).string());
  } catch (const InputError& error) {
    throw InputError(path, error.what());
  }
  check_replaceable(path, path);
}

void write_text_files(const std::vector<TextFile>& files, const std::function<void()>& between) {
  std::vector<std::unique_ptr<FileSet>> sets;
  for (const TextFile& file : files) {
    std::error_code error;
    const fs::path directory = find_real_path(find_directory(file.path), error);
    if (error) throw_no_place(file.path, error.value());
    auto found = std::find_if(sets.begin(), sets.end(),
                              [&](const auto& set) { return set->directory() == directory; });
    if (found == sets.end()) {
      sets.push_back(std::make_unique<FileSet>(directory, between));
      found = sets.end() - 1;
    }
    (*found)->add(file);
  }
  for (const auto& set : sets) set->stage();
  for (const auto& set : sets) set->install();
}

}  // namespace slipstick
