/// Maps of the Coulomb cases over parameters: closed forms, and the same answers as one model at a
/// time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "angles.h"
#include "slipstick/families.h"
#include "slipstick/model.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

using testing::HasSubstr;
using testkit::kDegree;

ParadoxProblem make_own_problem(const LoadedModel& loaded) {
  return make_paradox_problem(*loaded.model, loaded.initial, loaded.closings,
                              SlipDirection::kInitial, Tolerances{});
}

ParadoxMap find_parameter_map(const LoadedModel& loaded, const MapAxis& first,
                              const MapAxis& second) {
  return find_paradox_map(make_own_problem(loaded),
                          make_paradox_family(loaded, first, second, SlipDirection::kInitial),
                          first, second);
}

/// Where curves "p = 0" meet a value of the first axis, in rising order.
std::vector<double> list_crossings(const ParadoxMap& map, double at) {
  std::vector<double> out;
  for (const Boundary& boundary : map.boundaries) {
    if (boundary.what != "p = 0") continue;
    for (const Vec2& point : boundary.points) {
      if (point.x() == at) out.push_back(point.y());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// The ranges of theta1 of [Zhao2008] Table 1, corrected (docs/errata.md), and none at H = 0.21; to
/// 1e-9 the same as along theta1 with that H alone.
TEST(ParameterMap, TableOfTheArm) {
  const LoadedModel arm = read_model("two-link-rail", {});
  const MapAxis theta1{0, false, 0.0, 90.0 * kDegree, 181, {}};
  struct Row {
    double height, low, high;  // [m], [deg]
  };
  for (const Row& row :
       {Row{0.3775, 22.713, 34.866}, {0.331, 43.27, 49.23}, {0.35, 35.33, 44.34}}) {
    // The edges of the grid at the first column are at this height exactly.
    const MapAxis height{0, false, row.height, row.height + 0.001, 2, "H"};
    const std::vector<double> found =
        list_crossings(find_parameter_map(arm, height, theta1), row.height);
    ASSERT_EQ(found.size(), 2U) << row.height;
    EXPECT_NEAR(found[0] / kDegree, row.low, 6e-3);
    EXPECT_NEAR(found[1] / kDegree, row.high, 6e-3);
    const LoadedModel one = make_with_parameters(arm, {"H"}, std::vector<double>{row.height});
    const auto along =
        find_paradox_along(make_own_problem(one), {0, theta1.low, theta1.high}).intervals;
    ASSERT_EQ(along.size(), 1U);
    EXPECT_NEAR(found[0], along[0].low, 1e-9);
    EXPECT_NEAR(found[1], along[0].high, 1e-9);
  }
  const MapAxis low{0, false, 0.2, 0.21, 2, "H"};
  EXPECT_TRUE(list_crossings(find_parameter_map(arm, low, theta1), low.high).empty());
}

/// The wheel: p has the sign of kappa + sin(theta)^2 + mu sin(theta) cos(theta), from its mass
/// matrix; at rest b < 0 on every slope below the vertical.
double eval_wheel_p(double kappa, double mu, double theta) {
  return kappa + std::pow(std::sin(theta), 2) + mu * std::sin(theta) * std::cos(theta);
}

TEST(ParameterMap, WheelOverFrictionAndAngle) {
  const LoadedModel wheel = read_model(
      "rimless-wheel", std::vector<Override>{{"theta", "0.1"}, {"theta_dot", "0"}, {"x_dot", "1"}});
  const MapAxis theta{2, false, -0.6, 0.6, 41, {}};
  const MapAxis mu{0, false, 0.05, 1.2, 31, "mu"};
  const ParadoxMap map = find_parameter_map(wheel, theta, mu);
  const ParadoxMap turned = find_parameter_map(wheel, mu, theta);
  EXPECT_EQ(map.refused, 0);
  for (int j = 0; j < mu.count; ++j) {
    for (int i = 0; i < theta.count; ++i) {
      const auto row = static_cast<std::size_t>(j);
      const auto column = static_cast<std::size_t>(i);
      const int expected = eval_wheel_p(0.02, mu.value_at(j), theta.value_at(i)) > 0.0 ? 1 : 4;
      EXPECT_EQ(map.regions[row][column], expected) << i << ' ' << j;
      EXPECT_EQ(turned.regions[column][row], expected) << i << ' ' << j;
    }
  }
  ASSERT_FALSE(map.boundaries.empty());
  for (const Boundary& boundary : map.boundaries) {
    EXPECT_EQ(boundary.what, "p = 0");
    for (const Vec2& point : boundary.points) {
      EXPECT_NEAR(eval_wheel_p(0.02, point.y(), point.x()), 0.0, 1e-9);
    }
  }
}

TEST(ParameterMap, WheelOverTwoParameters) {
  const LoadedModel wheel =
      read_model("rimless-wheel",
                 std::vector<Override>{{"theta", "-0.15"}, {"theta_dot", "0"}, {"x_dot", "1"}});
  const MapAxis kappa{0, false, 0.005, 0.2, 21, "kappa"};
  const MapAxis mu{0, false, 0.05, 1.2, 23, "mu"};
  const ParadoxMap map = find_parameter_map(wheel, kappa, mu);
  for (int j = 0; j < mu.count; ++j) {
    for (int i = 0; i < kappa.count; ++i) {
      EXPECT_EQ(map.regions[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)],
                eval_wheel_p(kappa.value_at(i), mu.value_at(j), -0.15) > 0.0 ? 1 : 4);
    }
  }
  ASSERT_EQ(map.boundaries.size(), 1U);
  for (const Vec2& point : map.boundaries[0].points) {
    EXPECT_NEAR(eval_wheel_p(point.x(), point.y(), -0.15), 0.0, 1e-9);
  }
}

/// b vanishes where theta_dot^2 cos(theta) = g cos(alpha): a rate and a parameter.
TEST(ParameterMap, WheelOverRateAndSlope) {
  const LoadedModel wheel =
      read_model("rimless-wheel", std::vector<Override>{{"theta", "0.1"}, {"x_dot", "1"}});
  const MapAxis rate{2, true, -2.0, 2.0, 21, {}};
  const MapAxis slope{0, false, 0.0, 1.0, 22, "alpha"};
  const ParadoxMap map = find_parameter_map(wheel, rate, slope);
  ASSERT_EQ(map.boundaries.size(), 2U);  // either sense of turning
  for (const Boundary& boundary : map.boundaries) {
    EXPECT_EQ(boundary.what, "b = 0");
    for (const Vec2& point : boundary.points) {
      EXPECT_NEAR(point.x() * point.x() * std::cos(0.1), 1.02 * std::cos(point.y()), 1e-9);
    }
  }
}

/// The rail decides the direction of the slip, and p depends on nothing else of it: the curves are
/// the ends of the two directions' intervals, and none runs along the change of direction.
TEST(ParameterMap, CurvesEndWhereTheSlipTurns) {
  const LoadedModel arm = read_model("two-link-rail", {});
  const MapAxis theta1{0, false, -40.0 * kDegree, 37.0 * kDegree, 78, {}};
  const MapAxis speed{0, false, -0.2, 0.3, 6, "rail_speed"};
  const ParadoxMap map = find_parameter_map(arm, speed, theta1);
  std::set<double> ends;
  for (const SlipDirection direction : {SlipDirection::kPlus, SlipDirection::kMinus}) {
    const ParadoxProblem problem =
        make_paradox_problem(*arm.model, arm.initial, arm.closings, direction, Tolerances{});
    for (const Interval& found :
         find_paradox_along(problem, {0, theta1.low, theta1.high}).intervals) {
      ends.insert({found.low, found.high});
    }
  }
  int seen = 0;
  for (const Boundary& boundary : map.boundaries) {
    if (boundary.what != "p = 0") continue;
    for (const Vec2& point : boundary.points) {
      EXPECT_TRUE(std::any_of(ends.begin(), ends.end(), [&](double end) {
        return std::abs(end - point.y()) < 1e-9;
      })) << point.transpose();
      ++seen;
    }
  }
  EXPECT_GE(seen, 6);
}

/// At H = 0.4 m the arm's own theta1 of 32 degrees is too large to close the tip: the way starts at
/// another one. No arm reaches a rail 2 m below, and that is said.
TEST(ParameterMap, StartsElsewhereOrIsRefused) {
  const LoadedModel arm = read_model("two-link-rail", {});
  const MapAxis theta1{0, false, 0.0, 30.0 * kDegree, 31, {}};
  const MapAxis reached{0, false, 0.39, 0.4, 2, "H"};
  const ParadoxMap map = find_parameter_map(arm, reached, theta1);
  EXPECT_EQ(map.refused, 0);
  // cos(theta2) = H/l - cos(theta1) is at most 1: theta1 up to 25.2 degrees.
  EXPECT_NE(map.regions[25][1], 0);
  EXPECT_EQ(map.regions[26][1], 0);
  const ParadoxMap far = find_parameter_map(arm, {0, false, 0.39, 2.0, 2, "H"}, theta1);
  EXPECT_EQ(far.refused, 31);
  EXPECT_THAT(far.why, HasSubstr("closed"));
}

}  // namespace
}  // namespace slipstick
