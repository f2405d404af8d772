/// Every command that README.md and docs/tutorial.md show is run, in order and in one directory per
/// page, and where a page shows the output, the output is that.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "cli/run_cli.h"

namespace slipstick::testkit {
namespace {

namespace fs = std::filesystem;

struct Example {
  int line = 0;  ///< of the page
  std::string command;
  bool shows_output = false;
  std::vector<std::string> output;  ///< a line "..." stands for any lines
};

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

bool is_run(const std::string& command) {
  return command == "./run" || starts_with(command, "./run ") || starts_with(command, "slipstick ");
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Without blanks at the ends of lines and empty lines at the end, which no reader sees.
void drop_invisible(std::vector<std::string>& lines) {
  for (std::string& line : lines) line.erase(line.find_last_not_of(" \t\r") + 1);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
}

/// The commands of one block, whose lines are [begin, end). In a block with prompts, what has none
/// is output; in a block without, each line is a command. A backslash continues a line.
void read_block(const std::vector<std::string>& lines, std::size_t begin, std::size_t end,
                std::vector<Example>& out) {
  bool prompts = false;
  for (std::size_t i = begin; i < end; ++i) prompts |= starts_with(lines[i], "$ ");
  Example* current = nullptr;
  std::vector<Example> found;
  found.reserve(end - begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (prompts && !starts_with(lines[i], "$ ")) {
      if (current != nullptr) current->output.push_back(lines[i]);
      continue;
    }
    Example example{static_cast<int>(i) + 1, lines[i].substr(prompts ? 2 : 0), prompts, {}};
    while (!example.command.empty() && example.command.back() == '\\' && i + 1 < end) {
      example.command.back() = ' ';
      ++i;
      example.command += lines[i].substr(starts_with(lines[i], "> ") ? 2 : 0);
    }
    found.push_back(std::move(example));
    current = &found.back();
  }
  for (Example& example : found) {
    drop_invisible(example.output);
    // A prompt with nothing below it shows no output; that is no claim that there is none.
    example.shows_output = example.shows_output && !example.output.empty();
    if (is_run(example.command)) out.push_back(std::move(example));
  }
}

std::vector<Example> read_examples(const std::vector<std::string>& lines) {
  std::vector<Example> out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!starts_with(lines[i], "```")) continue;
    const std::string language = lines[i].substr(3, lines[i].find_last_not_of(" \r") - 2);
    std::size_t end = i + 1;
    while (end < lines.size() && !starts_with(lines[end], "```")) ++end;
    if (language == "sh" || language == "console" || language == "bash" || language == "shell") {
      read_block(lines, i + 1, end, out);
    }
    i = end;
  }
  return out;
}

/// A model file that a page prints: a ```toml block whose first line is `# NAME.toml`.
struct PrintedFile {
  std::string name, text;
};

std::vector<PrintedFile> read_printed_files(const std::vector<std::string>& lines) {
  std::vector<PrintedFile> out;
  bool inside = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (starts_with(lines[i], "```")) {
      inside = lines[i] == "```toml" && i + 1 < lines.size() && starts_with(lines[i + 1], "# ");
      if (inside) out.push_back({lines[i + 1].substr(2), ""});
    } else if (inside) {
      out.back().text += lines[i] + "\n";
    }
  }
  return out;
}

