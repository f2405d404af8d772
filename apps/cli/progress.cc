#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "verbs.h"

namespace slipstick::cli {
namespace {

// A signal handler may write to nothing but such a global variable.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
volatile std::sig_atomic_t caught_signal = 0;
extern "C" void catch_signal(int signal) { caught_signal = signal; }

}  // namespace

Progress::Progress()
    : speaks_(isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (spoke_) fmt::print(stderr, "\r\033[K");
}

void Progress::tell(const std::function<std::string()>& make_line) {
  if (!speaks_) return;
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  fmt::print(stderr, "\r{}", make_line());
  spoke_ = true;
}

Interruption::Interruption() {
  std::signal(SIGINT, catch_signal);
  std::signal(SIGTERM, catch_signal);
}

bool Interruption::came() { return caught_signal != 0; }

int Interruption::exit_code() { return kSignal + caught_signal; }

}  // namespace slipstick::cli
