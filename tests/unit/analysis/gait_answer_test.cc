#include "slipstick/gait_answer.h"

#include <gtest/gtest.h>

#include "angles.h"
#include "slipstick/families.h"
#include "slipstick/io/ranges.h"

namespace slipstick {
namespace {

using testkit::kDegree;

GaitStart make_start(const LoadedModel& loaded) { return {loaded.model, loaded.initial}; }

/// The parts are those of the functions that find them alone.
TEST(GaitAnswer, OrbitWithReportAndCheck) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const GaitAnswer answer = find_gait(make_start(loaded), {});
  const OrbitSearch alone = find_orbit(*loaded.model, loaded.initial, {});
  ASSERT_TRUE(answer.search.orbit && alone.orbit);
  EXPECT_EQ(answer.search.orbit->period(), alone.orbit->period());
  EXPECT_EQ(answer.report.step_length, make_gait_report(*loaded.model, *alone.orbit).step_length);
  ASSERT_TRUE(answer.search.orbit->walk.run.verdict);
  EXPECT_TRUE(answer.search.orbit->walk.run.verdict->check.passed);
  EXPECT_FALSE(answer.branch || answer.doubled || answer.slip_map);
}

TEST(GaitAnswer, NoCheckIfNotAskedFor) {
  const LoadedModel loaded = read_model("compass-biped", {});
  GaitQuestion question;
  question.checks = false;
  EXPECT_FALSE(find_gait(make_start(loaded), question).search.orbit->walk.run.verdict);
}

/// On the level nothing makes up for the energy of the impacts [Or2014]: there is no gait, and
/// nothing else is answered.
TEST(GaitAnswer, NoneOnTheLevel) {
  const LoadedModel loaded =
      read_model("compass-biped", std::vector<Override>{{"alpha", "0"}, {"theta1_dot", "0.2"}});
  const GaitAnswer answer = find_gait(make_start(loaded), {});
  EXPECT_FALSE(answer.search.orbit);
  EXPECT_EQ(answer.search.why.code, WhyCode::kNoReturn) << answer.search.why.sentence;
  EXPECT_FALSE(answer.report.step_length);
}

/// Two halves of the period, and the slips as they are given.
TEST(GaitAnswer, SlipsAreInTheMiddleOfEqualParts) {
  const LoadedModel loaded = read_model("compass-biped", {});
  GaitQuestion question;
  question.slips = GaitSlips{{-0.001, 0.001}, 2, {}};
  const GaitAnswer answer = find_gait(make_start(loaded), question);
  ASSERT_TRUE(answer.slip_map);
  const double period = answer.search.orbit->period();
  EXPECT_EQ(answer.slips.times, (std::vector<double>{0.25 * period, 0.75 * period}));
  EXPECT_EQ(answer.slips.slips, (std::vector<double>{-0.001, 0.001}));
  EXPECT_TRUE(answer.slip_map->complete());
}

/// The model's own initial state, for one degree, leads to no gait on six degrees. The gait on one
/// degree does.
TEST(GaitAnswer, PathMayStartFarFromTheOwnValue) {
  const LoadedModel own = read_model("compass-biped", {});
  const GaitFamily family = make_family(own, "alpha");
  const double from = 6.0 * kDegree;
  const double to = 6.05 * kDegree;
  const double own_value = 1.0 * kDegree;
  const LoadedModel far = make_with_parameters(own, {"alpha"}, std::span(&from, 1));
  ASSERT_FALSE(find_orbit(*far.model, far.initial, {}).orbit);
  GaitQuestion question;
  question.path = GaitPath{"alpha", from, to, family, own_value, make_start(own)};
  const GaitAnswer answer = find_gait(make_start(far), question);
  ASSERT_TRUE(answer.search.orbit) << answer.search.why.sentence;
  ASSERT_TRUE(answer.branch);
  EXPECT_EQ(answer.parameter, "alpha");
  EXPECT_FALSE(answer.branch->end);
  EXPECT_EQ(answer.branch->points.front().parameter, from);
  EXPECT_EQ(answer.branch->points.back().parameter, to);
  EXPECT_FALSE(answer.doubled);
}

}  // namespace
}  // namespace slipstick
