/// First crossings of guards whose roots are known.

#include "slipstick/sim/events/crossing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace slipstick {
namespace {

std::optional<double> find(const std::function<double(double)>& guard, int zero = 0,
                           bool leaves_upward = true) {
  return find_first_crossing({guard, zero, leaves_upward, 1e-14});
}

TEST(Crossing, NoneWhereTheGuardStaysPositive) {
  EXPECT_FALSE(find([](double x) { return 1.0 + x; }));
  EXPECT_FALSE(find([](double x) { return 1e-9 + (x - 0.3) * (x - 0.3); }));
}

TEST(Crossing, NoneWhereTheGuardStaysAtZero) {
  EXPECT_FALSE(find([](double) { return 0.0; }));
  EXPECT_FALSE(find([](double x) { return 1e-15 * std::sin(30.0 * x); }));
}

TEST(Crossing, SimpleRootToRounding) {
  const auto theta = find([](double x) { return std::cos(3.0 * x); });
  ASSERT_TRUE(theta);
  EXPECT_NEAR(*theta, std::acos(0.0) / 3.0, 1e-16);
}

TEST(Crossing, OfAGuardThatFallsAllTheWay) {
  int evaluations = 0;
  const auto fall = [&](double x) {
    ++evaluations;
    return std::exp(-x) - 0.7;
  };
  const auto theta = find_crossing_of_fall(fall);
  ASSERT_TRUE(theta);
  EXPECT_NEAR(*theta, -std::log(0.7), 2e-16);
  EXPECT_LE(evaluations, 12);
  EXPECT_EQ(*theta, *find(fall));
  EXPECT_FALSE(find_crossing_of_fall([](double x) { return 1.1 - x; }));
  // Rounding of the ends.
  EXPECT_EQ(find_crossing_of_fall([](double x) { return 1.0 - x; }), 1.0);
  EXPECT_EQ(find_crossing_of_fall([](double x) { return -1e-17 - x; }), 0.0);
}

TEST(Crossing, FirstOfTwoCloseRoots) {
  for (const double distance : {1e-2, 1e-4, 1e-6}) {
    const auto theta = find([&](double x) { return (x - 0.4) * (x - 0.4 - distance); });
    ASSERT_TRUE(theta) << distance;
    EXPECT_NEAR(*theta, 0.4, 1e-9) << distance;
  }
}

TEST(Crossing, DoubleRootIsATouch) {
  const auto theta = find([](double x) { return (x - 0.7) * (x - 0.7); });
  ASSERT_TRUE(theta);
  EXPECT_NEAR(*theta, 0.7, 1e-6);
}

TEST(Crossing, KnownZeroAtTheStartIsNoEvent) {
  EXPECT_FALSE(find([](double x) { return x; }, 1));
  EXPECT_FALSE(find([](double x) { return x * x; }, 2));
  EXPECT_FALSE(find([](double x) { return x * x * x + 1e-17; }, 3));
}

TEST(Crossing, ReturnAfterAKnownZero) {
  for (const double at : {0.9, 0.5, 1e-2, 1e-4, 1e-6, 1e-10}) {
    const auto once = find([&](double x) { return x * (at - x); }, 1);
    ASSERT_TRUE(once) << at;
    EXPECT_NEAR(*once, at, 1e-9 * at);
    if (at < 1e-8) continue;
    const auto twice = find([&](double x) { return x * x * (at - x) + 1e-18; }, 2);
    ASSERT_TRUE(twice) << at;
    EXPECT_NEAR(*twice, at, 1e-6);
  }
}

TEST(Crossing, AGuardBelowZeroHasToRiseFirst) {
  EXPECT_FALSE(find([](double x) { return x - 0.5; }));
  EXPECT_FALSE(find([](double x) { return -1.0 - x; }));
  const auto theta = find([](double x) { return -(x - 0.3) * (x - 0.8); });
  ASSERT_TRUE(theta);
  EXPECT_NEAR(*theta, 0.8, 1e-15);
}

TEST(Crossing, FallingThroughAKnownZeroItHasToRiseFirst) {
  EXPECT_FALSE(find([](double x) { return -x; }, 1, false));
  const auto theta = find([](double x) { return -x * (x - 0.3) * (x - 0.8); }, 1, false);
  ASSERT_TRUE(theta);
  EXPECT_NEAR(*theta, 0.8, 1e-14);
}

TEST(Crossing, ManyRootsInOneStep) {
  // sin(40 x + 0.3): first falling root at (pi - 0.3)/40.
  const auto theta = find([](double x) { return std::sin(40.0 * x + 0.3); });
  ASSERT_TRUE(theta);
  EXPECT_NEAR(*theta, (std::acos(-1.0) - 0.3) / 40.0, 1e-15);
}

/// Second route: the falling sign change that a fine grid sees first.
TEST(Crossing, AgreesWithAFineGrid) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (int i = 0; i < 300; ++i) {
    const double a = unit(random);
    const double b = 6.0 * unit(random);
    const double c = unit(random);
    const auto guard = [&](double x) { return 1.2 + a * std::sin(5.0 * x) + b * x * x + c * x; };
    constexpr int kPoints = 20000;
    double seen = 2.0;
    for (int k = 0; k < kPoints && seen > 1.0; ++k) {
      const double x = static_cast<double>(k) / kPoints;
      const double next = static_cast<double>(k + 1) / kPoints;
      if (guard(x) > 0.0 && guard(next) <= 0.0) seen = x;
    }
    const auto theta = find(guard);
    ASSERT_EQ(theta.has_value(), seen <= 1.0) << i;
    if (!theta) continue;
    EXPECT_NEAR(*theta, seen, 1.0 / kPoints) << i;
  }
}

}  // namespace
}  // namespace slipstick
