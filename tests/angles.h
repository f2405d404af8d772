#pragma once

#include <numbers>

namespace slipstick::testkit {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kDegree = kPi / 180.0;  ///< [rad]

}  // namespace slipstick::testkit
