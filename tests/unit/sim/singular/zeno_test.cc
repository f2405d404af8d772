/// Accumulations made of known series.

#include "slipstick/sim/singular/zeno.h"

#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/io/parse_modes.h"

namespace slipstick {
namespace {

Impact make_impact(int contact, double time) {
  return {{contact}, *parse_modes("P"), ModeWord(2), {time, VecQ::Zero(1), VecQ::Zero(1)}};
}

/// Rounds 1, r, r^2, ... from time 0 end at 1/(1 - r).
TEST(Zeno, GeometricSeriesEndsAtItsSum) {
  for (const double ratio : {0.1, 0.5, 0.9}) {
    ZenoWatch watch;
    std::optional<ZenoLimit> limit;
    for (int k = 0; k < 200 && !limit; ++k) {
      watch.add(make_impact(0, (1.0 - std::pow(ratio, k)) / (1.0 - ratio)));
      limit = watch.find_limit(1.0, true);
    }
    ASSERT_TRUE(limit) << ratio;
    EXPECT_NEAR(limit->state.time, 1.0 / (1.0 - ratio), 1e-9);
    EXPECT_EQ(limit->colliding, std::vector<int>{0});
  }
}

/// Rounds that shrink ever more evenly: t* - t = r^k + a r^2k + b r^3k. The stated error holds, and
/// is a thousandth of what a straight line (Aitken's method) leaves: 3 a r^2k and more.
TEST(Zeno, SmoothSeriesEndsWithinTheStatedError) {
  for (const double ratio : {0.1, 0.3, 0.5, 0.7, 0.85}) {
    for (const double bend : {-0.2, 0.1, 0.4}) {
      ZenoWatch watch;
      std::optional<ZenoLimit> limit;
      double left = 1.0;
      for (int k = 0; k < 200 && !limit; ++k) {
        left = std::pow(ratio, k);
        const double rest = left * (1.0 + bend * left - 0.5 * bend * left * left);
        Impact impact = make_impact(0, 3.0 - rest);
        impact.after.q[0] = std::cos(rest);  // smooth in the time left: 1 at the limit
        watch.add(impact);
        limit = watch.find_limit(1.0, true);
      }
      ASSERT_TRUE(limit) << ratio << " " << bend;
      const double error = std::abs(limit->state.time - 3.0);
      EXPECT_LE(error, limit->record.time_error) << ratio << " " << bend;
      EXPECT_LE(error, 3e-3 * std::abs(bend) * left * left + 1e-13) << ratio << " " << bend;
      EXPECT_NEAR(limit->state.q[0], 1.0, 1e-9) << ratio << " " << bend;
    }
  }
}

/// A flight of time t rises t^2 of the motion's length: below 1e-6 of its time the next impact is
/// off by some part of the flight, and no two extrapolations agree to the ten digits wanted.
TEST(Zeno, FlightsNearRoundingAreTheLast) {
  constexpr double kRatio = 0.04;
  ZenoWatch watch;
  std::optional<ZenoLimit> limit;
  double time = 0.0;
  double round = 1e-3;
  for (int k = 0; k < 12 && !limit; ++k) {
    watch.add(make_impact(0, time));
    limit = watch.find_limit(1.0, true);
    const double error = 1e-16 / (round * round);  // relative
    time += round * (1.0 + (k % 2 == 0 ? error : -error));
    round *= kRatio;
  }
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->state.time, 1e-3 / (1.0 - kRatio), 1e-8);
}

/// Bounces of the same contact before a pause are another accumulation: after the pause the time
/// left is 0.5^k, and q = s + s^2 of it, for which a parabola is exact.
TEST(Zeno, BouncesBeforeAPauseDoNotCount) {
  ZenoWatch watch;
  std::optional<ZenoLimit> limit;
  for (const double time : {0.0, 1e-4, 1.4e-4}) {
    Impact early = make_impact(0, time);
    early.after.q[0] = 5.0;
    watch.add(early);
  }
  for (int k = 0; k < 60 && !limit; ++k) {
    const double rest = 1e-2 * std::pow(0.5, k);
    Impact impact = make_impact(0, 0.02 - rest);
    impact.after.q[0] = rest + rest * rest;
    watch.add(impact);
    limit = watch.find_limit(1.0, true);
  }
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->state.time, 0.02, 1e-12);
  EXPECT_NEAR(limit->state.q[0], 0.0, 1e-12);
}

