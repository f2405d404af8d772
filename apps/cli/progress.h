#pragma once

/// What a long job tells while it runs, and how it is interrupted.

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace slipstick::cli {

/// A line on a terminal, once a job has taken more than a second; may be told by several threads.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Tells what `make_line` returns, some times per second; else it is not called.
  void tell(const std::function<std::string()>& make_line);

 private:
  std::mutex mutex_;
  bool speaks_, spoke_ = false;
  std::chrono::steady_clock::time_point next_;
};

/// From here on Ctrl-C and `kill` are noted, not obeyed.
class Interruption {
 public:
  Interruption();
  [[nodiscard]] static bool came();
  /// Of a program that ended for this reason.
  [[nodiscard]] static int exit_code();
};

}  // namespace slipstick::cli
