/// Thresholds of motions and classes against closed forms.

#include "slipstick/outcomes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "slipstick/io/ask.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

/// The outcomes of a model over one value.
OutcomeMap find_over(const LoadedModel& loaded, const OutcomeAxis& axis, Ask ask = {}) {
  return find_outcomes(
      {{axis}, make_asker(check_ask(std::move(ask), loaded), loaded, {axis.name})});
}

/// Exactly one threshold, as near to a value as its own error says.
void expect_threshold(const OutcomeMap& map, double exact) {
  ASSERT_EQ(map.thresholds.size(), 1U) << ::testing::PrintToString(map.labels);
  const OutcomeThreshold& threshold = map.thresholds[0];
  EXPECT_LE(std::abs(threshold.value - exact), threshold.error);
  EXPECT_LE(threshold.error, 1e-7 * std::abs(exact));
}

/// A block of half-widths b and h that is tilted by an angle about its corner and released. In
/// sticking its angular acceleration is (3/4) g sin(c)/l with c = atan(b/h) - tilt, so that
/// f_t/f_n = (3/4) sin(c) cos(c) / (1 - (3/4) sin(c)^2).
constexpr const char* kTiltedBlock = R"toml(
gravity = [0, -9.81]
[parameters]
b = {}
h = {}
tilt = {}
mu = 0.4
[[bodies]]
name = "block"
mass = 2
inertia = "2*(b^2 + h^2)/3"
joint = {{ type = "free", coordinates = ["x", "y", "phi"] }}
[[surfaces]]
name = "floor"
[[contacts]]
name = "corner"
body = "block"
point = ["-b", "-h"]
surface = "floor"
mu = "mu"
[initial]
phi = "tilt"
y = {{ close = "corner" }}
)toml";

TEST(OutcomesOfMotion, ATiltedBlockSticks) {
  struct Block {
    double b, h, tilt;
  };
  for (const Block& block :
       {Block{0.3, 1.0, 0.17}, Block{300.0, 800.0, 0.1}, Block{2e-4, 1e-3, 0.05}}) {
    SCOPED_TRACE(block.b);
    const LoadedModel loaded = parse_model(
        "block.toml", fmt::format(fmt::runtime(kTiltedBlock), block.b, block.h, block.tilt), {});
    const double c = std::atan(block.b / block.h) - block.tilt;
    const double s = std::sin(c);
    const double exact = 0.75 * s * std::cos(c) / (1.0 - 0.75 * s * s);
    Ask ask;
    ask.verb = "classify";
    expect_threshold(find_over(loaded, {"mu", {0.01, 0.6}, 30, false}, ask), exact);
    expect_threshold(find_over(loaded, {"mu", {0.01, 0.6}, 5, true}, ask), exact);
  }
}

/// A drawer of guide length d, pushed at distance a from its middle line: it slides in two corners
/// that jam for 2 mu a > d. At rest it can then not be moved by any push.
TEST(OutcomesOfMotion, ADrawerJams) {
  constexpr const char* kDrawer = R"toml(
[parameters]
d = 0.4
a = 0.5
mu = 0.3
push = 20
[[bodies]]
name = "drawer"
mass = 1.5
inertia = 0.2
joint = { type = "free", coordinates = ["x", "y", "phi"] }
[[surfaces]]
name = "left"
point = [0, -0.1]
[[surfaces]]
name = "right"
point = [0, 0.1]
normal = [0, -1]
[[contacts]]
name = "rear"
body = "drawer"
point = ["-d/2", "-0.1"]
surface = "left"
mu = "mu"
[[contacts]]
name = "front"
body = "drawer"
point = ["d/2", "0.1"]
surface = "right"
mu = "mu"
[[forces]]
body = "drawer"
at = [0, "-a"]
force = ["push", 0]
[initial]
)toml";
  const LoadedModel loaded = parse_model("drawer.toml", kDrawer, {});
  // The push and its arm a + mu b: f (1 - 2 mu (a)/d) with the friction of both corners, which act
  // at +-0.1 from the middle line: their moments about it cancel.
  Ask ask;
  ask.verb = "classify";
  const OutcomeMap map = find_over(loaded, {"mu", {0.1, 0.8}, 30, false}, ask);
  bool found = false;
  for (const OutcomeThreshold& threshold : map.thresholds) {
    found = found || std::abs(threshold.value - 0.4 / (2.0 * 0.5)) <= threshold.error;
  }
  EXPECT_TRUE(found) << ::testing::PrintToString(map.labels);
}

