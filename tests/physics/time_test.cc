/// Loads and surfaces that jump, bend and last for a short while: closed forms.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "physics/runs.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testkit::list_types;
using testkit::run_text;

/// A block of 1 kg on a floor with this speed, under this force along it; g = 10 m/s^2.
std::string make_block(const std::string& speed, const std::string& force, double mu) {
  return fmt::format(R"(gravity = [0, -10]
[[bodies]]
name = "block"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[surfaces]]
name = "floor"
speed = "{}"
[[forces]]
body = "block"
force = ["{}", 0]
[[contacts]]
name = "foot"
body = "block"
surface = "floor"
mu = {}
)",
                     speed, force, mu);
}

/// From rest, without friction, each period T under +-F: half of it with F, half with -F. The block
/// stands again after F T^2/4.
TEST(Time, SquareWaveIsExact) {
  for (const double period : {0.7, 0.13, 1e-3}) {
    const int periods = 40;
    const std::string force = fmt::format("sin(2*pi*t/{0}) > 0 ? 3 : -3", period);
    const auto run = run_text(make_block("0", force, 0.0), periods * period);
    const double way = periods * 3.0 * period * period / 4.0;
    EXPECT_EQ(run.end.reason, EndReason::kTime);
    EXPECT_NEAR(run.state.q[0], way, 1e-11 * way) << period;
    EXPECT_NEAR(run.state.v[0], 0.0, 1e-11 * 3.0 * period) << period;
  }
}

/// The same load by other words: sign, rint, a choice in a choice, a product with a comparison.
TEST(Time, JumpsInAnyWords) {
  for (const char* force : {"t < 0.3 ? 2 : -1", "2 - 3*(t >= 0.3)", "0.5 - 1.5*sign(t - 0.3)",
                            "2 - 3*rint(min(t/0.6, 1))", "t > 0.3 ? (t > 0.2 ? -1 : 7) : 2",
                            "(t > 0.3 && t < 5) || t > 5 ? -1 : 2"}) {
    const auto run = run_text(make_block("0", force, 0.0), 0.8);
    EXPECT_NEAR(run.state.v[0], 2.0 * 0.3 - 0.5, 1e-13) << force;
    EXPECT_NEAR(run.state.q[0], 0.09 + 0.6 * 0.5 - 0.125, 1e-13) << force;
  }
}

/// The same closed forms for functions that change at t = 0: x'' = F abs(sin(w t)) from rest, over
/// half a period x' = 2 F/w, x = F pi/w^2.
TEST(Time, ChangesJustAfterTheStart) {
  const auto run = run_text(make_block("0", "30*abs(0.1*sin(13*t))", 0.0), std::numbers::pi / 13);
  EXPECT_EQ(run.end.reason, EndReason::kTime);
  EXPECT_NEAR(run.state.v[0], 6.0 / 13.0, 1e-13);
  EXPECT_NEAR(run.state.q[0], 3.0 * std::numbers::pi / 169.0, 1e-13);
  const auto belt = run_text(make_block("abs(0.01*sin(4*t))", "0", 0.5), 1.0);
  EXPECT_EQ(belt.end.reason, EndReason::kTime);
  EXPECT_NEAR(belt.state.v[0], 0.01 * std::abs(std::sin(4.0)), 1e-15) << "it sticks";
}

/// A belt that starts at once slips under the block until friction has brought it to its speed.
TEST(Time, BeltStartsAtOnce) {
  const auto run = run_text(make_block("t > 0.1 ? 0.5 : 0", "0", 0.2), 1.0);
  ASSERT_THAT(list_types(run), ElementsAre("slip", "stick"));
  EXPECT_NEAR(run.events[0].time, 0.1, 1e-14);
  EXPECT_NEAR(run.events[1].time, 0.1 + 0.5 / 2.0, 1e-12);
  EXPECT_NEAR(run.state.q[0], 0.5 * 0.9 - 0.25 / (2.0 * 2.0), 1e-12);
}

/// A blow of F w sqrt(pi) that lasts for w, while all is at rest before it.
TEST(Time, NoPulseIsSteppedOver) {
  for (const double width : {1e-2, 1e-4, 1e-6}) {
    const std::string force = fmt::format("5*exp(-((t - 3.21)/{})^2)", width);
    const auto run = run_text(make_block("0", force, 0.0), 10.0);
    const double speed = 5.0 * width * std::sqrt(std::numbers::pi);
    EXPECT_NEAR(run.state.v[0], speed, 1e-9 * speed + 1e-12) << width;
  }
}

/// u = A/w sin(w t) with w^2 so large that differences over 1e-5 s see nothing of it: sticks while
/// A < mu g, with f_t = A cos(w t).
TEST(Time, FastBeltCarriesTheBlock) {
  const double w = 2.0 * std::numbers::pi * 40000.0;
  const std::string speed = fmt::format("1/{0:.17g}*sin({0:.17g}*t)", w);
  const auto run = run_text(make_block(speed, "0", 0.2), 1e-4);
  EXPECT_THAT(list_types(run), IsEmpty());
  EXPECT_NEAR(run.state.v[0], std::sin(w * 1e-4) / w, 1e-7 / w);
}

