/// slipstick: parse the command line, run one verb, turn failures into exit codes.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "describe_verbs.h"
#include "slipstick/core/input_error.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/core/version.h"
#include "verbs.h"

namespace {

using slipstick::cli::kBadInput;
using slipstick::cli::kNumerics;
using slipstick::cli::kOther;

int fail(int code, const std::string& sentence) {
  std::fprintf(stderr, "slipstick: %s\n", sentence.c_str());
  return code;
}

std::string join_lines(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

/// An unknown verb, told with the nearest known one; empty if the verb is known.
std::string find_verb_error(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return "";
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) verbs.push_back(verb->get_name());
  const std::string given = argv[1];
  if (given.starts_with('-')) {
    const bool known = given == "-h" || given == "--help" || given == "--version";
    return known ? "" : "expected a verb, got '" + given + "' (slipstick --help lists the verbs)";
  }
  for (const std::string& verb : verbs) {
    if (verb == given) return "";
  }
  return "unknown verb '" + given + "'" + slipstick::make_suggestion(given, verbs) +
         " (slipstick --help lists them)";
}

/// An unknown option of a known verb, told with the nearest known one; empty if there is none.
std::string find_option_error(const CLI::App& app) {
  for (const slipstick::cli::VerbSummary& verb : slipstick::cli::describe_verbs(app)) {
    std::vector<std::string> known;
    for (const slipstick::cli::OptionSummary& option : verb.options) known.push_back(option.name);
    for (const std::string& given : app.get_subcommand(verb.name)->remaining()) {
      if (!given.starts_with("--")) continue;
      const std::string name = given.substr(0, given.find('='));
      return fmt::format("{}: unknown option '{}'{} (slipstick {} --help lists them)", verb.name,
                         name, slipstick::make_suggestion(name, known), verb.name);
    }
  }
  return "";
}

/// An empty value, which the parser would read as zero, as none or as the next argument; empty if
/// there is none.
std::string find_empty_value(int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string given = argv[i];
    const bool names_only = given.starts_with("--") && given.find('=') == given.size() - 1;
    if (!given.empty() && !names_only) continue;
    const std::string name = given.empty() ? argv[i - 1] : given.substr(0, given.size() - 1);
    return name + ": expected a value, got nothing";
  }
  return "";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Slipstick: rigid mechanisms with dry friction, where ordinary simulators fail "
      "silently",
      "slipstick");
  app.set_version_flag("--version", std::string("slipstick ") + slipstick::kVersion);
  app.require_subcommand(1);
  slipstick::cli::Action action;
  slipstick::cli::add_models_verb(app, action);
  slipstick::cli::add_classify_verb(app, action);
  slipstick::cli::add_paradox_verb(app, action);
  slipstick::cli::add_critical_friction_verb(app, action);
  slipstick::cli::add_simulate_verb(app, action);
  slipstick::cli::add_stability_verb(app, action);
  slipstick::cli::add_stability_map_verb(app, action);
  slipstick::cli::add_gait_verb(app, action);
  slipstick::cli::add_reproduce_verb(app, action);
  slipstick::cli::add_show_verb(app, action);
  slipstick::cli::add_rerun_verb(app, action);
  slipstick::cli::add_completion_verb(app, action);
  slipstick::cli::add_manual_verb(app, action);
  if (const std::string error = find_verb_error(app, argc, argv); !error.empty()) {
    return fail(kBadInput, error);
  }
  if (const std::string error = find_empty_value(argc, argv); !error.empty()) {
    return fail(kBadInput, error);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    if (const std::string unknown = find_option_error(app); !unknown.empty()) {
      return fail(kBadInput, unknown);
    }
    return fail(kBadInput, join_lines(error.what()));
  } catch (const slipstick::InputError& error) {
    return fail(kBadInput, error.what());
  }
  int code = kOther;
  try {
    code = action();
  } catch (const slipstick::InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const std::domain_error& error) {
    return fail(kNumerics, error.what());
  }
  if (std::fflush(stdout) != 0) return fail(kOther, "standard output could not be written");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    return fail(kOther, error.what());
  }
}
