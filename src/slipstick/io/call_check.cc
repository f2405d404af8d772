#include "slipstick/io/call_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>

#include "slipstick/errors.h"

namespace slipstick {
namespace {

/// Longer than any call that a person types.
constexpr std::size_t kMaxCallLength = 2000;

constexpr std::array<std::string_view, 11> kAnsweringVerbs{
    "classify", "critical-friction", "gait",     "impact",    "jam",          "models",
    "outcomes", "paradox",           "simulate", "stability", "stability-map"};

/// Options that only change the question. `--json` is added later; --out, --report and --open write
/// or open something.
constexpr std::array<std::string_view, 46> kAskingOptions{"--accelerations",
                                                          "--along",
                                                          "--at",
                                                          "--centres",
                                                          "--columns",
                                                          "--continue",
                                                          "--direction",
                                                          "--draws",
                                                          "--end",
                                                          "--first",
                                                          "--from",
                                                          "--grid",
                                                          "--key",
                                                          "--law",
                                                          "--levels",
                                                          "--map",
                                                          "--margin",
                                                          "--max-depth",
                                                          "--max-events",
                                                          "--max-runs",
                                                          "--max-time",
                                                          "--no-check",
                                                          "--observe",
                                                          "--of",
                                                          "--on-impact",
                                                          "--on-inconsistent",
                                                          "--on-indeterminate",
                                                          "--on-jam",
                                                          "--only",
                                                          "--over",
                                                          "--perturb",
                                                          "--phases",
                                                          "--points",
                                                          "--prevent",
                                                          "--sample",
                                                          "--samples",
                                                          "--sequence",
                                                          "--set",
                                                          "--slips",
                                                          "--steps",
                                                          "--switch",
                                                          "--tol",
                                                          "--trajectory",
                                                          "--uncertain",
                                                          "--until",
                                                          "--zod"};

bool is_among(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Options are words like "-o" and "--out=x"; "-0.5", "-.5" and "-" are values.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && word[1] != '.' &&
         std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

/// True for a pipe or a device, on which a reader could wait forever.
bool never_ends(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return !error && std::filesystem::is_other(status);
}

}  // namespace

void check_call(const std::string& where, const std::string& call) {
  if (call.size() > kMaxCallLength) {
    throw InputError(where, fmt::format("expected a call of at most {} characters, got {}",
                                        kMaxCallLength, call.size()));
  }
  std::istringstream line(call);
  std::string word;
  line >> word;
  if (!is_among(kAnsweringVerbs, word)) {
    throw InputError(where, fmt::format("expected a verb that answers, one of {}, got '{}'",
                                        fmt::join(kAnsweringVerbs, ", "), word));
  }
  while (line >> word) {
    if (never_ends(word)) {
      throw InputError(where,
                       "expected models by name or file, got a pipe or device '" + word + "'");
    }
    if (!is_option(word) || is_among(kAskingOptions, word.substr(0, word.find('=')))) continue;
    throw InputError(where, fmt::format("expected options that only ask (none that writes or opens "
                                        "anything), got '{}'",
                                        word));
  }
}

}  // namespace slipstick
