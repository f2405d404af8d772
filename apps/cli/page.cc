#include "page.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>
#include <utility>

#include "printable.h"
#include "shell.h"
#include "slipstick/errors.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/io/text_file.h"

namespace slipstick::cli {
namespace {

/// The command line, without the options that only say where output goes.
std::string make_command(const CLI::App& verb) {
  constexpr std::array<std::string_view, 4> kOfOutput{"--json", "--out", "--report", "--open"};
  return "slipstick " + verb.get_name() + list_arguments(verb, kOfOutput);
}

/// Checks the page's name before anything is computed. No other output file ends in .html.
void check_report(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".html" && ending != ".htm") {
    throw InputError("--report " + file,
                     "expected a name that ends in .html, got '" + ending + "'");
  }
  check_output_file(file);
}

/// A picture that cannot be made is left out, with a notice; the rest of the page is still valid.
MotionDocument make_motion_or_notice(const PageSource& source) {
  try {
    return source.make_motion();
  } catch (const InputError&) {
    throw;  // the file itself is damaged
  } catch (const std::exception& error) {
    return {Json(), {fmt::format("The motion cannot be drawn here: {}.", error.what())}};
  }
}

}  // namespace

void add_page_options(CLI::App& verb, PageOptions& options) {
  options.verb = &verb;
  verb.add_option("--report", options.report, "write a page that shows the result in a browser")
      ->type_name("FILE.html")
      ->each(check_report);
  verb.add_flag("--open", options.open, "open the page in the browser");
}

std::string list_arguments(const CLI::App& verb, std::span<const std::string_view> without) {
  std::string positional;
  std::string named;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::find(without.begin(), without.end(), name) != without.end()) {
      continue;
    }
    if (option->get_positional()) {
      for (const std::string& value : option->results()) positional += " " + make_shell_word(value);
      continue;
    }
    if (option->get_expected_max() == 0) named += " " + name;
    const bool together = option->get_expected_min() > 1;  // one name before all values
    if (together) named += " " + name;
    for (const std::string& value : option->results()) {
      if (option->get_expected_max() == 0) break;
      // A value that starts with a minus sign would be read as an option.
      const char* between = value.starts_with('-') ? "=" : " ";
      named += (together ? " " : " " + name + between) + make_shell_word(value);
    }
  }
  return positional + named;
}

PageSource make_still(const LoadedModel& loaded, const State& state) {
  return make_stills(loaded, [state] { return std::vector<State>{state}; });
}

PageSource make_stills(const LoadedModel& loaded, std::function<std::vector<State>()> states) {
  return {&loaded, [&loaded, states = std::move(states)] {
            const std::array rows{make_rows(*loaded.model, states())};
            return make_motion(*loaded.model, rows);
          }};
}

PageSource make_moving(const LoadedModel& loaded, const State& start,
                       std::vector<const Run*> runs) {
  return {&loaded, [&loaded, start, runs = std::move(runs)] {
            return make_run_motion(loaded, start, runs);
          }};
}

TextFile make_page_file(const std::string& path, const PageOptions& options, PageSource source) {
  const CLI::App& verb = *options.verb;
  if (source.verb.empty()) source.verb = verb.get_name();
  if (source.command.empty()) source.command = make_command(verb);
  return {path, "", [source = std::move(source)](const ByteSink& sink) {
            write_page(source.loaded,
                       {source.title, source.verb, source.command, source.result,
                        source.make_motion ? make_motion_or_notice(source) : MotionDocument{}},
                       sink);
          }};
}

void open_page(const std::string& path) {
  std::string program = "xdg-open";
  std::string argument = (path.starts_with('-') ? "./" : "") + path;  // else read as an option
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  const bool opened =
      posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0 &&
      waitpid(child, &status, 0) == child && status == 0;
  if (!opened) {
    fmt::print(stderr, "slipstick: no browser could be opened for {}\n", make_printable(path));
  }
}

}  // namespace slipstick::cli
