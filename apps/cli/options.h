#pragma once

/// What the verbs share: the model argument with its overrides, and where output goes.

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "slipstick/io/model_file.h"

namespace slipstick::cli {

struct ModelOptions {
  std::string model;
  std::vector<std::string> settings;  ///< NAME=EXPR
};

struct OutputOptions {
  bool json = false;
  std::string out;  ///< directory; empty: the default one
};

void add_model_options(CLI::App& verb, ModelOptions& options);
void add_output_options(CLI::App& verb, OutputOptions& options);

[[nodiscard]] LoadedModel read_model(const ModelOptions& options);

/// Where files go: `--out`, or results/NAME.
[[nodiscard]] std::filesystem::path find_output_directory(const OutputOptions& options,
                                                          const std::string& name);

/// Prints the JSON document if asked for, else the readable text; writes `file` with the document
/// unless `--json` is alone, and says where.
void print_result(const OutputOptions& options, const std::string& directory,
                  const std::string& file, const std::string& json, const std::string& readable);

}  // namespace slipstick::cli
