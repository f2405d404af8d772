#include "physics/campaign.h"

#include <gtest/gtest.h>

#include "cases.h"

namespace slipstick {
namespace {

TEST(Campaign, RandomMechanismsKeepTheLaws) {
  int accepted = 0;
  int events = 0;
  const auto count = static_cast<std::uint64_t>(testing::cases(300));
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string model = testing::make_random_model(seed);
    const testing::CampaignResult result = testing::run_campaign(model, 2.0);
    accepted += result.accepted ? 1 : 0;
    events += result.events;
    EXPECT_EQ(result.broken, "") << "seed " << seed << "\n" << model;
  }
  EXPECT_GT(accepted, static_cast<int>(count) / 3);
  EXPECT_GT(events, 2 * accepted);
}

}  // namespace
}  // namespace slipstick