/// A roller that is pulled out of the wedge of two surfaces at the angle beta is held if
/// mu > tan(beta/2).
TEST(OutcomesOfMotion, ARollerIsHeldInAWedge) {
  constexpr const char* kRoller = R"toml(
[parameters]
beta = "20*deg"
r = 0.5
mu = 0.3
[[bodies]]
name = "roller"
mass = 1
inertia = "r^2/2"
joint = { type = "free", coordinates = ["x", "y", "phi"] }
[[surfaces]]
name = "low"
[[surfaces]]
name = "high"
normal = ["sin(beta)", "-cos(beta)"]
point = ["-r/tan(beta/2)", 0]
[[contacts]]
name = "a"
body = "roller"
surface = "low"
radius = "r"
mu = "mu"
[[contacts]]
name = "b"
body = "roller"
surface = "high"
radius = "r"
mu = "mu"
[[forces]]
coordinate = "x"
value = 10
[initial]
y = "r"
)toml";
  Ask ask;
  ask.verb = "classify";
  for (const double degrees : {20.0, 7.0, 50.0}) {
    const std::vector<Override> overrides{{"beta", fmt::format("{}*deg", degrees)}};
    const LoadedModel loaded = parse_model("roller.toml", kRoller, overrides);
    expect_threshold(find_over(loaded, {"mu", {0.02, 0.6}, 30, false}, ask),
                     std::tan(0.5 * degrees * std::numbers::pi / 180.0));
  }
}

/// The climber of a ladder against a smooth wall: s = (mu (m + M) tan(alpha) - m/2) L/M.
TEST(OutcomesOfMotion, AClimberOnALadder) {
  constexpr const char* kLadder = R"toml(
gravity = [0, -9.81]
[parameters]
L = 5
m = 20
M = 80
s = 1
alpha = "65*deg"
mu = 0.35
[[bodies]]
name = "ladder"
mass = "m"
inertia = "m*L^2/12"
com = ["-L/2", 0]
point_masses = [{ mass = "M", at = ["-s", 0] }]
joint = { type = "free", coordinates = ["x", "y", "phi"], sense = "clockwise" }
[[surfaces]]
name = "floor"
[[surfaces]]
name = "wall"
normal = [1, 0]
[[contacts]]
name = "foot"
body = "ladder"
surface = "floor"
mu = "mu"
[[contacts]]
name = "top"
body = "ladder"
point = ["-L", 0]
surface = "wall"
[initial]
phi = "alpha"
x = { close = "top", near = "L*cos(alpha)" }
y = { close = "foot" }
)toml";
  const LoadedModel loaded = parse_model("ladder.toml", kLadder, {});
  const double exact =
      (0.35 * 100.0 * std::tan(65.0 * std::numbers::pi / 180.0) - 10.0) * 5.0 / 80.0;
  expect_threshold(find_over(loaded, {"s", {0.1, 4.9}, 25, false}), exact);
  Ask ask;
  ask.verb = "stability";
  expect_threshold(find_over(loaded, {"s", {0.1, 4.9}, 25, false}, ask), exact);
}

/// A thrown ball over a wall: the border between landing before and beyond a step of time is
/// v^2/g sin(2 alpha) in closed form; here as a curve over speed and angle.
TEST(OutcomesOfMotion, BorderOfAFlight) {
  constexpr const char* kBall = R"toml(
gravity = [0, -10]
[parameters]
v = 4
alpha = 0.7
[[bodies]]
name = "ball"
mass = 1
inertia = 1
joint = { type = "free", coordinates = ["x", "y", "phi"] }
[[surfaces]]
name = "floor"
[[surfaces]]
name = "wall"
point = [2, 0]
normal = [-1, 0]
[[contacts]]
name = "low"
body = "ball"
surface = "floor"
[[contacts]]
name = "far"
body = "ball"
surface = "wall"
[initial]
x_dot = "v*cos(alpha)"
y_dot = "v*sin(alpha)"
)toml";
  const LoadedModel loaded = parse_model("ball.toml", kBall, {});
  OutcomeQuestion question;
  question.axes = {{"v", {3.0, 8.0}, 15, false}, {"alpha", {0.2, 1.3}, 15, false}};
  Ask ask;
  ask.run.types = {EventType::kImpact};
  question.find = make_asker(check_ask(ask, loaded), loaded, {"v", "alpha"});
  const OutcomeMap map = find_outcomes(question);
  ASSERT_EQ(map.borders.size(), 1U) << ::testing::PrintToString(map.labels);
  for (const Vec2& at : map.borders[0].points) {
    const double range = at.x() * at.x() / 10.0 * std::sin(2.0 * at.y());
    EXPECT_NEAR(range, 2.0, 1e-4);  // d(range)/dv up to 1.6 m/(m/s), axes to 5e-6 and 1e-6
  }
}

}  // namespace
}  // namespace slipstick
