/// Rods that are thrown spinning: the first end that comes down, beside a fine scan of its height.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "slipstick/model_file.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

struct Throw {
  double y = 0.0, y_dot = 0.0, theta = 0.0, theta_dot = 0.0;  ///< [m, m/s, rad, rad/s]

  /// Of the lower end of a rod of 2 m [m].
  [[nodiscard]] double height(double t) const {
    return y + (y_dot - 0.5 * 9.81 * t) * t - std::abs(std::cos(theta + theta_dot * t));
  }
};

/// From above the ground; steps in which the rod turns by less than 0.01 rad, then halving.
double find_touchdown(const Throw& thrown) {
  const double step = std::min(1e-3, 0.01 / std::abs(thrown.theta_dot));
  double high = step;
  while (thrown.height(high) > 0.0) high += step;
  double low = high - step;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (thrown.height(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

TEST(Flight, SpinningRodsComeDownOnTheFirstEnd) {
  std::mt19937_64 random(20);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const LoadedModel loaded = read_model("sliding-rod", {});
  for (int i = 0; i < 2000; ++i) {
    const Throw thrown{draw(1.5, 8.0), draw(-5.0, 8.0), draw(-1.4, 1.4), draw(-30.0, 30.0)};
    SimulationOptions options;
    options.tolerance = std::pow(10.0, draw(-13.0, -4.0));
    options.max_events = 1;
    options.keep_trajectory = i % 2 == 0;
    State start = loaded.initial;
    start.q << 0.0, thrown.y, thrown.theta;
    start.v << 0.0, thrown.y_dot, thrown.theta_dot;
    const auto run = simulate(*loaded.model, start, options);
    ASSERT_EQ(run.events.size(), 1U);
    EXPECT_EQ(run.events[0].type, EventType::kImpact);
    EXPECT_NEAR(run.events[0].time, find_touchdown(thrown), 1e-11)
        << "tolerance " << options.tolerance;
  }
}

}  // namespace
}  // namespace slipstick
