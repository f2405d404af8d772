#include <fmt/format.h>

#include <memory>

#include "printable.h"
#include "slipstick/io/hdf5/hdf5_difference.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/io/text_file.h"
#include "slipstick/version.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

/// The first difference, with the file's own value first.
std::string describe_difference(const std::string& file, const ResultFile& result,
                                const std::string& bytes, const std::string& again) {
  std::string out = fmt::format("different: {} bytes, repeated {}\n", bytes.size(), again.size());
  if (result.version != kVersion) {
    out += fmt::format("versions: {} wrote the file, this is {}\n", result.version, kVersion);
  }
  const auto difference = find_difference(file, bytes, again, "version");
  return out + "first difference: " +
         difference.value_or("none in the values, only in how HDF5 stores them") + "\n";
}

int run_rerun(const std::string& file) {
  const std::string bytes = read_binary_file(file);
  const ResultFile result = parse_result_file(file, bytes);
  const std::string again = make_result_file(result.loaded, result.request, repeat_run(result));
  if (again == bytes) {
    fmt::print("identical: {} bytes\n", bytes.size());
    return kAnswered;
  }
  fmt::print("{}", make_printable(describe_difference(file, result, bytes, again)));
  return kOther;
}

}  // namespace

void add_rerun_verb(CLI::App& app, Action& run) {
  auto file = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand(
      "rerun", "repeat the run of a result file, from it alone, and compare the bytes");
  verb->add_option("FILE", *file, "a result file: simulate.h5")->required();
  verb->footer(
      "Exit status 0: identical, 1: different; the first difference is named, the file's own value "
      "first.\n\nExamples:\n  slipstick simulate sliding-block --out block\n"
      "  slipstick rerun block/simulate.h5");
  verb->callback([file, &run] { run = [file] { return run_rerun(*file); }; });
}

}  // namespace slipstick::cli
