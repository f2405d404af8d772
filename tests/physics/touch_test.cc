/// What touches zero, bends or jumps: gaps, contact forces, loads and belts of a point mass on a
/// line, beside closed forms.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/runs.h"

namespace slipstick {
namespace {

using testing::ElementsAre;
using testkit::list_types;
using testkit::run_text;

struct Point {
  std::string gravity = "[0, 0]", force = "[0, 0]", speed = "0", initial;
};

std::string write_point(const Point& point) {
  return fmt::format(R"toml(gravity = {}
[[bodies]]
name = "point"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[forces]]
body = "point"
force = {}
[[surfaces]]
name = "line"
speed = "{}"
[[contacts]]
name = "foot"
body = "point"
surface = "line"
mu = 0.5
restitution = 0.5
law = "poisson"
[initial]
{})toml",
                     point.gravity, point.force, point.speed, point.initial);
}

/// Thrown down against a gravity that points up, it turns just at the line, at -v/g: an event
/// without an impulse, and the velocity v + g t afterwards.
TEST(Touch, GrazingChangesNothing) {
  constexpr double g = 9.81;
  for (const double height : {0.3, 0.7, 1.0, 1.3}) {
    for (const double tolerance : {1e-13, 1e-8}) {
      SCOPED_TRACE(height);
      const double v = -std::sqrt(2.0 * g * height);
      SimulationOptions options;
      options.tolerance = tolerance;
      const auto run =
          run_text(write_point({"[0, 9.81]", "[0, 0]", "0",
                                fmt::format("y = {}\nx_dot = 1\ny_dot = {}\n", height, v)}),
                   1.0, options);
      EXPECT_THAT(list_types(run), ElementsAre("graze"));
      EXPECT_NEAR(run.events.at(0).time, -v / g, 1e-7);  // a double root has half of the digits
      EXPECT_THAT(run.events.at(0).contacts, ElementsAre(0));
      EXPECT_FALSE(run.events.at(0).impact.has_value());
      EXPECT_NEAR(run.state.q[1], height + v + 0.5 * g, 1e-11);
      EXPECT_NEAR(run.state.v[1], v + g, 1e-11);
    }
  }
}

/// f_n = K (t - 1)^2: it slides on, with x' = 3 - mu K (1 + (t - 1)^3)/3.
TEST(Touch, ForceThatTouchesZeroHolds) {
  for (const double K : {0.1, 0.5, 1.0, 2.0, 3.0, 5.0}) {
    SCOPED_TRACE(K);
    const auto run = run_text(
        write_point({"[0, 0]", fmt::format("[0, \"-{}*(t-1)^2\"]", K), "0", "x_dot = 3.5\n"}), 2.0);
    EXPECT_THAT(run.events, testing::IsEmpty());
    EXPECT_NEAR(run.state.v[0], 3.5 - 0.5 * K * 2.0 / 3.0, 1e-11);
  }
}

/// A little deeper, f_n = 3 (t - 1)^2 - 1e-6 and both zeros are events.
TEST(Touch, ForceThatFallsBelowZeroDoesNot) {
  const auto run =
      run_text(write_point({"[0, 0]", "[0, \"1e-6 - 3*(t-1)^2\"]", "0", "x_dot = 3\n"}), 2.0);
  ASSERT_FALSE(run.events.empty());
  EXPECT_EQ(run.events[0].type, EventType::kLiftoff);
  EXPECT_NEAR(run.events[0].time, 1.0 - std::sqrt(1e-6 / 3.0), 1e-10);
}

/// At rest without gravity, where the motion has no time scale of its own; the push at t = 1
/// overcomes the friction: x'' = 100 - 5.
TEST(Touch, LoadJumpsWhileAllIsAtRest) {
  for (const double push : {14.0, 100.0, 1000.0}) {
    SCOPED_TRACE(push);
    const auto run = run_text(
        write_point({"[0, 0]", fmt::format("[\"t < 1 ? 0 : {}\", -10]", push), "0", ""}), 3.0);
    EXPECT_THAT(list_types(run), ElementsAre("slip"));
    EXPECT_NEAR(run.events[0].time, 1.0, 1e-9);
    EXPECT_NEAR(run.state.v[0], 2.0 * (push - 5.0), 1e-6);
  }
}

/// A belt that starts within 0, 1e-5 or 1e-2 s: the point slips and follows with mu g = 5. Belts'
/// accelerations are differences over 3e-5 s.
TEST(Touch, BeltJumps) {
  for (const char* speed :
       {"t < 1 ? 0 : 1", "min(1, max(0, (t-1)*1e5))", "min(1, max(0, (t-1)*100))"}) {
    SCOPED_TRACE(speed);
    const auto run = run_text(write_point({"[0, 0]", "[0, -10]", speed, ""}), 3.0);
    ASSERT_THAT(list_types(run), ElementsAre("slip", "stick"));
    EXPECT_NEAR(run.events[0].time, 1.0, 5e-5);
    EXPECT_NEAR(run.events[1].time, 1.2, 5e-5);
    EXPECT_NEAR(run.state.q[0], 1.9, 1e-4);
  }
}

/// Ten thousand kilometres in a hundred steps: the rounding of such a distance is not an error of a
/// step.
TEST(Touch, LongWaysTakeFewSteps) {
  const auto run = run_text(write_point({"[0, -9.81]", "[0, 0]", "0", "x_dot = 1e4\n"}), 1e6);
  const double stop = 1e4 / (0.5 * 9.81);
  EXPECT_THAT(list_types(run), ElementsAre("stick", "rest"));
  EXPECT_NEAR(run.end.time, stop, 1e-12 * stop);
  EXPECT_NEAR(run.state.q[0], 0.5 * 1e4 * stop, 1e-12 * 1e4 * stop);
  EXPECT_LT(run.counts.steps, 200);
}

/// A rod a micron long, whose contact is its origin, bounces and slides as one of a metre.
TEST(Touch, SizesAreTheBodies) {
  const auto run = [](double length) {
    const std::string text = fmt::format(R"toml(gravity = [0, "-9.81*l"]
[parameters]
l = {}
[[bodies]]
name = "rod"
mass = 2
gyration = "l/sqrt(12)"
com = ["l/2", 0]
joint = {{ type = "free", coordinates = ["x", "y", "phi"] }}
[[surfaces]]
name = "floor"
[[contacts]]
name = "tip"
body = "rod"
surface = "floor"
mu = 1.6
restitution = 0.3
law = "poisson"
[initial]
phi = 0.4
phi_dot = 3
x_dot = "-2*l"
y = "0.1*l"
)toml",
                                         length);
    return run_text(text, 0.8);
  };
  const auto metre = run(1.0);
  const auto micron = run(1e-6);
  ASSERT_GT(metre.events.size(), 2U);
  ASSERT_EQ(list_types(micron), list_types(metre));
  for (std::size_t i = 0; i < metre.events.size(); ++i) {
    EXPECT_NEAR(micron.events[i].time, metre.events[i].time, 1e-10);
  }
}

}  // namespace
}  // namespace slipstick
