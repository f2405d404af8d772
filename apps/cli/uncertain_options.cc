#include "uncertain_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "progress.h"
#include "slipstick/io/refusal.h"
#include "slipstick/io/uncertain_answer.h"
#include "verbs.h"

namespace slipstick::cli {

namespace {
constexpr int kMostDraws = 1'000'000;  // bounds the memory: their outcomes take some 100 MB
}

void add_uncertain_options(CLI::App& verb, UncertainOptions& options) {
  CLI::Option* values =
      verb.add_option("--uncertain", options.values,
                      "NAME=A:B, uniform(A, B), normal(MEAN, DEVIATION), triangular(A, MODE, B) or "
                      "truncated(MEAN, DEVIATION, A, B): also the shares of the outcomes if this "
                      "parameter or initial value varies so; repeatable")
          ->allow_extra_args(false)
          ->type_name("NAME=DIST");
  verb.add_option("--draws", options.draws,
                  "with --uncertain: points drawn, rounded up to a multiple of 16 (default 1024)")
      ->check(CLI::Range(1, kMostDraws))
      ->needs(values)
      ->type_name("N");
}

std::vector<std::string> list_names(const LoadedModel& loaded, const UncertainOptions& options) {
  std::vector<std::string> out;
  for (const auto& value : parse_all_uncertain(loaded, "--uncertain", options.values)) {
    out.push_back(value.name);
  }
  return out;
}

void check_uncertain(const LoadedModel& loaded, const UncertainOptions& options) {
  (void)parse_all_uncertain(loaded, "--uncertain", options.values);
}

int add_shares(const LoadedModel& loaded, const UncertainOptions& options, FindDrawn find,
               Result& result) {
  if (options.values.empty()) return kAnswered;
  UncertainAsk ask{parse_all_uncertain(loaded, "--uncertain", options.values), options.draws,
                   std::move(find)};
  OutcomeShares found;
  {
    Progress progress;
    ask.keep_going = [&](long done) {
      const Interruption interruption;
      progress.tell([&] { return fmt::format("draw {} of {}", done, options.draws); });
      return !interruption.came();
    };
    found = find_uncertain(loaded, ask);
  }
  add_uncertain(ask.values, found, result.document);
  result.readable += describe_uncertain(ask.values, found);
  if (Interruption::came()) return Interruption::exit_code();
  const bool failed =
      std::any_of(found.shares.begin(), found.shares.end(),
                  [](const OutcomeShare& share) { return share.label == kFailureLabel; });
  return failed ? kNumerics : kAnswered;
}

}  // namespace slipstick::cli
