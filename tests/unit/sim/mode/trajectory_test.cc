#include "slipstick/sim/mode/trajectory.h"

#include <gtest/gtest.h>

#include <array>

namespace slipstick {
namespace {

/// One coordinate with q = 1 + theta + theta (1 - theta), v = 2, t = 3 + 2 theta, in the nested
/// form with three coefficients.
Segment make_segment(double theta_end) {
  NestedPolynomial<std::array<std::array<double, 4>, 4>> from{};
  from.rows[0] = {1.0, 2.0, 3.0, 0.0};
  from.rows[1] = {1.0, 0.0, 2.0, 0.0};
  from.rows[2] = {1.0, 0.0, 0.0, 0.0};
  return {make_segment_polynomial(from, 3), theta_end, 3.0, 3.0 + 2.0 * theta_end, 0};
}

Trajectory make_trajectory(double theta_end) {
  Trajectory out;
  out->coordinate_count = 1;
  out->modes.resize(1);
  out->segments.push_back(make_segment(theta_end));
  return out;
}

TEST(Trajectory, IsEvaluatedAtTimesWhateverTheDegree) {
  const Trajectory trajectory = make_trajectory(1.0);
  for (const double theta : {0.0, 0.25, 0.7, 1.0}) {
    const TrajectorySample at = trajectory.eval(3.0 + 2.0 * theta);
    EXPECT_NEAR(at.state.q[0], 1.0 + theta + theta * (1.0 - theta), 1e-15) << theta;
    EXPECT_EQ(at.state.v[0], 2.0);
    EXPECT_EQ(at.state.time, 3.0 + 2.0 * theta);
  }
}

/// The slope of q is 2 - 2 theta.
TEST(Trajectory, PolynomialsHaveExactSlopes) {
  const Segment segment = make_segment(1.0);
  EXPECT_EQ(segment.polynomial.rows.size(), 4U);
  for (const double theta : {0.0, 0.25, 0.5, 1.0}) {
    EXPECT_EQ(segment.polynomial.eval_rate(0, theta), 2.0 - 2.0 * theta) << theta;
  }
}

TEST(Trajectory, EndsWhereAnEventCutTheStep) {
  const Trajectory trajectory = make_trajectory(0.5);
  EXPECT_EQ(trajectory.eval(9.0).state.q[0], 1.75);
  EXPECT_EQ(trajectory.eval(0.0).state.q[0], 1.0);
}

TEST(Trajectory, IsAValue) {
  Trajectory first = make_trajectory(1.0);
  const Trajectory second = first;
  first->segments.clear();
  EXPECT_TRUE(first.empty());
  EXPECT_EQ(second.eval(3.0).state.q[0], 1.0);
  EXPECT_TRUE(Trajectory().empty());
}

/// Components are stored in whole blocks of four numbers, and none that are not in use.
TEST(Trajectory, KeepsTheComponentsInUse) {
  EXPECT_EQ(make_segment(1.0).polynomial.rows.length, 4U);
  NestedPolynomial<std::array<std::array<double, 40>, 8>> wide{};
  wide.rows[7][10] = 5.0;
  const SegmentPolynomial polynomial = make_segment_polynomial(wide, 11);
  EXPECT_EQ(polynomial.rows.length, 12U);
  EXPECT_EQ(polynomial.rows.size(), 8U);
  EXPECT_EQ(polynomial.rows[7][10], 5.0);
}

}  // namespace
}  // namespace slipstick
