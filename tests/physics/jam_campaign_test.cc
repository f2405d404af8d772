#include "physics/jam_campaign.h"

#include <gtest/gtest.h>

#include "cases.h"

namespace slipstick {
namespace {

/// Whatever the tolerance, a motion through the paradox goes on by one law or another.
TEST(JamCampaign, NoRunFails) {
  int events = 0;
  const int count = testkit::cases(2000);
  for (int seed = 1; seed <= count; ++seed) {
    const testkit::Case in = testkit::make_random_jam(static_cast<std::uint64_t>(seed));
    const auto run = testkit::run_case(in);
    EXPECT_NE(run.end.reason, EndReason::kFailure)
        << testkit::describe(in) << ": " << run.end.why.sentence;
    events += static_cast<int>(run.events.size());
  }
  EXPECT_GT(events, 2 * count);
}

}  // namespace
}  // namespace slipstick
