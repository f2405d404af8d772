#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "physics/jam_campaign.h"

namespace slipstick {
namespace {

/// A hundred thousand; prints how they ended.
TEST(JamCampaign, NoneOfManyRunsFails) {
  constexpr std::uint64_t kRuns = 100000;
  std::map<std::string, int> ends;
  int failures = 0;
  for (std::uint64_t seed = 10000; seed < 10000 + kRuns; ++seed) {
    const testkit::Case in = testkit::make_random_jam(seed);
    const auto run = testkit::run_case(in);
    ++ends[std::string(find_word(kEndReasons, run.end.reason))];
    if (run.end.reason != EndReason::kFailure) continue;
    ++failures;
    fmt::print("simulate {}: {}\n", testkit::describe(in), run.end.why.sentence);
  }
  for (const auto& [reason, count] : ends) fmt::print("  {}: {}\n", reason, count);
  EXPECT_EQ(failures, 0);
}

}  // namespace
}  // namespace slipstick
