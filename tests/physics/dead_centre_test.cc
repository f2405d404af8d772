/// Sticking contacts whose mechanism stands at its dead centre: their friction may have any size,
/// but once the mechanism has moved they slip.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "physics/runs.h"
#include "slipstick/check.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

Run run_checked(const std::string& text, double until) {
  const LoadedModel loaded = parse_model("test.toml", text, {});
  SimulationOptions options;
  options.until = until;
  options.max_events = 1000;
  return simulate_and_check(*loaded.model, loaded.initial, options);
}

/// A rod stands on a belt and leans upright on a wall. The belt draws its foot away with the
/// friction F = mu N. Upright, the rod cannot move along the wall to first order, but its top slips
/// down as soon as it has moved, so the wall's friction mu f acts upward: N = m g - mu f. With k =
/// (L/rho)^2 the top stays at the wall if (F + f)/m = k (F - f)/m, so f = F (k - 1)/(k + 1).
TEST(DeadCentre, RodIsDrawnFromAWall) {
  constexpr double kMu = 10.0;
  constexpr double kLength = 0.33;
  const double k = std::pow(kLength / 0.12, 2.0);
  const double part = (k - 1.0) / (k + 1.0);
  const double foot = 2.0 * 9.81 / (1.0 + kMu * kMu * part);
  const double acceleration = -kMu * foot * (1.0 + part) / 2.0;
  const std::string rod = R"toml(gravity = [0, -9.81]
[[bodies]]
name = "rod"
mass = 2
gyration = 0.12
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "belt"
speed = "-20*t"
[[surfaces]]
name = "wall"
normal = [-1, 0]
[[contacts]]
name = "foot"
body = "rod"
point = [0, -0.33]
surface = "belt"
mu = 10
[[contacts]]
name = "top"
body = "rod"
point = [0, 0.33]
surface = "wall"
mu = 10
[[contacts]]
name = "heel"
body = "rod"
point = [0, -0.33]
surface = "wall"
mu = 1
)toml";
  // A box beside it has a family of its own. It stands with one foot each on a belt and on the
  // floor, whose friction balances.
  const std::string box = R"toml([[surfaces]]
name = "slow belt"
speed = "1 - t"
[[surfaces]]
name = "floor"
[[bodies]]
name = "box"
mass = 1
gyration = 0.1
joint = { type = "translation", coordinates = ["x_box", "y_box"] }
[[contacts]]
name = "drawn"
body = "box"
surface = "slow belt"
mu = 0.2
[[contacts]]
name = "held"
body = "box"
surface = "floor"
mu = 0.2
)toml";
  for (const std::string& beside : {std::string(), box}) {
    const auto run = run_checked(rod + beside + "[initial]\ny = 0.33\n", 1e-4);
    ASSERT_EQ(run.end.reason, EndReason::kTime) << run.end.why.sentence;
    EXPECT_NEAR(run.state.v[0] / 1e-4, acceleration, 1e-6 * std::abs(acceleration));
    EXPECT_NEAR(run.state.v[2] / 1e-4, acceleration / kLength, 1e-5);
    if (run.state.q.size() > 3) {
      EXPECT_NEAR(run.state.q[3], 0.0, 1e-15);
    }
  }
}

/// A rod lies on the floor with its tip at a wall that moves up. The wall's friction could lift the
/// tip if the floor pressed the rod to the wall, which takes a heel that does not slip. But a rod
/// that turns about its heel leaves the wall, so it stays where it is.
TEST(DeadCentre, RodOnTheFloorIsNotLiftedByAWall) {
  const auto run = run_checked(R"toml(gravity = [0, -10]
[[bodies]]
name = "rod"
mass = 2
gyration = 0.2
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[[surfaces]]
name = "wall"
point = [0.4, 0]
normal = [-1, 0]
speed = 0.5
[[contacts]]
name = "heel"
body = "rod"
point = [-0.4, 0]
surface = "floor"
mu = 0.08
mu_s = 0.16
[[contacts]]
name = "tip"
body = "rod"
point = [0.4, 0]
surface = "floor"
mu = 1
[[contacts]]
name = "side"
body = "rod"
point = [0.4, 0]
surface = "wall"
mu = 10
)toml",
                               1.0);
  ASSERT_EQ(run.end.reason, EndReason::kRest) << run.end.why.sentence;
  EXPECT_EQ(run.state.q, (VecQ::Zero(3)));
}

