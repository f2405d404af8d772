/// Exact ties and dead ends: events at one time, slips that only touch zero, motions that die out,
/// contacts driven to where they lock. Every run passes the check, too.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "physics/runs.h"
#include "slipstick/check.h"
#include "slipstick/classify.h"
#include "slipstick/mode_letters.h"
#include "slipstick/sim/mode/mode.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testkit::list_types;
using testkit::LoadedRun;

LoadedRun run_checked(const std::string& text, double until) {
  LoadedRun out = testkit::run_loaded(text, until);
  SimulationOptions options;
  options.until = until;
  const Check check = check_run(*out.loaded.model, options, out.run).check;
  EXPECT_TRUE(check.passed) << describe_check(*out.loaded.model, check);
  return out;
}

/// A block of 1 kg on a belt, g = 10 m/s^2, with more lines of its model and of its start.
std::string make_block(const std::string& speed, double mu, const std::string& more = {}) {
  return fmt::format(R"(gravity = [0, -10]
[[bodies]]
name = "block"
mass = 1
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[surfaces]]
name = "belt"
speed = "{}"
[[contacts]]
name = "foot"
body = "block"
surface = "belt"
mu = {}
{})",
                     speed, mu, more);
}

/// Friction brings the block to the belt's speed at t = 1, when the belt jumps: v goes on at 1.
TEST(Ties, SlipEndsWhenTheBeltJumps) {
  for (const char* later : {"-1", "2", "0"}) {
    const auto done = run_checked(make_block(fmt::format("t<1?1:{}", later), 0.1), 3.0);
    const double target = std::stod(later);
    const double needed = std::abs(target - 1.0);  // [s] at 1 m/s^2
    const double stays = std::max(0.0, 2.0 - needed);
    const double time = std::min(2.0, needed);
    const double sign = target > 1.0 ? 1.0 : -1.0;
    const double x = 0.5 + time + sign * 0.5 * time * time + stays * target;
    EXPECT_NEAR(done.run.state.q[0], x, 1e-12) << later;
    EXPECT_NEAR(done.run.state.v[0], 1.0 + sign * time, 1e-12) << later;
  }
}

/// The run ends where the belt jumps: the block has met only the belt's speed until then.
TEST(Ties, RunEndsWhenTheBeltJumps) {
  for (const char* speed : {"t<0.7?1:-1", "t<=0.7?1:-1"}) {
    const auto done = run_checked(make_block(speed, 0.1), 0.7);
    EXPECT_THAT(list_types(done.run), IsEmpty()) << speed;
    EXPECT_NEAR(done.run.state.v[0], 0.7, 1e-14) << speed;
  }
}

/// A block that sticks to a belt passes below the end of a spring: it moves evenly, and all that
/// changes are the forces. The check compares them with the spring's. x = -0.5 + 0.7 t.
TEST(Ties, ForcesChangeWhileAllMovesEvenly) {
  const auto done = run_checked(make_block("0.7", 10.0, R"([[springs]]
from = { at = [0, 0.1] }
to = { body = "block" }
stiffness = 20
length = 0.3
[initial]
x = -0.5
x_dot = 0.7
)"),
                                1.4);
  EXPECT_THAT(list_types(done.run), IsEmpty());
  EXPECT_NEAR(done.run.state.q[0], 0.48, 1e-14);
}

/// A box of 2 kg on feet at x = -0.2, 0.2 and others, 0.2 below its centre, with more lines.
std::string make_box(const std::vector<double>& feet, const std::string& gravity,
                     const std::string& speed, double mu, const std::string& more) {
  std::string out = fmt::format(R"(gravity = {}
[[bodies]]
name = "box"
mass = 2
gyration = 0.16
joint = {{ type = "free", coordinates = ["x", "y", "a"] }}
[[surfaces]]
name = "floor"
speed = "{}"
)",
                                gravity, speed);
  for (std::size_t i = 0; i < feet.size(); ++i) {
    out += fmt::format(
        "[[contacts]]\nname = \"c{}\"\nbody = \"box\"\nsurface = \"floor\"\n"
        "point = [{}, -0.2]\nmu = {}\n",
        i, feet[i], mu);
  }
  return out + more;
}

