#pragma once

/// The command line as data, for completion scripts and the manual.

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace slipstick::cli {

struct OptionSummary {
  std::string name;   ///< "--until"
  std::string value;  ///< "T"; empty: a flag
  std::string help;
};

struct VerbSummary {
  std::string name, help, footer;
  std::string argument;  ///< "MODEL", "FILE" or nothing
  std::vector<OptionSummary> options;
};

[[nodiscard]] std::vector<VerbSummary> describe_verbs(const CLI::App& app);

}  // namespace slipstick::cli
