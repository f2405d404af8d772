/// Where the outcome changes along a way: functions whose changes are known.

#include "slipstick/analysis/outcomes/changes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick {
namespace {

constexpr double kEnoughOfAWay = 1e-9;

/// The label at a place, which has one margin.
FoundOutcome make_found(int label, double margin) { return {label, 0.0, {margin}, 0.0}; }

/// The number of changes of a function that are at or below a place.
FindOnWay count_changes_at(std::vector<double> at) {
  return [at = std::move(at)](double place) {
    int label = 0;
    for (const double change : at) label += place >= change ? 1 : 0;
    return make_found(label, 1.0);
  };
}

OutcomeChanges find_on_unit_way(const FindOnWay& find) {
  return find_changes(find, {0.0, find(0.0)}, {1.0, find(1.0)}, kEnoughOfAWay);
}

TEST(Changes, OneIsBracketed) {
  const double at = std::sqrt(0.1);
  const OutcomeChanges changes = find_on_unit_way(count_changes_at({at}));
  ASSERT_EQ(changes.list.size(), 1U);
  EXPECT_TRUE(changes.is_whole);
  EXPECT_LT(changes.list[0].before, at);
  EXPECT_GE(changes.list[0].after, at);
  EXPECT_LE(changes.list[0].after - changes.list[0].before, kEnoughOfAWay);
  EXPECT_EQ(changes.list[0].from, 0);
  EXPECT_EQ(changes.list[0].to, 1);
}

TEST(Changes, AllBetweenUnlikeEndsAreFoundInOrder) {
  const OutcomeChanges changes = find_on_unit_way(count_changes_at({0.21, 0.22, 0.9}));
  ASSERT_EQ(changes.list.size(), 3U);
  EXPECT_NEAR(changes.list[0].middle(), 0.21, kEnoughOfAWay);
  EXPECT_NEAR(changes.list[1].middle(), 0.22, kEnoughOfAWay);
  EXPECT_NEAR(changes.list[2].middle(), 0.9, kEnoughOfAWay);
}

TEST(Changes, AnOutcomeThinnerThanTheBracketIsPassedOver) {
  const OutcomeChanges changes = find_on_unit_way(count_changes_at({0.5, 0.5 + 1e-12}));
  ASSERT_EQ(changes.list.size(), 1U);
  EXPECT_EQ(changes.list[0].from, 0);
  EXPECT_EQ(changes.list[0].to, 2);
}

TEST(Changes, MoreThanAreFollowedAreTold) {
  std::vector<double> many;
  for (int i = 1; i < 20; ++i) many.push_back(0.05 * i);
  EXPECT_FALSE(find_on_unit_way(count_changes_at(many)).is_whole);
}

/// An island of another outcome, 0.02 wide, where the margin |x - 0.43| - 0.01 is below zero: the
/// grid points on both sides have the same outcome, and their margins point at it.
TEST(Changes, AHiddenOutcomeIsFoundByItsMargin) {
  const FindOnWay find = [](double place) {
    const double margin = std::abs(place - 0.43) - 0.01;
    return make_found(margin < 0.0 ? 1 : 0, margin);
  };
  const WayPoint from{0.0, find(0.0)};
  const WayPoint to{1.0, find(1.0)};
  const OutcomeChanges changes = find_all_changes(find, nullptr, from, to, nullptr, kEnoughOfAWay);
  EXPECT_TRUE(changes.list.empty()) << "no slope is known with neither neighbour";
  const WayPoint before{-1.0, find(-1.0)};
  const WayPoint after{2.0, find(2.0)};
  const OutcomeChanges found = find_all_changes(find, &before, from, to, &after, kEnoughOfAWay);
  ASSERT_EQ(found.list.size(), 2U);
  EXPECT_NEAR(found.list[0].middle(), 0.42, kEnoughOfAWay);
  EXPECT_NEAR(found.list[1].middle(), 0.44, kEnoughOfAWay);
}

TEST(Changes, AMarginThatStaysAboveZeroIsNotFollowed) {
  int calls = 0;
  const FindOnWay find = [&calls](double place) {
    ++calls;
    return make_found(0, 5.0 + std::abs(place - 0.43));
  };
  const WayPoint before{-1.0, find(-1.0)};
  const WayPoint from{0.0, find(0.0)};
  const WayPoint to{1.0, find(1.0)};
  const WayPoint after{2.0, find(2.0)};
  calls = 0;
  EXPECT_FALSE(find_hidden(find, &before, from, to, &after));
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace slipstick
