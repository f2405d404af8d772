#include "slipstick/impact/impulse_set.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick {
namespace {

/// Impulses x = y with A y <= b.
ImpulseMembers make_members(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double slack) {
  ImpulseMembers out;
  out.x = VecI::Zero(A.cols());
  out.Z = Eigen::MatrixXd::Identity(A.cols(), A.cols());
  out.A = A;
  out.b = b;
  out.slack = slack;
  return out;
}

TEST(ImpulseSetTest, CentreOfAnIntervalIsItsMiddle) {
  ImpulseMembers members =
      make_members(Eigen::Vector2d(1.0, -1.0), Eigen::Vector2d(0.3 + 1e-10, 0.1 + 1e-10), 1e-10);
  centre(members);
  EXPECT_NEAR(members.x[0], 0.1, 1e-12);
  EXPECT_EQ(members.Z.cols(), 1);
}

/// The third inequality holds only within the tolerance, and y hardly affects it. The two others, a
/// narrow cone, must still hold.
TEST(ImpulseSetTest, CentreStaysInsideWhereOnlyTheToleranceLeavesMembers) {
  constexpr double kSlack = 1e-10;
  constexpr double kHalfWidth = 4.3e-6;
  ImpulseMembers members =
      make_members(Eigen::Vector3d(0.5, -0.5, -3.8e-8),
                   Eigen::Vector3d(0.5 * kHalfWidth, 0.5 * kHalfWidth, 0.5 * kSlack), kSlack);
  centre(members);
  EXPECT_LE(std::abs(members.x[0]), kHalfWidth);
}

}  // namespace
}  // namespace slipstick