/// On a slope of exactly tan = mu three feet slide to rest on a belt, with x'' = 5 + 5, and go with
/// it from t = 0.1 on. Feet of one body do not part, as some families of forces would let them.
TEST(Ties, ThreeFeetOnASlopeOfTheFrictionAngle) {
  const auto done = run_checked(
      make_box({-0.2, 0.2, 0.0}, "[5, -10]", "0.5", 0.5, "[initial]\ny = 0.2\nx_dot = -0.5\n"),
      1.0);
  EXPECT_EQ(done.run.end.reason, EndReason::kTime);
  EXPECT_NEAR(done.run.state.q[0], 0.45, 1e-12);
  EXPECT_NEAR(done.run.state.v[0], 0.5, 1e-12);
}

/// At t = 1 the load reaches mu m g, at which the box slips, and at which it tips over its front
/// foot as well, and grows no further: all stays at rest.
TEST(Ties, LoadStaysWhereTheBoxSlipsAndTips) {
  const auto done = run_checked(make_box({-0.2, 0.2}, "[0, -10]", "0", 1.0, R"toml([[forces]]
body = "box"
force = ["min(20, 20*t)", 0]
[initial]
y = 0.2
)toml"),
                                2.0);
  EXPECT_NE(done.run.end.reason, EndReason::kFailure) << done.run.end.why.sentence;
  EXPECT_NEAR(done.run.state.q[0], 0.0, 1e-12);
  EXPECT_NEAR(done.run.state.q[2], 0.0, 1e-12);
}

/// A box stands with as many feet on a belt that slows down as on the floor, with equal friction.
/// How they share the weight is not determined; with equal shares nothing accelerates the box, so
/// it stays. Feet on the belt slide until it stops. It used to go back and forth instead, with feet
/// of zero force that lifted off.
TEST(Ties, BoxWithFeetOnABeltAndOnTheFloorStays) {
  for (const int pairs : {1, 2, 3}) {
    std::string text = R"toml(gravity = [0, -10]
[[surfaces]]
name = "belt"
speed = "max(0, 0.5*(1 - t))"
[[surfaces]]
name = "floor"
[[bodies]]
name = "box"
mass = 1
gyration = 0.1
joint = { type = "translation", coordinates = ["x", "y"] }
)toml";
    for (int i = 0; i < 2 * pairs; ++i) {
      text += fmt::format(
          "[[contacts]]\nname = \"c{0}\"\nbody = \"box\"\npoint = [{0}, -0.3]\n"
          "surface = \"{1}\"\nmu = 0.2\n",
          i, i < pairs ? "belt" : "floor");
    }
    const auto done = run_checked(text + "[initial]\ny = 0.3\n", 1.5);
    EXPECT_THAT(list_types(done.run), ElementsAre("stick")) << pairs;
    EXPECT_NEAR(done.run.events.at(0).time, 1.0, 1e-12) << pairs;
    EXPECT_NEAR(done.run.state.q[0], 0.0, 1e-12) << pairs;
  }
}

/// A box that rocks on three feet of one height: those that are open reach the floor at one time,
/// when its base is level, however slowly it falls. The time of the last impact here is that of
/// tests/reference/simulate.py.
TEST(Ties, LevelFeetCollideTogether) {
  std::string text = R"(gravity = [0, -10]
[[bodies]]
name = "box"
mass = 2
gyration = 0.310913
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
)";
  for (const double x : {-0.2, 0.2, 0.0}) {
    text += fmt::format(
        "[[contacts]]\nname = \"at {0}\"\nbody = \"box\"\nsurface = \"floor\"\n"
        "point = [{0}, -0.5]\nmu = 0.2\n",
        x);
  }
  const auto done = run_checked(text + "[initial]\ny = 0.7\nx_dot = 0.5\na_dot = 1\n", 0.7285);
  int together = 0;
  for (const Event& event : done.run.events) {
    if (event.type != EventType::kImpact || std::abs(event.before.q[2]) > 1e-9) continue;
    EXPECT_EQ(event.contacts.size(), 2U) << event.time;
    ++together;
  }
  EXPECT_EQ(together, 4);
  ASSERT_FALSE(done.run.events.empty());
  EXPECT_NEAR(done.run.events.back().time, 0.7282907142681411, 1e-9);
}

