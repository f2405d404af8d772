/// What counts as small depends on a body's own lengths, rates and forces only. Directions that
/// lose their rank. Nothing falls through a surface.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/runs.h"
#include "slipstick/check.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

using testkit::run_loaded;

/// A wheel braked from `omega` [rad/s] beside a block that was thrown up a slope of 0.01 rad, with
/// friction 0.0095 below its tangent: the block turns round after v0/(g (sin + mu cos)) seconds.
std::string write_wheel_and_block(double omega) {
  return fmt::format(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "axle"
mass = 0.2
gyration = 0
joint = {{ type = "prismatic", axis = [0, 1], coordinate = "h" }}
[[bodies]]
name = "wheel"
mass = 1
gyration = 0.07
joint = {{ type = "revolute", parent = "axle", coordinate = "phi" }}
[[bodies]]
name = "block"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[surfaces]]
name = "floor"
[[surfaces]]
name = "slope"
point = [1, 0]
normal = ["-sin(0.01)", "cos(0.01)"]
[[contacts]]
name = "rim"
body = "wheel"
surface = "floor"
radius = 0.1
mu = 0.5
[[contacts]]
name = "block"
body = "block"
surface = "slope"
mu = 0.0095
[initial]
h = 0.1
phi_dot = {}
x = 1
x_dot = "7.7*cos(0.01)"
y_dot = "7.7*sin(0.01)"
)toml",
                     omega);
}

TEST(OwnScales, AnotherBodysSpeedDoesNotMakeRest) {
  const double turns = 7.7 / (9.81 * (std::sin(0.01) + 0.0095 * std::cos(0.01)));
  for (const double omega : {10.0, 3000.0, 10000.0}) {
    SCOPED_TRACE(omega);
    const auto done = run_loaded(write_wheel_and_block(omega), 200.0);
    EXPECT_EQ(done.run.end.reason, EndReason::kTime);
    ASSERT_FALSE(done.run.events.empty());
    bool reversed = false;
    for (const Event& event : done.run.events) {
      if (event.type != EventType::kSlipReversal) continue;
      reversed = true;
      EXPECT_NEAR(event.time, turns, 1e-9 * turns);
    }
    EXPECT_TRUE(reversed);
  }
}

/// The position of a surface's point along the surface, and a surface that is never touched, change
/// nothing: a ball with a gap of 1e-5 m falls for sqrt(2 gap/g).
TEST(OwnScales, PlacesOfSurfacesAreNoLengths) {
  for (const char* point : {"[0, 0]", "[1e6, 0]"}) {
    const auto done = run_loaded(fmt::format(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "b"
mass = 1
gyration = 0.1
joint = {{ type = "free", coordinates = ["x", "y", "th"] }}
[[surfaces]]
name = "floor"
point = {}
[[surfaces]]
name = "far"
point = [0, -1e5]
[[contacts]]
name = "c"
body = "b"
point = [0.2, -0.1]
surface = "floor"
[[contacts]]
name = "d"
body = "b"
point = [-0.2, -0.1]
surface = "far"
[initial]
y = 0.10001
)toml",
                                             point),
                                 0.01);
    ASSERT_FALSE(done.run.events.empty()) << point;
    EXPECT_EQ(done.run.events[0].type, EventType::kImpact);
    EXPECT_NEAR(done.run.events[0].time, std::sqrt(2e-5 / 9.81), 1e-12);
  }
}

/// A slider-crank under a torque of 0.6 N m, its slider bilateral with friction mu.
std::string write_crank(double mu, double a, double a_dot) {
  return fmt::format(R"toml([[bodies]]
name = "crank"
mass = 1
inertia = "0.01/12"
com = [0.05, 0]
joint = {{ type = "revolute", coordinate = "a" }}
[[bodies]]
name = "rod"
mass = 0.5
inertia = "0.5*0.09/12"
com = [0.15, 0]
point_masses = [{{ mass = 0.8, at = [0.3, 0] }}]
joint = {{ type = "revolute", parent = "crank", at = [0.1, 0], coordinate = "b", measured = "absolute" }}
[[surfaces]]
name = "guide"
[[contacts]]
name = "slider"
body = "rod"
point = [0.3, 0]
surface = "guide"
mu = {}
bilateral = true
[[forces]]
coordinate = "a"
value = 0.6
[initial]
a = {}
a_dot = {}
b = {{ close = "slider", near = 0.1, between = [-0.5, 0.5] }}
)toml",
                     mu, a, a_dot);
}

