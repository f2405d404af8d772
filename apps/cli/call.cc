#include "call.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <sstream>
#include <vector>

namespace slipstick::cli {
namespace {

/// Claims files may come from anyone, so each call is limited. The longest built-in call takes
/// about 1 s of one core, and its document has 2 MB.
constexpr rlim_t kMaxSeconds = 60;            // of processor time, all threads together
constexpr rlim_t kMaxDocument = 256U << 20U;  // bytes
constexpr rlim_t kMaxMemory = 4ULL << 30U;    // bytes of address space
/// Sanitizers reserve terabytes of address space.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
constexpr bool kBoundsMemory = false;
#else
constexpr bool kBoundsMemory = true;
#endif
#elif defined(__SANITIZE_ADDRESS__)
constexpr bool kBoundsMemory = false;
#else
constexpr bool kBoundsMemory = true;
#endif

void limit(pid_t child, __rlimit_resource what, rlim_t most) {
  const rlimit bounds{most, most};
  // Fails only if the child has already ended; it needs no limits then.
  (void)prlimit(child, what, &bounds, nullptr);
}

/// An unnamed temporary file that collects a process's output.
class Catcher {
 public:
  Catcher() : file_(std::tmpfile()) {
    if (file_ == nullptr) throw std::runtime_error("no temporary file could be made");
  }
  Catcher(const Catcher&) = delete;
  Catcher& operator=(const Catcher&) = delete;
  ~Catcher() { (void)std::fclose(file_); }

  [[nodiscard]] int descriptor() const { return fileno(file_); }
  [[nodiscard]] std::string read() const {
    std::string out;
    std::array<char, 4096> part{};
    std::rewind(file_);
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), file_)) {
      out.append(part.data(), count);
    }
    return out;
  }

 private:
  std::FILE* file_;
};

/// Exit status, or minus the signal that ended it.
int run_process(std::vector<std::string> words, const Catcher& out, const Catcher& err) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error(std::strerror(failure));
  limit(child, RLIMIT_CPU, kMaxSeconds);
  limit(child, RLIMIT_FSIZE, kMaxDocument);
  limit(child, RLIMIT_CORE, 0);
  if (kBoundsMemory) limit(child, RLIMIT_AS, kMaxMemory);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// The limit that a process exceeded; empty if none. `said`: its standard error.
std::string describe_bound(int status, const std::string& said) {
  if (said.find("bad_alloc") != std::string::npos) {
    return fmt::format(
        "expected a call that needs at most {} bytes of memory, got one that needs more",
        kMaxMemory);
  }
  if (status == -SIGXCPU || status == -SIGKILL) {
    return fmt::format("expected an answer within {} s of processor time, got none", kMaxSeconds);
  }
  if (status != -SIGXFSZ) return "";
  return fmt::format("expected a document of at most {} bytes, got more", kMaxDocument);
}

}  // namespace

CallAnswer call_program(const std::string& arguments) {
  std::vector<std::string> words{"slipstick"};
  std::istringstream line(arguments);
  for (std::string word; line >> word;) words.push_back(word);
  words.emplace_back("--json");
  const Catcher out;
  const Catcher err;
  const int status = run_process(std::move(words), out, err);
  CallAnswer answer;
  if (status == 0) answer.document = Json::parse(out.read(), nullptr, false);
  if (status == 0 && !answer.document.is_discarded()) return answer;
  std::string said = err.read();
  answer.failure = describe_bound(status, said);
  if (!answer.failure.empty()) return answer;
  said.erase(said.find_last_not_of('\n') + 1);
  answer.failure = fmt::format("exit status {}: {}", status, said.empty() ? "no document" : said);
  return answer;
}

}  // namespace slipstick::cli
