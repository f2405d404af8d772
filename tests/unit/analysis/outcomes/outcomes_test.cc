/// Outcomes of functions whose borders are known in closed form.

#include "slipstick/outcomes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

namespace slipstick {
namespace {

using ::testing::ElementsAre;

Outcome make_labelled(std::string label) {
  Outcome out;
  out.label = std::move(label);
  return out;
}

Outcome make_numbered(double number) {
  Outcome out = make_labelled("number");
  out.number = number;
  return out;
}

OutcomeAxis make_axis(const char* name, double low, double high, int count) {
  return {name, {low, high}, count, false};
}

TEST(Outcomes, ThresholdsOfASine) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 1.0, 10.0, 13)};
  question.find = [](std::span<const double> at) {
    return make_labelled(std::sin(at[0]) > 0.0 ? "above" : "below");
  };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_EQ(map.thresholds.size(), 3U);
  for (int k = 1; k <= 3; ++k) {
    const OutcomeThreshold& threshold = map.thresholds[static_cast<std::size_t>(k - 1)];
    const double exact = k * std::numbers::pi;
    EXPECT_LE(std::abs(threshold.value - exact), threshold.error + 1e-15) << k;
    EXPECT_LE(threshold.error, 9e-9) << "1e-9 of the axis";
  }
  ASSERT_EQ(map.intervals.size(), 4U);
  EXPECT_EQ(map.intervals.front().from, 1.0);
  EXPECT_EQ(map.intervals.back().to, 10.0);
  EXPECT_EQ(map.labels[static_cast<std::size_t>(map.intervals[0].label)], "above");
  EXPECT_EQ(map.intervals[1].to, map.intervals[2].from);
  // The scan, and at most 60 evaluations for each threshold.
  EXPECT_LE(map.found, 13 + 3 * 60);
}

TEST(Outcomes, AToleranceOfTheDecisionIsInTheError) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 1.0, 5)};
  question.find = [](std::span<const double> at) {
    Outcome out = make_labelled(at[0] > 0.3 + 1e-10 ? "above" : "below");
    out.tolerance = 1e-9;
    return out;
  };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_EQ(map.thresholds.size(), 1U);
  EXPECT_LE(std::abs(map.thresholds[0].value - 0.3), map.thresholds[0].error);
}

/// Within 1e-9 of 1/2 the outcome follows the last bits of x: the error says so.
TEST(Outcomes, ABandThatRoundingDecidesIsTold) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 1.0, 4)};
  question.find = [](std::span<const double> at) {
    const double far = at[0] - 0.5;
    const bool noise = std::fmod(std::abs(far) * 1e13, 2.0) < 1.0;
    return make_labelled((std::abs(far) > 1e-9 ? far > 0.0 : noise) ? "above" : "below");
  };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_FALSE(map.thresholds.empty());
  EXPECT_TRUE(map.thresholds[0].decided_by_rounding);
  EXPECT_NEAR(map.thresholds[0].value, 0.5, 2e-9);
}

TEST(Outcomes, LogarithmicAxisHasEqualRatios) {
  const OutcomeAxis axis{"x", {1e-3, 1e3}, 7, true};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(std::log10(axis.value(i)), static_cast<double>(i) - 3.0, 1e-14);
  }
  EXPECT_EQ(axis.value(6), 1e3);
}

OutcomeQuestion ask_disc(int count) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", -1.0, 1.0, count), make_axis("y", -1.5, 1.5, count)};
  question.find = [](std::span<const double> at) {
    return make_labelled(std::hypot(at[0], at[1]) < 0.7 ? "inside" : "outside");
  };
  return question;
}

/// The border of a disc: its points lie on the circle to 1e-6 of the axes, its chords too, and it
/// is one closed curve.
TEST(Outcomes, BorderOfADisc) {
  const OutcomeMap map = find_outcomes(ask_disc(12));
  ASSERT_EQ(map.borders.size(), 1U);
  const std::vector<Vec2>& points = map.borders[0].points;
  ASSERT_GT(points.size(), 50U);
  constexpr double kPlace = 3e-6;  // 1e-6 of the longer axis
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(points[i].norm(), 0.7, kPlace);
    const Vec2& last = points[i == 0 ? 0 : i - 1];
    EXPECT_NEAR((0.5 * (last + points[i])).norm(), 0.7, 2.0 * kPlace);
  }
  EXPECT_LE((points.front() - points.back()).norm(), 4.0 * kPlace);
  EXPECT_EQ(map.unresolved, 0);
  EXPECT_TRUE(map.corners.empty());
}

TEST(Outcomes, TheAnswerDoesNotDependOnTheOrderOfThreads) {
  const OutcomeMap first = find_outcomes(ask_disc(9));
  const OutcomeMap second = find_outcomes(ask_disc(9));
  EXPECT_EQ(first.labels, second.labels);
  EXPECT_EQ(first.cells, second.cells);
  ASSERT_EQ(first.borders.size(), second.borders.size());
  EXPECT_EQ(first.borders[0].points, second.borders[0].points);
  EXPECT_EQ(first.found, second.found);
}