/// A body on a rail, held by three bilateral contacts of which one has friction, runs into a wall
/// without restitution. The rail drags it on: it stays at the wall.
TEST(Ties, RedundantSliderStaysAtTheWall) {
  std::string text = R"(gravity = [0, -10]
[[bodies]]
name = "slider"
mass = 1
gyration = 0.1
com = [-0.05, 0.25]
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "rail"
speed = 0.7
[[surfaces]]
name = "wall"
point = [0.5, 0]
normal = [-1, 0]
[[contacts]]
name = "stop"
body = "slider"
surface = "wall"
point = [0.25, -0.03]
)";
  for (const auto& [x, mu] : {std::pair(-0.2, 0.2), std::pair(0.2, 0.0), std::pair(0.0, 0.0)}) {
    text += fmt::format(
        "[[contacts]]\nname = \"at {0}\"\nbody = \"slider\"\nsurface = \"rail\"\n"
        "point = [{0}, 0]\nmu = {1}\nbilateral = true\n",
        x, mu);
  }
  const auto done = run_checked(text + "[initial]\nx_dot = 1\n", 1.0);
  EXPECT_NE(done.run.end.reason, EndReason::kFailure) << done.run.end.why.sentence;
  EXPECT_NEAR(done.run.state.q[0], 0.25, 1e-12);
  EXPECT_NEAR(done.run.state.v[0], 0.0, 1e-12);
}

/// On a spring and a belt at v, mu_s = mu: once it slips, x = mu g/w^2 + (v/w) sin w (t - t_0), and
/// the slip touches zero once a period without an event; t_0 = mu g/(w^2 v) with w = 10/s.
TEST(Ties, SlipThatTouchesZeroGoesOn) {
  const double v = 0.5;
  const double mu = 0.4;
  const std::string spring = fmt::format(
      "[[springs]]\nfrom = {{ at = [-1, 0] }}\nto = {{ body = \"block\" }}\n"
      "stiffness = 100\nlength = 1\n[initial]\nx_dot = {}\n",
      v);
  const auto done = run_checked(make_block(fmt::format("{}", v), mu, spring), 20.0);
  EXPECT_THAT(list_types(done.run), ElementsAre("slip"));
  const double start = mu * 10.0 / (100.0 * v);
  EXPECT_NEAR(done.run.events[0].time, start, 1e-13);
  const double x = mu * 10.0 / 100.0 + v / 10.0 * std::sin(10.0 * (20.0 - start));
  EXPECT_NEAR(done.run.state.q[0], x, 1e-11);
}

/// Without friction nothing acts: x = t, while the slip 1 - sin 5 t touches zero.
TEST(Ties, FrictionlessSlipThatTouchesZero) {
  const auto done = run_checked(make_block("sin(5*t)", 0.0, "[initial]\nx_dot = 1\n"), 5.0);
  EXPECT_THAT(list_types(done.run), IsEmpty());
  EXPECT_NEAR(done.run.state.q[0], 5.0, 1e-13);
}

/// A contact without friction has the letter of its slip from the start, also where that begins
/// with no acceleration: x'' = t (1 - t) turns back at t = 3/2, x'' = t^2 (1 - t) at 4/3.
TEST(Ties, FrictionlessContactIsNamedByItsSlip) {
  for (const auto& [force, turns] :
       {std::pair("t*(1-t)", 1.5), std::pair("t^2*(1-t)", 4.0 / 3.0)}) {
    const std::string load =
        fmt::format("[[forces]]\nbody = \"block\"\nforce = [\"{}\", 0]\n", force);
    const auto done = run_checked(make_block("0", 0.0, load), 5.0);
    EXPECT_EQ(to_letters(done.run.trajectory->modes.at(0).word), "P") << force;
    ASSERT_THAT(list_types(done.run), ElementsAre("slip-reversal")) << force;
    EXPECT_NEAR(done.run.events[0].time, turns, 1e-12) << force;
  }
}

/// A body at rest on a floor ends the run though another surface, which it does not touch, moves.
TEST(Ties, UntouchedBeltDoesNotWake) {
  std::string text = make_block("0", 0.5, "[initial]\ny = 1\n");
  text.replace(
      text.find("[initial]"), 0,
      "[[surfaces]]\nname = \"far\"\npoint = [0, 9]\nnormal = [0, -1]\nspeed = \"sin(t)\"\n"
      "[[contacts]]\nname = \"top\"\nbody = \"block\"\nsurface = \"far\"\n");
  const auto done = run_checked(text, 5.0);
  EXPECT_EQ(done.run.end.reason, EndReason::kRest);
  EXPECT_NEAR(done.run.end.time, std::sqrt(0.2), 1e-13);
}