/// A trapdoor that opens at t = 1: the block falls from there on.
TEST(Time, TrapdoorOpens) {
  const auto run = run_text(make_block("0", "0", 0.5) + "active_when = \"t < 1\"\n", 2.0);
  EXPECT_EQ(run.end.reason, EndReason::kTime);
  EXPECT_THAT(list_types(run), ElementsAre("liftoff"));
  EXPECT_NEAR(run.events[0].time, 1.0, 1e-14);
  EXPECT_NEAR(run.state.q[1], -5.0, 1e-12);
}

/// One floor disappears as another appears: the block stays. A floor that appears above it is
/// reported.
TEST(Time, FloorsTakeTurns) {
  const std::string next = R"(active_when = "t < 1"
[[surfaces]]
name = "next"
point = [0, {}]
[[contacts]]
name = "other"
body = "block"
surface = "next"
mu = 0.5
active_when = "t >= 1"
)";
  const std::string block = make_block("0", "0", 0.5);
  const auto stays = run_text(block + fmt::format(fmt::runtime(next), "0"), 2.0);
  EXPECT_EQ(stays.end.reason, EndReason::kTime);
  EXPECT_NEAR(stays.state.q[1], 0.0, 1e-14);
  const auto falls = run_text(block + fmt::format(fmt::runtime(next), "-0.05"), 2.0);
  EXPECT_NEAR(falls.state.q[1], -0.05, 1e-12);
  EXPECT_NEAR(testkit::find_event(falls, EventType::kImpact).time, 1.0 + std::sqrt(0.01), 1e-12);
  const auto below = run_text(block + fmt::format(fmt::runtime(next), "0.05"), 2.0);
  EXPECT_EQ(below.end.reason, EndReason::kFailure);
  EXPECT_EQ(below.end.why.sentence, "contact 'other' begins to exist below its surface");
}

/// A rebound under new names keeps its motion; a relabelling that doubles the speed is refused.
TEST(Time, RelabellingKeepsTheMotion) {
  const auto make = [](const char* rate) {
    return fmt::format(R"(gravity = [0, -10]
[[bodies]]
name = "ball"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[surfaces]]
name = "floor"
[[contacts]]
name = "foot"
body = "ball"
surface = "floor"
restitution = 1
law = "poisson"
[[relabel]]
after = "foot"
[relabel.set]
x = "x + 1"
x_dot = "{}"
[initial]
x_dot = 1
y = 1
)",
                       rate);
  };
  EXPECT_EQ(run_text(make("x_dot"), 1.0).end.reason, EndReason::kTime);
  const auto run = run_text(make("2*x_dot"), 1.0);
  EXPECT_EQ(run.end.reason, EndReason::kFailure);
  EXPECT_THAT(run.end.why.sentence,
              HasSubstr("relabelling after contact 'foot' changes the motion: the kinetic energy"));
}

/// A ball that bounces to e v falls on the next tread of a stair, h lower, after
/// (e v + sqrt(e^2 v^2 + 2 g h))/g. A tread that is higher would be above the ball.
TEST(Time, RelabellingPutsNoContactBelowItsSurface) {
  const auto run = [](const char* height) {
    return run_text(fmt::format(R"(gravity = [0, -10]
[[bodies]]
name = "ball"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[surfaces]]
name = "floor"
[[contacts]]
name = "foot"
body = "ball"
surface = "floor"
restitution = 0.5
law = "newton"
[[relabel]]
after = "foot"
[relabel.set]
y = "{}"
[initial]
y = 1.25
)",
                                height),
                    1.2);
  };
  const auto stair = run("y + 0.35");
  EXPECT_EQ(stair.end.reason, EndReason::kTime) << stair.end.why.sentence;
  ASSERT_EQ(stair.events.size(), 2U);
  const double speed = 0.5 * std::sqrt(2.0 * 10.0 * 1.25);
  EXPECT_NEAR(stair.events[1].time,
              0.5 + (speed + std::sqrt(speed * speed + 2.0 * 10.0 * 0.35)) / 10.0, 1e-12);
  const auto sunk = run("y - 0.1");
  EXPECT_EQ(sunk.end.reason, EndReason::kFailure);
  EXPECT_EQ(
      sunk.end.why.sentence,
      "relabelling after contact 'foot' changes the motion: 'foot' is 0.1 m below its surface");
}

/// A load that is a number up to the end of the run and not beyond it: the last step of a sliding
/// block, in stretched time, looks beyond. v = 10 (2/3) 2^(3/2) - mu g 2.
TEST(Time, LoadsMayEndWithTheRun) {
  const auto run = run_text(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "block"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "foot"
body = "block"
surface = "floor"
mu = 0.1
[[forces]]
coordinate = "x"
value = "10*sqrt(2 - t)"
[initial]
)toml",
                            2.0);
  ASSERT_EQ(run.end.reason, EndReason::kTime) << run.end.why.sentence;
  EXPECT_NEAR(run.state.v[0], 20.0 / 3.0 * std::pow(2.0, 1.5) - 0.1 * 9.81 * 2.0, 1e-10);
}

}  // namespace
}  // namespace slipstick
