#include "command_line.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <vector>

#include "describe_verbs.h"
#include "printable.h"
#include "slipstick/core/nearest_name.h"
#include "slipstick/errors.h"
#include "slipstick/version.h"

namespace slipstick::cli {
namespace {

std::string join_lines(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

struct Verb {
  const char* name;
  void (*add)(CLI::App& app, Action& run);
};

/// In the order of --help.
constexpr std::array kVerbs{Verb{"models", add_models_verb},
                            Verb{"classify", add_classify_verb},
                            Verb{"paradox", add_paradox_verb},
                            Verb{"critical-friction", add_critical_friction_verb},
                            Verb{"simulate", add_simulate_verb},
                            Verb{"stability", add_stability_verb},
                            Verb{"stability-map", add_stability_map_verb},
                            Verb{"gait", add_gait_verb},
                            Verb{"reproduce", add_reproduce_verb},
                            Verb{"show", add_show_verb},
                            Verb{"rerun", add_rerun_verb},
                            Verb{"completion", add_completion_verb},
                            Verb{"manual", add_manual_verb}};

/// The message about an unknown verb, with the nearest known one; empty if the verb is known.
std::string find_verb_error(int argc, const char* const* argv) {
  if (argc < 2) return "expected a verb, got nothing (slipstick --help lists the verbs)";
  std::vector<std::string> verbs;
  for (const Verb& verb : kVerbs) verbs.emplace_back(verb.name);
  const std::string given = argv[1];
  if (given.starts_with('-')) {
    const bool known = given == "-h" || given == "--help" || given == "--version";
    return known ? "" : "expected a verb, got '" + given + "' (slipstick --help lists the verbs)";
  }
  for (const std::string& verb : verbs) {
    if (verb == given) return "";
  }
  return "unknown verb '" + given + "'" + make_suggestion(given, verbs) +
         " (slipstick --help lists them)";
}

/// Adds the verb that is called. To add all takes longer than most calls, so that is left to those
/// that describe the others: help, completions and the manual.
void add_verbs(const std::string& called, CLI::App& app, Action& run) {
  const std::array describing{"-h", "--help", "completion", "manual"};
  const bool adds_all = std::count(describing.begin(), describing.end(), called) > 0;
  for (const Verb& verb : kVerbs) {
    if (adds_all || verb.name == called) verb.add(app, run);
  }
}

/// The message about an unknown option of a known verb, with the nearest known one; empty if there
/// is none.
std::string find_option_error(const CLI::App& app) {
  for (const VerbSummary& verb : describe_verbs(app)) {
    std::vector<std::string> known;
    for (const OptionSummary& option : verb.options) known.push_back(option.name);
    for (const std::string& given : app.get_subcommand(verb.name)->remaining()) {
      if (!given.starts_with("--")) continue;
      const std::string name = given.substr(0, given.find('='));
      return fmt::format("{}: unknown option '{}'{} (slipstick {} --help lists them)", verb.name,
                         name, make_suggestion(name, known), verb.name);
    }
  }
  return "";
}

/// The message about the first argument that the verb has no place for.
std::string describe_extra_argument(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands()) {
    const std::vector<std::string> extra = verb->remaining();
    if (extra.empty()) continue;
    return fmt::format("{}: expected no further argument, got '{}'", verb->get_name(), extra[0]);
  }
  return "expected no further argument, got one";
}

/// The message about an empty value, which CLI11 would read as zero, as no value, or as the next
/// argument; empty if there is none.
std::string find_empty_value(int argc, const char* const* argv) {
  for (int i = 2; i < argc; ++i) {
    const std::string given = argv[i];
    const bool names_only = given.starts_with("--") && given.find('=') == given.size() - 1;
    if (!given.empty() && !names_only) continue;
    const std::string name = given.empty() ? argv[i - 1] : given.substr(0, given.size() - 1);
    return name + ": expected a value, got nothing";
  }
  return "";
}

/// The parts of `error` before `first`, between `first` and `second`, and after `second`; nothing
/// if it does not contain both.
std::optional<std::array<std::string, 3>> split_sentence(const std::string& error,
                                                         const std::string& first,
                                                         const std::string& second) {
  const std::size_t a = error.find(first);
  if (a == std::string::npos) return std::nullopt;
  const std::size_t from = a + first.size();
  const std::size_t b = error.find(second, from);
  if (b == std::string::npos) return std::nullopt;
  return std::array{error.substr(0, a), error.substr(from, b - from),
                    error.substr(b + second.size())};
}

/// CLI11's message about values that are missing or too many, in our form.
std::string describe_count_error(const std::string& error) {
  if (const auto parts = split_sentence(error, "At least ", " required but received ")) {
    return fmt::format("{}expected {} values, got {}", (*parts)[0], (*parts)[1], (*parts)[2]);
  }
  if (const auto parts = split_sentence(error, ": ", " required ")) {
    const std::string& missing = (*parts)[2];  // "TYPE missing"
    return fmt::format("{}: expected {}, got nothing", (*parts)[0],
                       missing.substr(0, missing.rfind(" missing")));
  }
  if (const auto parts = split_sentence(error, " is required", "")) {
    return fmt::format("expected {}, got nothing", (*parts)[0]);
  }
  return "";
}

/// CLI11's message about an option that was given several times, is not a number, is out of range
/// or needs another option, in our form "expected ..., got ...".
std::string describe_parse_error(const std::string& error) {
  if (const auto parts = split_sentence(error, "At Most 1 required but received ", "")) {
    return (*parts)[0] + "expected it once, got it " + (*parts)[2] + " times";
  }
  if (const auto parts = split_sentence(error, "Could not convert: ", " = ")) {
    return fmt::format("{}: expected a number (for a count, a whole number below 2^31), got '{}'",
                       (*parts)[1], (*parts)[2]);
  }
  if (const auto parts = split_sentence(error, "Value ", " not in range ")) {
    return fmt::format("{}expected a number from {}, got {}", (*parts)[0], (*parts)[2],
                       (*parts)[1]);
  }
  if (const auto parts = split_sentence(error, " requires ", "")) {
    return fmt::format("{}: expected {} with it, got none", (*parts)[0], (*parts)[2]);
  }
  if (const std::string counted = describe_count_error(error); !counted.empty()) return counted;
  return error;
}

}  // namespace

int fail(int code, const std::string& sentence) {
  std::fprintf(stderr, "slipstick: %s\n", make_printable(sentence).c_str());
  return code;
}

CommandLine::CommandLine()
    : app_("Slipstick: rigid mechanisms with dry friction, where ordinary simulators fail silently",
           "slipstick") {
  app_.set_version_flag("--version", std::string("slipstick ") + kVersion);
  app_.require_subcommand(1);
}

std::optional<int> CommandLine::parse(int argc, const char* const* argv) {
  if (const std::string error = find_verb_error(argc, argv); !error.empty()) {
    return fail(kBadInput, error);
  }
  if (const std::string error = find_empty_value(argc, argv); !error.empty()) {
    return fail(kBadInput, error);
  }
  add_verbs(argv[1], app_, action_);
  try {
    app_.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app_.exit(error);  // --help, --version
    if (const std::string unknown = find_option_error(app_); !unknown.empty()) {
      return fail(kBadInput, unknown);
    }
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    return fail(kBadInput, is_extra ? describe_extra_argument(app_)
                                    : describe_parse_error(join_lines(error.what())));
  } catch (const InputError& error) {
    return fail(kBadInput, error.what());
  }
  return std::nullopt;
}

}  // namespace slipstick::cli
