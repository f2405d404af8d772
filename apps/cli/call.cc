#include "call.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <sstream>
#include <vector>

namespace slipstick::cli {
namespace {

/// A temporary file without a name that takes a process's output.
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
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  pid_t child = 0;
  const int failure =
      posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) throw std::runtime_error(std::strerror(failure));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
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
  said.erase(said.find_last_not_of('\n') + 1);
  answer.failure = fmt::format("exit status {}: {}", status, said.empty() ? "no document" : said);
  return answer;
}

}  // namespace slipstick::cli
