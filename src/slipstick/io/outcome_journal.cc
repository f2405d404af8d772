#include "slipstick/io/outcome_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "slipstick/errors.h"
#include "slipstick/io/text_file.h"

namespace slipstick {
namespace {

/// A job that is killed loses no more than this.
constexpr auto kKept = std::chrono::seconds(1);

int open_journal(const std::string& path) {
  const std::filesystem::path directory = std::filesystem::path(path).parent_path();
  std::error_code error;  // if it fails, opening says why
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  constexpr mode_t kMode = 0666;  // as files of other programs, less the user's mask
  return open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, kMode);
}

Json make_line_of(std::span<const double> values, const Outcome& outcome) {
  Json margins = Json::array();
  for (const double margin : outcome.margins) margins.push_back(make_number(margin));
  Json at = Json::array();
  for (const double value : values) at.push_back(value);
  return Json::array({std::move(at), outcome.label, make_number(outcome.number), std::move(margins),
                      outcome.why, outcome.tolerance});
}

double read_number(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// Throws a JSON exception if the line is not what make_line_of() makes.
std::pair<std::vector<double>, Outcome> read_line(const std::string& line) {
  const Json json = Json::parse(line);
  Outcome out;
  out.label = json.at(1).get<std::string>();
  out.number = read_number(json.at(2));
  for (const Json& margin : json.at(3)) out.margins.push_back(read_number(margin));
  out.why = json.at(4).get<std::string>();
  out.tolerance = json.at(5).get<double>();
  return {json.at(0).get<std::vector<double>>(), std::move(out)};
}

/// The first key whose values differ, with both.
std::string describe_difference(const Json& before, const Json& now) {
  for (const auto& [key, value] : now.items()) {
    if (!before.contains(key)) return fmt::format("{} is new", key);
    if (before[key] != value) {
      return fmt::format("{} was {}, is {}", key, before[key].dump(), value.dump());
    }
  }
  return "it has a key that is unknown here";
}

}  // namespace

OutcomeJournal::OutcomeJournal(std::string path, const Json& question, bool resume)
    : path_(std::move(path)), file_(-1), next_(std::chrono::steady_clock::now() + kKept) {
  if (!resume) {
    unwritten_ = print_line(question);
    return;
  }
  if (!std::filesystem::is_regular_file(path_)) {
    throw InputError("--resume", "expected an interrupted job at '" + path_ + "', got none");
  }
  take_file();
  read(read_binary_file(path_), question);
}

void OutcomeJournal::take_file() {
  const int descriptor = open_journal(path_);
  if (descriptor < 0) {
    throw InputError(path_, "expected a file that can be written: " + describe_errno(errno));
  }
  file_.reset(descriptor);
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    throw InputError(path_, "expected a regular file or none, got something else");
  }
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    throw InputError(path_, "expected a job of its own, got one that another process works on");
  }
}

void OutcomeJournal::read(const std::string& text, const Json& question) {
  std::size_t number = 0;
  std::size_t start = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
    const std::string line = text.substr(start, end - start);
    start = end + 1;
    ++number;
    try {
      if (number > 1) {
        known_.insert(read_line(line));
        continue;
      }
      const Json before = Json::parse(line);
      if (before == question) continue;
      throw InputError("--resume", "expected the question of the interrupted job, got another: " +
                                       describe_difference(before, question));
    } catch (const Json::exception&) {
      throw InputError(fmt::format("{}:{}", path_, number),
                       "expected an outcome, got a damaged line");
    }
  }
  if (number == 0) {
    throw InputError(path_, "expected the question of the interrupted job, got none");
  }
  // The last line, if the job was killed while it wrote it.
  if (ftruncate(file_.get(), static_cast<off_t>(start)) != 0 ||
      lseek(file_.get(), 0, SEEK_END) < 0) {
    throw InputError(path_, "the file could not be continued: " + describe_errno(errno));
  }
}

std::function<Outcome(std::span<const double>)> OutcomeJournal::keep(
    std::function<Outcome(std::span<const double>)> find) {
  return [this, find = std::move(find)](std::span<const double> values) {
    const auto known = known_.find({values.begin(), values.end()});
    if (known != known_.end()) return known->second;
    Outcome out = find(values);
    if (out.label.empty()) return out;
    const std::string line = print_line(make_line_of(values, out));
    const std::lock_guard lock(mutex_);
    unwritten_ += line;
    if (std::chrono::steady_clock::now() >= next_) write();
    return out;
  };
}

void OutcomeJournal::flush() {
  const std::lock_guard lock(mutex_);
  write();
}

void OutcomeJournal::write() {
  if (file_.get() < 0) {
    take_file();
    if (ftruncate(file_.get(), 0) != 0) {
      throw InputError(path_, "the file could not be emptied: " + describe_errno(errno));
    }
  }
  std::string_view left = unwritten_;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      throw InputError(path_, "the file could not be written: " + describe_errno(errno));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  unwritten_.clear();
  next_ = std::chrono::steady_clock::now() + kKept;
}

void OutcomeJournal::remove() {
  if (file_.get() < 0) return;
  if (unlink(path_.c_str()) != 0) {
    throw InputError(path_, "the file could not be removed: " + describe_errno(errno));
  }
}

}  // namespace slipstick
