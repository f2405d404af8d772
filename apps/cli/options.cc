#include "options.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

#include "printable.h"
#include "slipstick/errors.h"

namespace slipstick::cli {
namespace {

constexpr const char* kResults = "results";

/// Checks options that depend on each other, before anything is computed.
void check_places(const OutputOptions& options) {
  if (writes_files(options) && options.out.empty()) check_directory(kResults);
  if (options.page.report.empty() || options.out.empty()) return;
  const auto place = [](const std::string& path) {
    std::error_code error;  // the path is then empty and not compared
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path), error) / "";
  };
  const std::filesystem::path report = place(options.page.report);
  if (!report.empty() && report == place(options.out)) {
    throw InputError("--report " + options.page.report,
                     "expected a path other than that of --out, got the same");
  }
}

}  // namespace

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
      ->type_name("DIR")
      ->each([](const std::string& directory) { check_directory(directory); });
  add_page_options(verb, options.page);
  verb.parse_complete_callback([&options] { check_places(options); });
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

bool writes_files(const OutputOptions& options) { return !options.json || !options.out.empty(); }

bool wants_page(const OutputOptions& options) {
  return options.page.open || !options.page.report.empty();
}

std::string find_directory(const OutputOptions& options, const std::string& name) {
  return options.out.empty() ? std::string(kResults) + "/" + name : options.out;
}

void print_result(const OutputOptions& options, Result result) {
  const std::filesystem::path place = find_directory(options, result.directory);
  std::string page = options.page.report;
  std::string written;  // in words
  const bool has_files = writes_files(options);
  const bool by_default = has_files && result.always_has_page && has_viewer();
  if (page.empty() && (wants_page(options) || by_default)) {
    const std::string stem = std::filesystem::path(result.file).stem().string();
    page = (place / (stem + ".html")).string();
  }
  const auto to_text = [&](const Json& document) {
    return result.in_one_line ? print_line(document) : print(document);
  };
  const bool has_summary = !result.summary.is_null();
  std::string text;
  if (options.json || (has_files && !has_summary)) text = to_text(result.document);
  if (has_files) {
    result.files.push_back({result.file, has_summary ? to_text(result.summary) : text});
    for (TextFile& file : result.files) {
      written += (written.empty() ? "" : ", ") + file.path;
      file.path = (place / file.path).string();
    }
    written =
        fmt::format("\nwritten: {}\n", result.files.size() == 1 ? result.files[0].path
                                                                : place.string() + ": " + written);
  }
  if (!page.empty()) {
    if (result.page.result.is_null()) result.page.result = std::move(result.document);
    result.files.push_back(make_page_file(page, options.page, std::move(result.page)));
    written += fmt::format("page:    {}\n", page);
  }
  write_text_files(result.files);
  fmt::print("{}", options.json ? text : make_printable(result.readable + written));
  if (options.page.open) open_page(page);
}

}  // namespace slipstick::cli
