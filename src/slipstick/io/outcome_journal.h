#pragma once

/// A file of the outcomes found so far, so that an interrupted job goes on where it was.

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "slipstick/io/descriptor.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/outcomes.h"

namespace slipstick {

/// Several threads may use it. The file has a line per outcome; the first line is the question.
class OutcomeJournal {
 public:
  /// Begins a file at this path after the first second, in place of one that is there: short jobs
  /// have none. With `resume` it goes on with that one. Throws InputError if there is none, if it
  /// has another question, if it is damaged, or if another process writes it.
  OutcomeJournal(std::string path, const Json& question, bool resume);

  /// The same function, which looks for the outcome in the file first and adds what it finds.
  [[nodiscard]] std::function<Outcome(std::span<const double>)> keep(
      std::function<Outcome(std::span<const double>)> find);

  /// Outcomes that the file had at the start.
  [[nodiscard]] std::size_t count() const { return known_.size(); }

  /// Writes what is not written yet, also of a short job. Throws InputError if the disk refuses it.
  void flush();
  /// Removes the file: the job is done.
  void remove();

 private:
  /// Opens the file, for this process alone.
  void take_file();
  void read(const std::string& text, const Json& question);
  void write();

  std::string path_;
  Descriptor file_;
  std::map<std::vector<double>, Outcome> known_;  ///< constant after the start
  std::mutex mutex_;
  std::string unwritten_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace slipstick
