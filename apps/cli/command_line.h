#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "verbs.h"

namespace slipstick::cli {

/// Says on standard error why the program ends, and gives the code to end with.
int fail(int code, const std::string& sentence);

/// The program's verbs, of which one is named.
class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine() = default;

  /// Afterwards `action` runs the verb; or the exit code, if the program ends here, after help or a
  /// sentence that says what is wrong.
  [[nodiscard]] std::optional<int> parse(int argc, const char* const* argv);
  [[nodiscard]] int action() const { return action_(); }

 private:
  CLI::App app_;
  Action action_;
};

}  // namespace slipstick::cli
