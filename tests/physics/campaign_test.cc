#include "physics/campaign.h"

#include <gtest/gtest.h>

#include "cases.h"

namespace slipstick {
namespace {

TEST(Campaign, RandomMechanismsKeepTheLaws) {
  int accepted = 0;
  int events = 0;
  const auto count = static_cast<std::uint64_t>(testkit::cases(300));
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string model = testkit::make_random_model(seed);
    const testkit::CampaignResult result = testkit::run_campaign(model, 2.0);
    accepted += result.accepted ? 1 : 0;
    events += result.events;
    EXPECT_EQ(result.broken, "") << "seed " << seed << "\n" << model;
  }
  EXPECT_GT(accepted, static_cast<int>(count) / 3);
  EXPECT_GT(events, 2 * accepted);
}

struct Found {
  std::uint64_t seed;
  const char* cause;
};

/// What longer campaigns found.
TEST(Campaign, CasesThatWereHard) {
  for (const Found& found : {
           Found{1087, "Newton's law at a contact that wedges"},
           Found{1345, "slip that ends on the way to p = 0"},
           Found{1348, "two contacts collide in turns: gaps vanish, velocities do not"},
           Found{3894, "the same, with a limit of times that is none of velocities"},
           Found{2326, "an impulse at p = 0 that does not fade"},
           Found{5305, "the same with one contact"},
           Found{3428, "accumulations that accumulate"},
           Found{8726, "an accumulation with flights of very different lengths"},
           Found{1408, "a letter against the slip after a bounce too small to follow"},
           Found{6896, "a gap that touches zero while two contacts are closed"},
           Found{4607, "a jam with Fremond's law and no jump"},
           Found{6255, "an impulse without collision at a slow slip"},
           Found{1513, "a contact without friction that slides on after an impact of several"},
           Found{6040, "the same"},
       }) {
    const testkit::CampaignResult result =
        testkit::run_campaign(testkit::make_random_model(found.seed), 2.0);
    EXPECT_TRUE(result.accepted) << found.cause;
    EXPECT_EQ(result.broken, "") << found.cause;
  }
}

}  // namespace
}  // namespace slipstick
