#include "cli/run_cli.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace slipstick::testkit {
namespace {

namespace fs = std::filesystem;

fs::path make_directory() {
  std::string name = (fs::temp_directory_path() / "slipstick-cli-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
  return name;
}

/// What a child gets: standard streams from and to files, and a working directory.
class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void open(int stream, const std::string& path, int flags) {
    posix_spawn_file_actions_addopen(&actions_, stream, path.c_str(), flags, 0600);
  }
  void change_directory(const fs::path& path) {
    posix_spawn_file_actions_addchdir_np(&actions_, path.c_str());
  }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Json parse_json(const std::string& text) { return Json::parse(text); }

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

CliResult run_program(const std::string& program, const std::vector<std::string>& args,
                      const fs::path& directory) {
  const fs::path streams = make_directory();
  SpawnActions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  actions.open(STDOUT_FILENO, streams / "out", O_WRONLY | O_CREAT | O_TRUNC);
  actions.open(STDERR_FILENO, streams / "err", O_WRONLY | O_CREAT | O_TRUNC);
  actions.change_directory(directory);
  std::vector<std::string> words{program};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), actions.get(), nullptr, argv.data(), environ);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  CliResult result;
  result.exit_code = wait_for(child);
  result.out = read_file(streams / "out");
  result.err = read_file(streams / "err");
  fs::remove_all(streams);
  return result;
}

std::vector<std::string> builtin_names() {
  return {"bouncing-ball", "compass-biped",    "jamming-chain", "jamming-chain-level",
          "klein-bar",     "painleve-bar",     "rimless-wheel", "sliding-block",
          "sliding-rod",   "two-contact-body", "two-link-rail", "weighted-biped"};
}

CliTest::CliTest() : directory_(make_directory()) {}
CliTest::~CliTest() { fs::remove_all(directory_); }

CliResult CliTest::run(const std::vector<std::string>& args) const {
  return run_program(SLIPSTICK_CLI, args, directory_);
}

std::string CliTest::answer(const std::vector<std::string>& args) const {
  const CliResult result = run(args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return result.out;
}

std::string CliTest::refuse(const std::vector<std::string>& args) const {
  const CliResult result = run(args);
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.rfind("slipstick: ", 0), 0U) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  if (result.err.empty()) return "";
  EXPECT_EQ(result.err.back(), '\n');
  return result.err.substr(0, result.err.size() - 1);
}

void CliTest::write(const std::string& file, const std::string& text) const {
  std::ofstream(directory_ / file, std::ios::binary) << text;
}

std::vector<std::string> CliTest::list_files() const {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(directory_)) {
    out.push_back(fs::relative(entry.path(), directory_).string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace slipstick::testkit
