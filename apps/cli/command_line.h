#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "verbs.h"

namespace slipstick::cli {

/// Prints the reason for ending on standard error, and returns `code`.
int fail(int code, const std::string& sentence);

/// The program's command line: one verb with its options.
class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine() = default;

  /// Parses the arguments, once. Afterwards `action` runs the verb. If the program ends here, after
  /// help or an error message, the result is the exit code.
  [[nodiscard]] std::optional<int> parse(int argc, const char* const* argv);
  [[nodiscard]] int action() const { return action_(); }

 private:
  CLI::App app_;
  Action action_;
};

}  // namespace slipstick::cli