/// Without gravity there is no scale but the motion itself: x = (x_0 + t (v_0 + w x_0)) e^(-w t) of
/// critical damping dies out.
TEST(Ties, OscillatorDiesOutWithoutGravity) {
  const auto done = run_checked(R"([[bodies]]
name = "b"
mass = 1
gyration = 0
joint = { type = "prismatic", axis = [1, 0], coordinate = "x" }
[[springs]]
from = { at = [-1, 0] }
to = { body = "b" }
stiffness = 100
length = 1
damping = 20
[initial]
x = 0.1
)",
                                10.0);
  EXPECT_LT(std::abs(done.run.state.q[0]), 1e-12);
}

/// A box without weight hits a wall flat and stays there.
TEST(Ties, FlatStopWithoutGravity) {
  const auto done = run_checked(R"([[bodies]]
name = "b"
mass = 0.5
inertia = 0.7
joint = { type = "free", coordinates = ["x", "y", "th"] }
[[surfaces]]
name = "wall"
point = [2, 0]
normal = [-1, 0]
[[contacts]]
name = "w1"
body = "b"
point = [0.2, -0.5]
surface = "wall"
[[contacts]]
name = "w3"
body = "b"
point = [0.2, 0.5]
surface = "wall"
[initial]
x_dot = 0.7
)",
                                5.0);
  EXPECT_NEAR(done.run.events.at(0).time, 1.8 / 0.7, 1e-14);
  EXPECT_NEAR(done.run.state.q[0], 1.8, 1e-14);
}

/// A contact that ceases to exist at x = 0.3 while it slides does so once.
TEST(Ties, ContactCeasesToExistOnce) {
  const auto done = run_checked(make_block("0", 0.2, R"(active_when = "x < 0.3"
[initial]
x_dot = 2
)"),
                                1.0);
  EXPECT_THAT(list_types(done.run), ElementsAre("liftoff"));
  const double speed = std::sqrt(4.0 - 2.0 * 2.0 * 0.3);
  EXPECT_NEAR(done.run.events[0].time, (2.0 - speed) / 2.0, 1e-13);
}

/// A belt drags a sticking tip until its two-jointed arm locks: the force grows like (t* - t)^-2
/// (derived at ModeIntegration::fail_or_lock), and the motion cannot continue.
TEST(Ties, ContactDrivenToADeadCentreLocks) {
  const auto done = run_checked(R"(gravity = [0, -9.81]
[[bodies]]
name = "b0"
mass = 2.3
gyration = 0.25
com = [-0.13, -0.09]
joint = { type = "revolute", angle = 0.2457, coordinate = "a0" }
[[bodies]]
name = "b1"
mass = 2.3
gyration = 0.15
com = [0.13, -0.14]
joint = { type = "prismatic", parent = "b0", at = [-0.145, -0.3632], coordinate = "a1", axis = [-0.7874, 0.5787] }
[[surfaces]]
name = "s0"
point = [0, -0.7569]
speed = 0.6517
[[contacts]]
name = "c1"
body = "b1"
point = [-0.3427, -0.2257]
surface = "s0"
mu = 0.3651
[initial]
a0 = 0.1999
a0_dot = 1.8494
a1 = -0.0298
a1_dot = -1.3062
)",
                                1.0);
  ASSERT_EQ(done.run.end.reason, EndReason::kJam);
  const Event& jam = done.run.events.back();
  EXPECT_EQ(jam.type, EventType::kJam);
  EXPECT_EQ(jam.exponent, -2.0);
  const double left = 1e-4;
  const auto eval_force = [&](double time) {
    const TrajectorySample at = done.run.trajectory.eval(time);
    return eval_mode_field(*done.loaded.model, done.run.trajectory->modes[at.mode], at.state)
        .impulse_rate[0];
  };
  const double ratio = eval_force(jam.time - left) / eval_force(jam.time - 2.0 * left);
  EXPECT_NEAR(std::log2(ratio), 2.0, 0.05);
}

