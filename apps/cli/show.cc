#include <fmt/format.h>

#include <memory>

#include "page.h"
#include "printable.h"
#include "run_table.h"
#include "shell.h"
#include "slipstick/condition.h"
#include "slipstick/errors.h"
#include "slipstick/io/hdf5/result_file.h"
#include "slipstick/io/text_file.h"
#include "verbs.h"

namespace slipstick::cli {
namespace {

struct ShowOptions {
  std::string file;
  bool json = false;
  PageOptions page;
};

/// As on the command line.
std::string describe_settings(const ModelSource& source) {
  // A name that starts with a minus sign would be read as an option.
  std::string out = make_shell_word((source.file.starts_with('-') ? "./" : "") + source.file);
  for (const Override& setting : source.overrides) {
    out += " --set " + make_shell_word(setting.name + "=" + setting.expression);
  }
  return out;
}

std::string describe_options(const RunRequest& request) {
  const SimulationOptions& options = request.options;
  const std::string until =
      options.condition
          ? fmt::format("{} --max-time {}", make_shell_word(condition_text(*options.condition)),
                        options.until)
          : fmt::format("{}", options.until);
  std::string out = fmt::format("--until {} --tol {} --max-events {}", until, options.tolerance,
                                options.max_events);
  if (request.sample) out += fmt::format(" --sample {}", *request.sample);
  if (options.law) out += fmt::format(" --law {}", find_word(kImpactLaws, *options.law));
  for (const Observable& observable : request.observables) {
    out += " --observe " + make_shell_word(observable.name + " = " + observable.expression);
  }
  return out + fmt::format(" --on-inconsistent {} --on-indeterminate {} --on-jam {} --on-impact {}",
                           find_word(kOnInconsistent, options.on_inconsistent),
                           find_word(kOnIndeterminate, options.on_indeterminate),
                           find_word(kOnJam, options.on_jam),
                           find_word(kOnImpact, options.on_impact));
}

std::string describe_file(const ResultFile& result) {
  return fmt::format(
      "written by   slipstick {}, schema {}\nmodel        {}\noptions      {}\n"
      "contents     {} rows, {} segments, {} bytes\n\n",
      result.version, result.schema, describe_settings(result.loaded.source),
      describe_options(result.request), result.rows, result.segments, result.bytes);
}

void write_page(const ShowOptions& options, const std::string& bytes, const ResultFile& result) {
  const LoadedModel& loaded = result.loaded;
  PageSource source{&loaded,
                    [&] {
                      std::vector<MotionRows> runs = parse_motion_rows(options.file, bytes, result);
                      prepend_state(*loaded.model, loaded.initial, runs.front());
                      return make_motion(*loaded.model, runs);
                    },
                    "simulate",
                    fmt::format("slipstick simulate {} {}", describe_settings(loaded.source),
                                describe_options(result.request)),
                    {},
                    make_result_json(result)};
  write_text_files({make_page_file(options.page.report, options.page, std::move(source))});
  if (options.page.open) open_page(options.page.report);
}

int run_show(const ShowOptions& options) {
  if (options.page.open && options.page.report.empty()) {
    throw InputError("--open", "expected --report FILE.html with it, got none");
  }
  const std::string bytes = read_binary_file(options.file);
  const ResultFile result = parse_result_file(options.file, bytes);
  if (!options.page.report.empty()) write_page(options, bytes, result);
  if (options.json) {
    fmt::print("{}", print(make_result_json(result)));
  } else {
    fmt::print("{}", make_printable(describe_file(result) +
                                    describe_runs(*result.loaded.model, result.tree)));
  }
  return kAnswered;
}

}  // namespace

void add_show_verb(CLI::App& app, Action& run) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* verb = app.add_subcommand("show", "what a result file of simulate holds");
  verb->add_option("FILE", options->file, "a result file: simulate.h5")->required();
  verb->add_flag("--json", options->json, "print one JSON document on standard output");
  add_page_options(*verb, options->page);
  verb->footer(
      "Examples:\n  slipstick simulate sliding-block --out block\n"
      "  slipstick show block/simulate.h5\n"
      "  slipstick show block/simulate.h5 --report block.html");
  verb->callback([options, &run] { run = [options] { return run_show(*options); }; });
}

}  // namespace slipstick::cli
