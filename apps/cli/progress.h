#pragma once

/// Progress of a long job, and its interruption.

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace slipstick::cli {

/// A line on a terminal, shown once a job has taken more than a second. Several threads may use it.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Shows what `make_line` returns, some times per second; `make_line` is not called in between.
  void tell(const std::function<std::string()>& make_line);

 private:
  std::mutex mutex_;
  bool speaks_, spoke_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// While it exists, Ctrl-C and `kill` are recorded and do not end the program.
class Interruption {
 public:
  Interruption();
  [[nodiscard]] static bool came();
  /// The exit code of a program that a signal ended.
  [[nodiscard]] static int exit_code();
};

}  // namespace slipstick::cli
