#pragma once

/// Blows, which are impacts of contact 2 while contact 1 is closed, and the motion from one to the
/// next.

#include <Eigen/Core>
#include <boost/container/static_vector.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "slipstick/analysis/stability/zero_order.h"

namespace slipstick {

/// Velocities at a blow; only their ratio matters to R.
struct Blow {
  double closing = 0.0;  ///< |z2'| [m/s]
  double slip = 0.0;     ///< x2' [m/s]

  [[nodiscard]] double angle() const { return std::atan2(slip, closing); }
};

/// The maps are defined on (-kMaxBlowAngle, kMaxBlowAngle). At the ends the blow only grazes.
inline constexpr double kMaxBlowAngle = std::numbers::pi / 2;  // [rad]

/// The blow of unit speed at an angle, exact near +-pi/2.
[[nodiscard]] Blow make_blow(double angle);

/// One impact or one phase of motion.
struct PathStep {
  PairMode mode = PairMode::kFF;
  bool is_impact = false;
  bool operator==(const PathStep&) const = default;
};
inline constexpr std::size_t kMaxPath = 24;
using Path = boost::container::static_vector<PathStep, kMaxPath>;

/// The motion from a blow to the next one, or to where it ends before.
struct BlowReturn {
  PathEnd end = PathEnd::kTooLong;
  Blow blow;  ///< the next one, if it returns
  Path path;
};

/// Follows the motion after a blow, with event times in closed form. Does not allocate.
[[nodiscard]] BlowReturn follow_blow(const ZeroOrder& dynamics, const Blow& blow);

/// A quadratic form of two velocities a, b: a^2, a b, b^2.
using BlowForm = Eigen::Vector3d;

}  // namespace slipstick