/// Nor does one impact of the same contact long before: the end would seem well known beside the
/// time since then. Times to the end are those of a smooth series, x + 0.4 x^2 ms with x = 2^-k.
TEST(Zeno, OneImpactLongBeforeDoesNotCount) {
  ZenoWatch watch;
  watch.add(make_impact(0, -300.0));
  std::optional<ZenoLimit> limit;
  int count = 0;
  for (; count < 60 && !limit; ++count) {
    const double x = std::pow(0.5, count);
    watch.add(make_impact(0, 1e-3 * (1.4 - x - 0.4 * x * x)));
    limit = watch.find_limit(1.0, true);
  }
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->record.impacts, count);
  EXPECT_NEAR(limit->state.time, 1.4e-3, 1e-10);  // of the motion's time, 1 s
}

/// Impacts end after the last one: rounds 1, 0.1, and then hardly shorter ones, whose parabola
/// would end in the past.
TEST(Zeno, TheEndIsNotInThePast) {
  ZenoWatch watch;
  double time = 0.0;
  double round = 1e-6;
  for (int k = 0; k < 60; ++k) {
    watch.add(make_impact(0, time));
    const std::optional<ZenoLimit> limit = watch.find_limit(1.0, true);
    if (limit) {
      EXPECT_GT(limit->state.time, time) << k;
    }
    time += round;
    round *= k % 3 == 0 ? 0.3 : (k % 3 == 1 ? 0.97 : 0.6);
  }
}

/// Between two impacts of contact 1, contact 0 bounces to rest; these accumulations accumulate.
TEST(Zeno, AccumulationsAccumulate) {
  ZenoWatch watch;
  std::optional<ZenoLimit> limit;
  double start = 0.0;
  double round = 1.0;
  for (int k = 0; k < 40 && !limit; ++k) {
    watch.add(make_impact(1, start));
    limit = watch.find_limit(1.0, true);
    std::optional<ZenoLimit> inner;
    for (int j = 0; j < 40 && !inner && !limit; ++j) {
      watch.add(make_impact(0, start + 0.5 * round - 0.25 * round * std::pow(0.1, j)));
      inner = watch.find_limit(1.0, true);
      if (inner) watch.drop(inner->record);
    }
    start += round;
    round *= 0.25;
  }
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->colliding, std::vector<int>{1});
  EXPECT_NEAR(limit->state.time, 1.0 / 0.75, 1e-8);
}

/// A box that bounces on a belt, with rounds 0.5^k and impulses in proportion. Up to the sixth
/// impact its feet share them in another way, so that only a part of the friction acts along the
/// belt. The times are those of one series, but the speed of the end is that of the last impacts.
TEST(Zeno, SpeedsWithABendAreExtrapolatedBehindIt) {
  ZenoWatch watch;
  std::optional<ZenoLimit> limit;
  double speed = 0.0;
  int taken = 0;
  for (int k = 0; k < 200 && !limit; ++k) {
    const double left = std::pow(0.5, k);
    speed += (k < 6 ? 0.2 : 1.0) * left;
    Impact impact = make_impact(0, 2.0 - 2.0 * left);
    impact.after.v[0] = speed;
    watch.add(impact);
    limit = watch.find_limit(1.0, true);
    taken = k;
  }
  ASSERT_TRUE(limit);
  const double end = 0.2 * (2.0 - std::pow(0.5, 5)) + std::pow(0.5, 5);  // sums of both parts
  EXPECT_NEAR(limit->state.v[0], end, 1e-6) << taken;
}

}  // namespace
}  // namespace slipstick
