/// Random mechanisms and jams; each run is checked.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "physics/campaign.h"
#include "physics/jam_campaign.h"
#include "slipstick/check.h"
#include "slipstick/errors.h"

namespace slipstick {
namespace {

std::string find_violation(const LoadedModel& loaded, const SimulationOptions& options) {
  const slipstick::Run run = simulate(*loaded.model, loaded.initial, options);
  const Check check = check_run(*loaded.model, options, run).check;
  return check.passed ? "" : describe_violation(*loaded.model, check.violations.front());
}

TEST(CheckCampaign, RandomMechanismsPass) {
  constexpr int kRuns = 5000;
  int accepted = 0;
  for (std::uint64_t seed = 200000; accepted < kRuns; ++seed) {
    try {
      const LoadedModel loaded = parse_model("random.toml", testkit::make_random_model(seed), {});
      SimulationOptions options;
      options.until = 2.0;
      EXPECT_EQ(find_violation(loaded, options), "") << "seed " << seed;
      ++accepted;
    } catch (const InputError&) {
      // A contact starts in penetration.
    }
  }
}

TEST(CheckCampaign, RandomJamsPass) {
  constexpr int kRuns = 5000;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const testkit::Case in = testkit::make_random_jam(seed);
    const LoadedModel loaded = read_model(in.model, in.overrides);
    SimulationOptions options = in.options;
    options.until = in.until;
    options.keep_trajectory = true;
    EXPECT_EQ(find_violation(loaded, options), "") << testkit::describe(in);
  }
}

}  // namespace
}  // namespace slipstick
