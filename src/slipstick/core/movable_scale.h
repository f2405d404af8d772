#pragma once

/// How a scale of core/scales.h is defined. It is a constant, except in the build that tests/scales
/// uses (SLIPSTICK_MOVABLE_SCALES): there it is a variable, and is listed so that the test can move
/// it.

#if defined(SLIPSTICK_MOVABLE_SCALES)

#include <string_view>
#include <vector>

namespace slipstick {

struct MovableScale {
  std::string_view name;
  double* value;
};

/// In the order of their definition.
inline std::vector<MovableScale>& movable_scales() {
  static std::vector<MovableScale> list;
  return list;
}

inline bool list_scale(std::string_view name, double& value) {
  movable_scales().push_back({name, &value});
  return true;
}

}  // namespace slipstick

#define SLIPSTICK_SCALE(name, number) \
  inline double name = number;        \
  inline const bool name##IsListed = list_scale(#name, name)

#else

#define SLIPSTICK_SCALE(name, number) inline constexpr double name = number

#endif