/// A box rocks to rest in a groove whose one side is a belt that stops and starts. At each impact
/// near the end one corner stands at a dead centre. Ended with a corner that pulls, by the check.
TEST(DeadCentre, BoxRocksInAGroove) {
  const auto run = run_checked(R"toml(gravity = ['9.81*sin(0.094)', '-9.81*cos(0.094)']
[[surfaces]]
name = "s0"
point = [0, 0]
normal = [1, 1]
speed = "-0.556*rint(3*t)"
[[surfaces]]
name = "s1"
point = [0, 0]
normal = [-1, 1]
speed = "0"
[[bodies]]
name = "b"
mass = 1.3635
gyration = 0.2345
com = [0, 0]
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[contacts]]
name = "c0"
body = "b"
point = [-0.1357, -0.1334]
surface = "s0"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c1"
body = "b"
point = [-0.1357, -0.1334]
surface = "s1"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c2"
body = "b"
point = [0.1357, -0.1334]
surface = "s0"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c3"
body = "b"
point = [0.1357, -0.1334]
surface = "s1"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c4"
body = "b"
point = [0.1357, 0.1334]
surface = "s0"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c5"
body = "b"
point = [0.1357, 0.1334]
surface = "s1"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c6"
body = "b"
point = [-0.1357, 0.1334]
surface = "s0"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[contacts]]
name = "c7"
body = "b"
point = [-0.1357, 0.1334]
surface = "s1"
mu = 0.5
restitution = 0
law = "newton"
mu_s = 0.65
[[springs]]
from = { at = [0.7888, 1.4614] }
to = { body = "b", at = [0.1, 0.1] }
stiffness = 5
length = 0.6984
damping = 1
[initial]
y = 0.7087
)toml",
                               1.5);
  EXPECT_EQ(run.end.reason, EndReason::kTime) << run.end.why.sentence;
}

/// A disc that is pressed into a groove bounces between its sides without time passing, because
/// friction drives it back each time by a part of its speed. The limit is one impact of both
/// contacts. Ended with too many changes at one time.
TEST(DeadCentre, DiscBetweenTwoSidesCollidesWithBoth) {
  const auto run = run_checked(R"toml(gravity = ['9.81*sin(0)', '-9.81*cos(0)']
[[surfaces]]
name = "s0"
point = [0, 0]
normal = [1, 1]
speed = "0"
[[surfaces]]
name = "s1"
point = [0, 0]
normal = [-1.7058, 1]
speed = "-0.7892"
[[bodies]]
name = "b"
mass = 0.8374
gyration = 0.3036
com = [0, 0]
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[contacts]]
name = "c0"
body = "b"
point = [0, 0]
surface = "s0"
mu = 10
restitution = 0
law = "stronge"
radius = 0.1983
mu_s = 10
[[contacts]]
name = "c1"
body = "b"
point = [0, 0]
surface = "s1"
mu = 0.5
restitution = 0
law = "inelastic"
mu_s = 0.5
radius = 0.1983
[[forces]]
body = "b"
at = [-0.0922, -0.1254]
force = ["t > 0.4002 && t < 0.4002 + 0.05 ? -7.1464 : 0", "sin(21.6239*t) > 0 ? -8.2415 : 8.2415"]
[initial]
y = 0.731
x_dot = 0.0411
a_dot = -1.6569
)toml",
                               1.5);
  EXPECT_EQ(run.end.reason, EndReason::kTime) << run.end.why.sentence;
  EXPECT_TRUE(std::any_of(run.events.begin(), run.events.end(), [](const Event& event) {
    return event.contacts.size() == 2 &&
           std::any_of(event.notes.begin(), event.notes.end(), [](const std::string& note) {
             return note.find("in turn") != std::string::npos;
           });
  }));
}

}  // namespace
}  // namespace slipstick
