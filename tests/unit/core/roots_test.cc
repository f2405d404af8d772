#include "slipstick/core/roots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace slipstick {
namespace {

TEST(FindRoots, AllOfAFastOscillation) {
  const auto roots = find_roots([](double x) { return std::sin(200.0 * x); }, 0.1, 3.0);
  // k pi/200 for 0.1 < k pi/200 < 3: k = 7 .. 190.
  ASSERT_EQ(roots.size(), 184U);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    EXPECT_NEAR(roots[i], static_cast<double>(i + 7) * std::numbers::pi / 200.0, 1e-14);
  }
}

TEST(FindRoots, TwoCloseOnesInALongInterval) {
  const auto roots = find_roots([](double x) { return std::pow(x - 0.3, 2) - 1e-10; }, -10.0, 10.0);
  ASSERT_EQ(roots.size(), 2U);
  EXPECT_NEAR(roots[0], 0.3 - 1e-5, 1e-9);
  EXPECT_NEAR(roots[1], 0.3 + 1e-5, 1e-9);
}

TEST(FindRoots, NoneWhereThereIsNone) {
  EXPECT_TRUE(find_roots([](double x) { return 1e-9 + x * x; }, -1.0, 1.0).empty());
  EXPECT_TRUE(find_roots([](double) { return 1.0; }, -1.0, 1.0).empty());
  EXPECT_TRUE(find_roots([](double x) { return x; }, 1.0, 1.0).empty());
}

/// Noise far above the accuracy promised: the work stays bounded, and the root is where it can be.
TEST(FindRoots, OfNoisyValues) {
  int calls = 0;
  const auto noisy = [&](double x) {
    ++calls;
    return x - 0.3 + 1e-6 * std::sin(1e9 * x);
  };
  const auto roots = find_roots(noisy, -1.0, 1.0);
  EXPECT_LT(calls, 200000);
  ASSERT_FALSE(roots.empty());
  for (const double root : roots) EXPECT_NEAR(root, 0.3, 1e-5);
}

TEST(FindRoots, OfNothing) {
  for (const double root : find_roots([](double) { return 0.0; }, -1.0, 1.0)) {
    EXPECT_LE(std::abs(root), 1.0);
  }
}

TEST(FindNegativeIntervals, EndsAtRootsAndAtTheRange) {
  const auto intervals =
      find_negative_intervals([](double x) { return x * (x - 0.5) * (x + 0.5); }, -2.0, 2.0);
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_EQ(intervals[0].low, -2.0);
  EXPECT_NEAR(intervals[0].high, -0.5, 1e-15);
  EXPECT_NEAR(intervals[1].low, 0.0, 1e-15);
  EXPECT_NEAR(intervals[1].high, 0.5, 1e-15);
}

/// Touching zero from above is not negative; a root of odd order is one interval's end.
TEST(FindNegativeIntervals, DoubleRootsDoNotOpenOne) {
  EXPECT_TRUE(
      find_negative_intervals([](double x) { return std::pow(x - 0.3, 2); }, -1.0, 1.0).empty());
}

TEST(FindNegativeIntervals, AKinkIsResolvedByHalving) {
  const auto intervals =
      find_negative_intervals([](double x) { return std::abs(x - 0.1) - 0.25; }, -1.0, 1.0);
  ASSERT_EQ(intervals.size(), 1U);
  EXPECT_NEAR(intervals[0].low, -0.15, 1e-14);
  EXPECT_NEAR(intervals[0].high, 0.35, 1e-14);
}

TEST(JoinIntervals, SortsAndJoins) {
  const auto joined = join_intervals({{3.0, 4.0}, {0.0, 1.0}, {1.0 + 1e-13, 2.0}}, 1e-12);
  ASSERT_EQ(joined.size(), 2U);
  EXPECT_EQ(joined[0].low, 0.0);
  EXPECT_EQ(joined[0].high, 2.0);
  EXPECT_EQ(joined[1].low, 3.0);
}

}  // namespace
}  // namespace slipstick
