#pragma once

/// Painleve's bar, m = l = weight = 1 and I = 1/12, that slides on its end A to -x. With the sine s
/// and cosine c of its angle, p = 1 + 12 c (c - mu s) and b = theta'^2 s - 1.

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "slipstick/core/roots.h"
#include "slipstick/model_file.h"

namespace slipstick::testkit {

inline constexpr double kBarMu = 0.9;  ///< of the model

/// Where p falls through zero.
[[nodiscard]] inline double find_bar_angle() {
  const auto eval_p = [](double theta) {
    return 1.0 + 12.0 * std::cos(theta) * (std::cos(theta) - kBarMu * std::sin(theta));
  };
  return find_zero_between(eval_p, 0.85, 1.2);
}

/// Before p = b = 0 by this angle, and slower by ten times that part, so that the force does not
/// vanish first.
[[nodiscard]] inline std::vector<Override> set_before_jam(double before) {
  const double theta = find_bar_angle() - before;
  const double spin = std::sqrt((1.0 - 10.0 * before) / std::sin(theta));
  return {{"theta", fmt::format("{}", theta)}, {"theta_dot", fmt::format("{}", spin)}};
}

}  // namespace slipstick::testkit