/// The crank goes through its dead centre: kinetic energy is torque times angle. There the slider's
/// direction along its guide vanishes with the slip.
TEST(OwnScales, EnergyThroughADeadCentre) {
  const auto done = run_loaded(write_crank(0.0, -0.5, 5.0), 0.12);
  ASSERT_EQ(done.run.end.reason, EndReason::kTime);
  EXPECT_GT(done.run.state.q[0], 0.0);
  const double before = eval_kinetic_energy(*done.loaded.model, done.loaded.initial);
  const double after = eval_kinetic_energy(*done.loaded.model, done.run.state);
  const double work = 0.6 * (done.run.state.q[0] - done.loaded.initial.q[0]);
  EXPECT_NEAR(after - before, work, 1e-11 * after);
}

/// From rest in either dead centre friction acts from the start, against a slip that begins like
/// t^3. The motion is the limit of those that start ever closer to the dead centre.
TEST(OwnScales, StartsAtRestInADeadCentre) {
  for (const double centre : {0.0, std::acos(-1.0)}) {
    SCOPED_TRACE(centre);
    const LoadedModel loaded = parse_model("test.toml", write_crank(0.3, centre, 0.0), {});
    SimulationOptions options;
    options.until = 0.12;
    const auto run = simulate_and_check(*loaded.model, loaded.initial, options);
    ASSERT_EQ(run.end.reason, EndReason::kTime) << run.end.why.sentence;
    EXPECT_TRUE(run.events.empty());
    const auto beside = run_loaded(write_crank(0.3, centre + 1e-7, 0.0), 0.12);
    EXPECT_LT((run.state.q - beside.run.state.q).cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((run.state.v - beside.run.state.v).cwiseAbs().maxCoeff(), 1e-5);
  }
}

/// A box whose corners bounce to rest one after the other, and one between a floor and a wall: no
/// corner is ever below its surface. The first box used to end 0.9 m under the floor, because the
/// accumulation of one corner's impacts ended after the other corner's.
TEST(OwnScales, NoCornerFallsThroughTheFloor) {
  const std::string box = R"toml(gravity = [1, -9.8]
[[bodies]]
name = "b"
mass = 1
gyration = 0.7
joint = { type = "free", coordinates = ["x", "y", "th"] }
[[surfaces]]
name = "g"
[[contacts]]
name = "c0"
body = "b"
point = [-1.0, -0.5]
surface = "g"
mu = 1
restitution = 0.7
law = "stronge"
[[contacts]]
name = "c3"
body = "b"
point = [-1.0, 0.5]
surface = "g"
mu = 0.26
restitution = 0.2
law = "stronge"
[initial]
y = 1
)toml";
  const auto done = run_loaded(box, 8.0);
  EXPECT_EQ(done.run.end.reason, EndReason::kRest);
  for (const Segment& step : done.run.trajectory->segments) {
    for (const double theta : {0.0, 0.5, 1.0}) {
      const State at =
          eval_state(step.polynomial, done.loaded.model->size(), theta * step.theta_end);
      const ContactKinematics contacts = eval_contact_kinematics(*done.loaded.model, at);
      EXPECT_GE(contacts.gap.minCoeff(), -1e-9) << at.time;
    }
  }
}

/// A force of 1e-9 N on a block of 1 kg without friction: nothing balances it, x = F t^2/2. The
/// weight, 1e10 times larger, made it a rest.
TEST(OwnScales, ASmallForceMovesWhatNothingHolds) {
  const auto done = run_loaded(R"toml(gravity = [0, -9.81]
[[bodies]]
name = "b"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "c"
body = "b"
surface = "floor"
[[forces]]
coordinate = "x"
value = 1e-9
[initial]
)toml",
                               1000.0);
  ASSERT_EQ(done.run.end.reason, EndReason::kTime);
  EXPECT_NEAR(done.run.state.q[0], 5e-4, 1e-15);
}

}  // namespace
}  // namespace slipstick