bool matches(const std::vector<std::string>& shown, std::size_t i,
             const std::vector<std::string>& real, std::size_t j) {
  if (i == shown.size()) return j == real.size();
  if (shown[i] == "...") {
    for (std::size_t k = j; k <= real.size(); ++k) {
      if (matches(shown, i + 1, real, k)) return true;
    }
    return false;
  }
  return j < real.size() && shown[i] == real[j] && matches(shown, i + 1, real, j + 1);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

class ReadmeTest : public CliTest {
 protected:
  /// A shell finds the program as `./run` and as `slipstick`, and the files of the tree beside it.
  ReadmeTest() {
    write("run", std::string("#!/bin/sh\n[ $# -gt 0 ] || set -- models\nexec '") + SLIPSTICK_CLI +
                     "' \"$@\"\n");
    fs::permissions(directory() / "run", fs::perms::owner_all);
    fs::create_directory(directory() / "bin");
    fs::create_symlink(SLIPSTICK_CLI, directory() / "bin/slipstick");
    for (const char* name : {"models", "docs"}) {
      fs::create_directory_symlink(fs::path(SLIPSTICK_SOURCE_DIR) / name, directory() / name);
    }
  }

  [[nodiscard]] CliResult run_in_shell(const std::string& command) const {
    return run_program("/bin/sh", {"-c", "PATH=\"$PWD/bin:$PATH\"\nexec 2>&1\n" + command},
                       directory());
  }

  /// Writes the files that the page prints, then runs its commands and compares what they print.
  void run_examples(const std::string& page) const {
    const std::vector<std::string> lines = read_lines(fs::path(SLIPSTICK_SOURCE_DIR) / page);
    for (const PrintedFile& file : read_printed_files(lines)) write(file.name, file.text);
    const std::vector<Example> examples = read_examples(lines);
    ASSERT_FALSE(examples.empty()) << page << " shows no command that can be run";
    for (const Example& example : examples) {
      SCOPED_TRACE(page + ":" + std::to_string(example.line) + ": " + example.command);
      const CliResult result = run_in_shell(example.command);
      bool shows_error = false;
      for (const std::string& line : example.output) {
        shows_error |= starts_with(line, "slipstick: ");
      }
      EXPECT_EQ(result.exit_code, shows_error ? 2 : 0) << result.out;
      if (!example.shows_output) continue;
      std::vector<std::string> real = split_lines(result.out);
      drop_invisible(real);
      EXPECT_TRUE(matches(example.output, 0, real, 0)) << "the real output is\n" << result.out;
    }
  }
};

TEST_F(ReadmeTest, EveryExampleWorksAsShown) { run_examples("README.md"); }

TEST_F(ReadmeTest, EveryStepOfTheTutorialWorksAsShown) { run_examples("docs/tutorial.md"); }

TEST(ReadmeExamplesTest, AreFound) {
  const std::vector<std::string> text{"```sh",
                                      "git clone x",
                                      "cd x",
                                      "./run models",
                                      "./test",
                                      "slipstick models \\",
                                      "  --json",
                                      "```",
                                      "./run outside",
                                      "```console",
                                      "$ ./run",
                                      "one",
                                      "",
                                      "two",
                                      "",
                                      "$ cd x",
                                      "three",
                                      "$ ./run classify a",
                                      "```",
                                      "```cpp",
                                      "./run no",
                                      "```"};
  const std::vector<Example> examples = read_examples(text);
  ASSERT_EQ(examples.size(), 4U);
  EXPECT_EQ(examples[0].command, "./run models");
  EXPECT_EQ(examples[0].line, 4);
  EXPECT_FALSE(examples[0].shows_output);
  EXPECT_EQ(examples[1].command, "slipstick models    --json");
  EXPECT_EQ(examples[2].command, "./run");
  EXPECT_EQ(examples[2].output, (std::vector<std::string>{"one", "", "two"}));
  EXPECT_EQ(examples[3].command, "./run classify a");
  EXPECT_FALSE(examples[3].shows_output);
}

TEST(ReadmeExamplesTest, PrintedFilesAreFound) {
  const std::vector<PrintedFile> files = read_printed_files(
      {"```toml", "# a.toml", "x = 1", "```", "text", "```toml", "y = 2", "```", "```sh", "# b"});
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].name, "a.toml");
  EXPECT_EQ(files[0].text, "# a.toml\nx = 1\n");
}

TEST(ReadmeExamplesTest, OutputIsComparedLineByLine) {
  using Lines = std::vector<std::string>;
  EXPECT_TRUE(matches(Lines{"a", "b"}, 0, Lines{"a", "b"}, 0));
  EXPECT_FALSE(matches(Lines{"a"}, 0, Lines{"a", "b"}, 0));
  EXPECT_FALSE(matches(Lines{"a", "b"}, 0, Lines{"a"}, 0));
  EXPECT_FALSE(matches(Lines{"a"}, 0, Lines{"ab"}, 0));
  EXPECT_TRUE(matches(Lines{"a", "...", "d"}, 0, Lines{"a", "b", "c", "d"}, 0));
  EXPECT_TRUE(matches(Lines{"a", "..."}, 0, Lines{"a"}, 0));
  EXPECT_FALSE(matches(Lines{"a", "...", "x"}, 0, Lines{"a", "b"}, 0));
}

}  // namespace
}  // namespace slipstick::testkit
