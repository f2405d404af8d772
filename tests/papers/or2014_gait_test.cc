/// [Or2014], the gaits of its wheel and its biped. Digits beyond those printed were derived twice
/// for this project.

#include <gtest/gtest.h>

#include "angles.h"
#include "slipstick/families.h"
#include "slipstick/gait_branch.h"
#include "slipstick/gait_report.h"
#include "slipstick/io/ranges.h"

namespace slipstick {
namespace {

using testkit::kDegree;

/// Section 4: the printed digits are the initial state of the model file.
TEST(Or2014Gait, Biped) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const OrbitSearch found = find_orbit(*loaded.model, loaded.initial, {});
  ASSERT_TRUE(found.orbit) << found.why.sentence;
  const Orbit& orbit = *found.orbit;
  EXPECT_NEAR(orbit.state.q[0], -0.147836890247, 1e-11);
  EXPECT_NEAR(orbit.state.q[1], -0.147836890247, 1e-11);
  EXPECT_NEAR(orbit.state.v[0], 0.732796790705, 1e-11);
  EXPECT_NEAR(orbit.state.v[1], -0.500667881529, 1e-11);
  EXPECT_NEAR(orbit.period(), 0.744620868380, 1e-11);
  ASSERT_EQ(orbit.multipliers.size(), 3U);
  EXPECT_NEAR(orbit.multipliers[0].real(), 0.4836056369, 3e-10);
  EXPECT_NEAR(orbit.multipliers[0].imag(), 0.5189228606, 3e-10);
  EXPECT_NEAR(orbit.multipliers[2].real(), 0.3857494876, 3e-10);
  EXPECT_TRUE(orbit.stable());
  const GaitReport report = make_gait_report(*loaded.model, orbit);
  EXPECT_NEAR(*report.step_length, 0.471356685331, 1e-11);
  EXPECT_NEAR(report.mu_stick->value, 0.174918491336, 1e-11);
  EXPECT_NEAR(*report.impulse_ratio, 0.14466899938, 1e-10);
}

TEST(Or2014Gait, BipedThatSlips) {
  const LoadedModel loaded = read_model("compass-biped", std::vector<Override>{{"mu", "0.16"}});
  const OrbitSearch found = find_orbit(*loaded.model, loaded.initial, {});
  ASSERT_TRUE(found.orbit) << found.why.sentence;
  EXPECT_NEAR(found.orbit->state.q[0], -0.146837650893, 1e-11);
  EXPECT_NEAR(found.orbit->state.v[0], 0.729856368597, 1e-11);
  EXPECT_NEAR(found.orbit->state.v[1], -0.505541661613, 1e-11);
}

/// Section 3: beta, the orbit, its eigenvalue and the friction it needs.
TEST(Or2014Gait, Wheel) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const OrbitSearch found = find_orbit(*loaded.model, loaded.initial, {});
  ASSERT_TRUE(found.orbit) << found.why.sentence;
  EXPECT_NEAR(found.orbit->state.v[2], 0.646326425671, 1e-12);
  EXPECT_NEAR(found.orbit->period(), 0.932554401995, 1e-12);
  EXPECT_NEAR(found.orbit->multipliers[0].real(), 0.812761759191 * 0.812761759191, 1e-10);
  EXPECT_NEAR(make_gait_report(*loaded.model, *found.orbit).mu_stick->value, 0.319732385852, 1e-11);
}

TEST(Or2014Gait, PeriodDoublingOfTheBiped) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const GaitFamily family = make_family(loaded, "alpha");
  ContinuationOptions options;
  options.from = 1.0 * kDegree;
  options.to = 6.0 * kDegree;
  const OrbitSearch start = find_orbit(*family(options.from), loaded.initial, {});
  const Branch branch = continue_orbit(family, *start.orbit, options);
  ASSERT_EQ(branch.bifurcations.size(), 1U);
  EXPECT_EQ(branch.bifurcations[0].type, BifurcationType::kPeriodDoubling);
  EXPECT_NEAR(branch.bifurcations[0].at.parameter / kDegree, 5.34641438, 1e-8);
  const auto doubled = follow_doubled(family, branch.bifurcations[0], options);
  ASSERT_TRUE(doubled);
  EXPECT_TRUE(doubled->points.front().stable);
  EXPECT_EQ(doubled->points.back().parameter, options.to);
}

}  // namespace
}  // namespace slipstick