/// An island smaller than a cell, which no point of the grid meets, is found where the margin of
/// the points around it falls toward it.
TEST(Outcomes, AnIslandWithinACellIsFoundByMargins) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 1.0, 11)};
  question.find = [](std::span<const double> at) {
    const double margin = std::abs(at[0] - 0.437) - 0.002;
    Outcome out = make_labelled(margin < 0.0 ? "island" : "sea");
    out.margins = {margin};
    return out;
  };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_EQ(map.thresholds.size(), 2U);
  EXPECT_NEAR(map.thresholds[0].value, 0.435, 1e-9);
  EXPECT_NEAR(map.thresholds[1].value, 0.439, 1e-9);
  EXPECT_THAT(map.labels, ElementsAre("sea", "island"));
}

/// Sectors of 90 degrees around (0.3, 0.2): one corner of four outcomes.
TEST(Outcomes, CornerOfFourOutcomes) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", -1.0, 1.0, 8), make_axis("y", -1.0, 1.0, 8)};
  question.find = [](std::span<const double> at) {
    return make_labelled(std::string(at[0] < 0.3 ? "left" : "right") +
                         (at[1] < 0.2 ? " below" : " above"));
  };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_EQ(map.corners.size(), 1U);
  EXPECT_NEAR(map.corners[0].at.x(), 0.3, 4e-6);
  EXPECT_NEAR(map.corners[0].at.y(), 0.2, 4e-6);
  EXPECT_THAT(map.corners[0].labels, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(map.borders.size(), 4U);
}

TEST(Outcomes, ContoursOfNumbers) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 2.0, 41), make_axis("y", 0.0, 1.0, 21)};
  question.find = [](std::span<const double> at) { return make_numbered(at[0] + 2.0 * at[1]); };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_FALSE(map.contours.empty());
  for (const OutcomeContour& contour : map.contours) {
    for (const Vec2& at : contour.points) {  // linear, so exact but for rounding
      EXPECT_NEAR(at.x() + 2.0 * at.y(), contour.level, 1e-12);
    }
  }
}

TEST(Outcomes, LevelsOfNumbersAreLocated) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 2.0, 5)};
  question.levels = {0.5, 2.0};
  question.find = [](std::span<const double> at) { return make_numbered(at[0] * at[0]); };
  const OutcomeMap map = find_outcomes(question);
  ASSERT_EQ(map.thresholds.size(), 2U);
  EXPECT_NEAR(map.thresholds[0].value, std::sqrt(0.5), 2e-9);
  EXPECT_NEAR(map.thresholds[1].value, std::sqrt(2.0), 2e-9);
  EXPECT_THAT(map.labels, ElementsAre("below 0.5", "0.5 to 2", "from 2"));
}

TEST(Outcomes, ThreeAxesAreAList) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 1.0, 2), make_axis("y", 0.0, 1.0, 3),
                   make_axis("z", 0.0, 1.0, 2)};
  question.find = [](std::span<const double> at) {
    return make_numbered(at[0] + 10.0 * at[1] + 100.0 * at[2]);
  };
  EXPECT_THAT(find_outcomes(question).numbers, ElementsAre(0.0, 1.0, 5.0, 6.0, 10.0, 11.0, 100.0,
                                                           101.0, 105.0, 106.0, 110.0, 111.0));
}

TEST(Outcomes, WorkThatIsStoppedSaysSo) {
  OutcomeQuestion question = ask_disc(20);
  question.keep_going = [](long found) { return found < 50; };
  const OutcomeMap map = find_outcomes(question);
  EXPECT_FALSE(map.complete);
  EXPECT_LT(map.found, 60);
}

TEST(Outcomes, ReasonsAreThoseOfTheirLabel) {
  OutcomeQuestion question;
  question.axes = {make_axis("x", 0.0, 1.0, 3)};
  question.find = [](std::span<const double> at) {
    Outcome out = make_labelled(at[0] < 0.7 ? "refused" : "fine");
    if (at[0] < 0.7) out.why = at[0] < 0.3 ? "b" : "a";
    return out;
  };
  const OutcomeMap map = find_outcomes(question);
  EXPECT_THAT(map.whys, ElementsAre("a", ""));
}

TEST(OutcomeMargin, DistancesToBothSides) {
  const auto find = [](double x) { return make_labelled(x < 1.0 ? "low" : x < 4.0 ? "in" : "up"); };
  const OutcomeMargin margin = find_outcome_margin("x", 1.5, {0.0, 3.0}, find);
  ASSERT_TRUE(margin.below);
  EXPECT_NEAR(margin.below->distance, 0.5, 2e-9);
  EXPECT_EQ(margin.below->label, "low");
  EXPECT_FALSE(margin.above) << "4 is outside of the range";
}

}  // namespace
}  // namespace slipstick
