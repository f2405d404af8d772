#pragma once

/// What the verbs share: the model argument with its overrides, and where output goes.

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "page.h"
#include "slipstick/io/text_file.h"
#include "slipstick/model_file.h"

namespace slipstick::cli {

struct ModelOptions {
  std::string model;
  std::vector<std::string> settings;  ///< NAME=EXPR
};

struct OutputOptions {
  bool json = false;
  std::string out;  ///< directory; empty: the default one
  PageOptions page;
};

void add_model_options(CLI::App& verb, ModelOptions& options);
void add_output_options(CLI::App& verb, OutputOptions& options);

[[nodiscard]] LoadedModel read_model(const ModelOptions& options);

/// True if files are to be written: always, except with `--json` and no `--out`.
[[nodiscard]] bool writes_files(const OutputOptions& options);

/// True if a page is to be written; `simulate` then keeps the motion for it.
[[nodiscard]] bool wants_page(const OutputOptions& options);

/// The directory of the files: `--out`, or one of this name below results/.
[[nodiscard]] std::string find_directory(const OutputOptions& options, const std::string& name);

/// The answer of a verb.
struct Result {
  std::string directory;  ///< below results/, unless `--out` says otherwise
  std::string file;       ///< the JSON document's name
  Json document;
  std::string readable;  ///< the same in words
  PageSource page;
  bool always_has_page = false;   ///< with the files, even without --report
  std::vector<TextFile> files{};  ///< further ones, by name
  Json summary{};                 ///< in the file instead of a large document
  bool in_one_line = false;       ///< the document is printed so
};

/// Prints the JSON document if asked for, else the readable text. Writes the files, except with
/// `--json` and no `--out`, and prints where. Writes and opens the page.
void print_result(const OutputOptions& options, Result result);

}  // namespace slipstick::cli
