#include "options.h"

#include <fmt/format.h>

#include <cstdio>

#include "slipstick/core/input_error.h"
#include "slipstick/io/text_file.h"

namespace slipstick::cli {

void add_model_options(CLI::App& verb, ModelOptions& options) {
  verb.add_option("MODEL", options.model,
                  "a built-in name (see `slipstick models`) or a model file")
      ->required();
  verb.add_option("--set", options.settings,
                  "NAME=EXPR: another value for a parameter or an initial value; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=EXPR");
}

void add_output_options(CLI::App& verb, OutputOptions& options) {
  verb.add_flag("--json", options.json, "print one JSON document on standard output");
  verb.add_option("--out", options.out, "directory for files (default results/MODEL-VERB)")
      ->type_name("DIR");
}

LoadedModel read_model(const ModelOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& setting : options.settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError("--set " + setting, "expected NAME=EXPR, got '" + setting + "'");
    }
    overrides.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return slipstick::read_model(options.model, overrides);
}

std::filesystem::path find_output_directory(const OutputOptions& options, const std::string& name) {
  return options.out.empty() ? "results/" + name : options.out;
}

void print_result(const OutputOptions& options, const std::string& directory,
                  const std::string& file, const std::string& json, const std::string& readable) {
  std::string path;
  if (!options.out.empty() || !options.json) {
    path = (find_output_directory(options, directory) / file).string();
    write_text_file(path, json);
  }
  fmt::print("{}", options.json ? json : readable + "\nwritten: " + path + "\n");
}

}  // namespace slipstick::cli