/// No lock: a formula ends, on a surface that stands still, whatever the forces are.
TEST(Ties, FormulaThatEndsIsNamed) {
  for (const char* gravity : {"0", "-10"}) {
    std::string text = make_block("0", 0.5, R"text([[forces]]
body = "block"
force = ["0.1*sqrt(1-t)", -1e8]
)text");
    text.replace(text.find("-10"), 3, gravity);
    const auto run = testkit::run_text(text, 2.0);
    EXPECT_EQ(run.end.reason, EndReason::kFailure) << gravity;
    EXPECT_NE(run.end.why.sentence.find("'0.1*sqrt(1-t)' is not a finite number"),
              std::string::npos)
        << run.end.why.sentence;
  }
}

/// A contact that ceases to exist in the instant in which its slip ends is gone: the block falls.
TEST(Ties, SlipEndsWithTheContact) {
  const auto done = run_checked(make_block("0", 0.5, R"(active_when = "x_dot > 0"
[initial]
x_dot = 1
)"),
                                1.0);
  EXPECT_NEAR(done.run.state.q[1], -0.5 * 10.0 * 0.8 * 0.8, 1e-10);
}

/// A leg that leans, on a foot of m kg that sticks: the body swings along the leg as if the foot
/// had no mass, z'' = -(k/M)(z - 1) - g cos a.
TEST(Ties, LightFootSticks) {
  for (const double foot : {1e-3, 1e-5, 1e-8}) {
    const auto done = run_checked(fmt::format(R"(gravity = [0, -9.81]
[[bodies]]
name = "foot"
mass = {}
gyration = 0
joint = {{ type = "translation", coordinates = ["x", "y"] }}
[[bodies]]
name = "top"
mass = 1
gyration = 0
joint = {{ type = "prismatic", parent = "foot", axis = [0.2, 1], coordinate = "z" }}
[[surfaces]]
name = "floor"
[[contacts]]
name = "f"
body = "foot"
surface = "floor"
mu = 5
[[springs]]
from = {{ body = "foot" }}
to = {{ body = "top" }}
stiffness = 100
length = 1
[initial]
z = 0.8846
)",
                                              foot),
                                  3.0);
    ASSERT_EQ(done.run.end.reason, EndReason::kTime) << foot;
    const double middle = 1.0 - 9.81 / std::sqrt(1.04) / 100.0;
    const double z = middle + (0.8846 - middle) * std::cos(10.0 * 3.0);
    EXPECT_NEAR(done.run.state.q[2], z, 1e-11) << foot;
  }
}

/// A box of 2 kg on two feet at +-0.2 stands on a slope of tan = mu = 1/2: N_1 + N_2 = 20 and
/// 0.2 (N_2 - N_1) = 0.1 * 10 give N = 7.5, 12.5, and the friction of both feet together, 10, is
/// all that they have. So the forces are unique, though the feet are redundant.
TEST(Ties, FamilyWithoutWidthIsNone) {
  const LoadedModel loaded = parse_model("box.toml", R"toml(gravity = [5, -10]
[[bodies]]
name = "box"
mass = 2
gyration = 0.1
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "slope"
[[contacts]]
name = "left"
body = "box"
point = [-0.2, -0.1]
surface = "slope"
mu = 0.5
[[contacts]]
name = "right"
body = "box"
point = [0.2, -0.1]
surface = "slope"
mu = 0.5
[initial]
y = 0.1
)toml",
                                         {});
  const Classification found = classify(*loaded.model, loaded.initial, Tolerances{});
  bool sticks = false;
  for (const ModeSolution& solution : found.solutions) {
    EXPECT_EQ(solution.family.dimension, 0) << to_letters(solution.modes);
    EXPECT_NEAR(solution.force_n[0], 7.5, 1e-7);
    EXPECT_NEAR(solution.force_n[1], 12.5, 1e-7);
    EXPECT_NEAR(solution.force_t[0], -3.75, 1e-7);
    EXPECT_NEAR(solution.force_t[1], -6.25, 1e-7);
    sticks = sticks || to_letters(solution.modes) == "SS";
  }
  EXPECT_TRUE(sticks);
}

}  // namespace
}  // namespace slipstick
