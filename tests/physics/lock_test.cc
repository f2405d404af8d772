/// Contacts that surfaces drive to where they lock: forces grow without bound, and move nothing.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "physics/runs.h"
#include "slipstick/check.h"

namespace slipstick {
namespace {

using testkit::find_event;
using testkit::run_loaded;

void expect_lock(const testkit::LoadedRun& done, double time, double error, double exponent) {
  const Run& run = done.run;
  EXPECT_EQ(run.end.reason, EndReason::kJam) << run.end.why.sentence;
  EXPECT_NEAR(run.end.time, time, error);
  EXPECT_EQ(find_event(run, EventType::kJam).exponent, exponent);
  SimulationOptions options;
  options.until = 3.0;
  const Check check = check_run(*done.loaded.model, options, run).check;
  EXPECT_TRUE(check.passed) << describe_check(*done.loaded.model, check);
}

/// A rod of length 1 stands on a belt that carries its foot A away from a wall, u = 0.1 m/s. Its
/// end B leans on the wall, whose surface runs down faster than B and drags it down, mu = 1. About
/// A the force of the wall has the moment N (sin phi - mu cos phi), which holds the weight: N grows
/// without bound where tan phi = mu, like 1/(t* - t), for the motion is given:
/// cos phi = cos phi_0 + u t. Hence t* = (cos 45 deg - cos 52 deg) / u.
TEST(Lock, FrictionHoldsARodBetweenABeltAndAWall) {
  constexpr double kDegree = std::numbers::pi / 180.0;
  const auto done = run_loaded(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "rod"
mass = 1
gyration = 0.3
com = [0.5, 0]
joint = { type = "free", coordinates = ["x", "y", "th"] }
[[surfaces]]
name = "belt"
speed = -0.1
[[surfaces]]
name = "wall"
normal = [-1, 0]
point = [2, 0]
speed = -2
[[contacts]]
name = "A"
body = "rod"
surface = "belt"
mu = 3
[[contacts]]
name = "B"
body = "rod"
point = [1, 0]
surface = "wall"
mu = 1
[initial]
x = "2 - cos(52*deg)"
th = "52*deg"
x_dot = -0.1
th_dot = "-0.1/sin(52*deg)"
)toml",
                               2.0);
  const double time = (std::cos(45.0 * kDegree) - std::cos(52.0 * kDegree)) / 0.1;
  expect_lock(done, time, 1e-11, -1.0);  // d is rounding there
  EXPECT_NEAR(done.run.state.q[2], 45.0 * kDegree, 1e-11);
}

/// A carriage with two sticking feet on a belt, u = 0.2 m/s, draws a rod of length 1 whose other
/// end runs on a vertical rail. The rail's slider moves at u x/y, and the rod is horizontal, a dead
/// centre, when the carriage is 1 m from the rail: at t* = (1 - 0.8)/u. Two feet that stick leave
/// their forces open; that changes nothing.
TEST(Lock, TwoFeetAreDrivenToADeadCentre) {
  const auto done = run_loaded(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "slider"
mass = 0.5
gyration = 0.1
joint = { type = "prismatic", coordinate = "s", axis = [0, 1] }
[[bodies]]
name = "rod"
mass = 0.2
gyration = 0.3
com = [0.5, 0]
joint = { type = "revolute", parent = "slider", coordinate = "a", measured = "absolute" }
[[bodies]]
name = "carriage"
mass = 2
gyration = 0.2
joint = { type = "revolute", parent = "rod", at = [1, 0], coordinate = "b", measured = "absolute" }
[[surfaces]]
name = "belt"
point = [0, -0.4]
speed = 0.2
[[contacts]]
name = "rear"
body = "carriage"
point = [-0.4, -0.4]
surface = "belt"
mu = 5
bilateral = true
[[contacts]]
name = "front"
body = "carriage"
point = [0.4, -0.4]
surface = "belt"
mu = 5
bilateral = true
[initial]
s = 0.6
a = "asin(-0.6)"
b = 0
s_dot = "-0.2*0.8/0.6"
a_dot = "0.2/0.6"
)toml",
                               3.0);
  // The run ends where its steps are too short, with 1e-4 of the lever e left: (e^2/2)/u is 3e-8 s.
  expect_lock(done, 1.0, 1e-7, -2.0);
}

/// A rod jams while a box, which nothing connects to it, rests on two feet: their forces are a
/// family. The rod jams when it does alone [Meltz2007], t* = 0.286621 s.
TEST(Lock, RodJamsBesideABoxAtRest) {
  const std::string rod = R"toml(gravity = [0, -9.81]
[[surfaces]]
name = "floor"
[[bodies]]
name = "rod"
mass = 10
gyration = 0.2
joint = { type = "free", coordinates = ["x", "y", "theta"], sense = "clockwise" }
[[contacts]]
name = "tip"
body = "rod"
point = [0, -1]
surface = "floor"
mu = 0.5
)toml";
  const std::string start = R"toml([initial]
theta = "-26.5*deg"
y = { close = "tip", near = 1 }
x_dot = 100
)toml";
  const std::string box = R"toml([[bodies]]
name = "box"
mass = 2
gyration = 0.3
joint = { type = "free", coordinates = ["u", "w", "phi"] }
[[contacts]]
name = "l"
body = "box"
point = [-0.5, -0.2]
surface = "floor"
mu = 0.6
[[contacts]]
name = "r"
body = "box"
point = [0.5, -0.2]
surface = "floor"
mu = 0.6
)toml";
  const auto alone = run_loaded(rod + start, 0.29);
  const auto beside = run_loaded(rod + box + start + "u = -5\nw = 0.2\n", 0.29);
  const Event& jam = find_event(alone.run, EventType::kJam);
  const Event& same = find_event(beside.run, EventType::kJam);
  EXPECT_NEAR(jam.time, 0.286621, 1e-6);
  EXPECT_NEAR(same.time, jam.time, 1e-10);
  EXPECT_NEAR(*same.exponent, *jam.exponent, 1e-8);
  SimulationOptions options;
  options.until = 0.29;
  EXPECT_TRUE(check_run(*beside.loaded.model, options, beside.run).check.passed);
}

}  // namespace
}  // namespace slipstick
