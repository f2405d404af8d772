#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "physics/campaign.h"

namespace slipstick {
namespace {

/// Ten thousand mechanisms that the reader accepts; prints how they ended and which broke a law.
TEST(Campaign, TenThousandRandomMechanismsKeepTheLaws) {
  constexpr int kRuns = 10000;
  std::map<std::string, int> ends;
  int accepted = 0;
  long events = 0;
  for (std::uint64_t seed = 1000; accepted < kRuns; ++seed) {
    const std::string model = testkit::make_random_model(seed);
    const testkit::CampaignResult result = testkit::run_campaign(model, 2.0);
    if (!result.accepted) continue;
    ++accepted;
    events += result.events;
    ++ends[std::string(find_word(kEndReasons, result.end))];
    EXPECT_EQ(result.broken, "") << "seed " << seed;
  }
  fmt::print("{} runs, {} events\n", accepted, events);
  for (const auto& [reason, count] : ends) fmt::print("  {}: {}\n", reason, count);
}

}  // namespace
}  // namespace slipstick
