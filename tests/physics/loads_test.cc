/// Loads and conditions that change with time and place.

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
using testkit::list_types;
using testkit::run_text;

/// A block of 1 kg on the floor.
const std::string kBlock = R"(
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
)";

/// Friction 0.5: it slips when the force exceeds 5 N.
TEST(Loads, RestingBlockSlipsWhenTheForceHasGrown) {
  const auto run = run_text("gravity = [0, -10]" + kBlock + R"(mu = 0.5
[[forces]]
body = "block"
force = ["2*t", 0]
)",
                            4.0);
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_EQ(run.events[0].type, EventType::kSlip);
  EXPECT_NEAR(run.events[0].time, 2.5, 1e-11);
  EXPECT_NEAR(run.state.v[0], 1.5 * 1.5, 1e-10);  // x'' = 2 (t - 2.5)
}

/// In a slide, pressed with |sin t|, friction 0.3: 0.3 (2 + 1 - cos(t - pi)) = 1 when it stops; the
/// force passes through zero while it slides, and again while it rests.
TEST(Loads, BilateralForcesPassThroughZero) {
  const auto run = run_text(kBlock + R"toml(mu = 0.3
bilateral = true
[[forces]]
body = "block"
force = [0, "sin(t)"]
[initial]
x_dot = 1
)toml",
                            9.0);
  EXPECT_THAT(list_types(run), ElementsAre("stick"));
  EXPECT_NEAR(run.events[0].time, std::numbers::pi + std::acos(-1.0 / 3.0), 1e-11);
  EXPECT_EQ(run.end.reason, EndReason::kTime);
}

/// The floor ends at x = 1.
TEST(Loads, ContactEndsWithItsCondition) {
  const auto run = run_text("gravity = [0, -10]" + kBlock + R"(active_when = "x < 1"
[initial]
x_dot = 3
)",
                            1.0);
  EXPECT_THAT(list_types(run), ElementsAre("liftoff"));
  EXPECT_NEAR(run.events[0].time, 1.0 / 3.0, 1e-14);
  EXPECT_NEAR(run.state.q[1], -5.0 * 4.0 / 9.0, 1e-12);
}

/// Pushed back, the block is beyond the end of the floor for a part of one long step only.
TEST(Loads, ConditionThatFailsWithinAStepIsSeen) {
  const auto run = run_text("gravity = [0, -10]" + kBlock + R"(active_when = "x < 1"
[[forces]]
body = "block"
force = [-6, 0]
[initial]
x_dot = 4
)",
                            1.2);
  EXPECT_THAT(list_types(run), ElementsAre("liftoff"));
  EXPECT_NEAR(run.events[0].time, 1.0 / 3.0, 1e-14);  // 4 t - 3 t^2 = 1
  EXPECT_NEAR(run.state.q[1], -5.0 * std::pow(1.2 - 1.0 / 3.0, 2), 1e-12);
}

/// A second contact at the same point exists on a rough patch only. It closes where the patch
/// begins; how the two share the weight is not determined, and the event says so.
TEST(Loads, ContactBeginsAtItsSurface) {
  const auto run = run_text("gravity = [0, -10]" + kBlock + R"([[contacts]]
name = "rough"
body = "block"
point = [0, 0]
surface = "floor"
mu = 0.3
active_when = "x > 1 && x < 2"
[initial]
x_dot = 4
)",
                            1.0);
  EXPECT_THAT(list_types(run), ElementsAre("indeterminate", "touchdown", "liftoff"));
  EXPECT_NEAR(run.events.at(0).time, 0.25, 1e-14);
}

/// The floor begins at x = 1, where the block comes down: rounding does not decide whether it falls
/// past the edge.
TEST(Loads, ContactBeginsAsItTouches) {
  for (int i = 1; i <= 20; ++i) {
    const double height = 0.1 * i;
    const double time = std::sqrt(height / 5.0);
    SCOPED_TRACE(height);
    const auto run = run_text("gravity = [0, -10]" + kBlock + R"(active_when = "x > 1"
[initial]
x_dot = 3
y = )" + fmt::format("{:.17g}\nx = {:.17g}\n", height, 1.0 - 3.0 * time),
                              time + 1.0);
    EXPECT_THAT(list_types(run), ElementsAre("impact"));
    EXPECT_NEAR(run.events.at(0).time, time, 1e-14);
    EXPECT_NEAR(run.state.q[0], 4.0, 1e-13);
  }
}

/// A block at rest under a push along the floor, friction 0.5.
Run push(const std::string& force) {
  return run_text("gravity = [0, -10]" + kBlock +
                      "mu = 0.5\n[[forces]]\nbody = \"block\"\nforce = [\"" + force + "\", 0]\n",
                  10.0);
}

/// 20 exp(-((t - 5)/0.01)^2) = 5 at t = 5 - 0.01 sqrt(ln 4).
TEST(Loads, ShortPulseIsNotSteppedOver) {
  const auto run = push("20*exp(-((t - 5)/0.01)^2)");
  EXPECT_THAT(list_types(run), ElementsAre("slip", "stick"));
  EXPECT_NEAR(run.events[0].time, 5.0 - 0.01 * std::sqrt(std::log(4.0)), 1e-12);
}

TEST(Loads, BeatsMoveItManyTimes) {
  const auto run = push("6*sin(0.3*t)*sin(20*t)");
  EXPECT_EQ(run.end.reason, EndReason::kTime);
  ASSERT_EQ(run.events.size() % 2, 0U);
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    EXPECT_EQ(run.events[i].type, i % 2 == 0 ? EventType::kSlip : EventType::kStick);
    if (i % 2 == 1) continue;
    const double time = run.events[i].time;
    EXPECT_NEAR(std::abs(6.0 * std::sin(0.3 * time) * std::sin(20.0 * time)), 5.0, 1e-9);
  }
}

/// 8 N from t = 1 on: x'' = 3.
TEST(Loads, JumpOfAForceStartsTheMotion) {
  const auto run = push("t > 1 ? 8 : 0");
  EXPECT_THAT(list_types(run), ElementsAre("slip"));
  EXPECT_NEAR(run.events[0].time, 1.0, 1e-10);
  EXPECT_NEAR(run.state.v[0], 27.0, 1e-8);
}

/// A force that always opposes the velocity by more than anything else holds it at zero, which no
/// sequence of steps can follow: that is a contact's friction, not a force's.
TEST(Loads, ForceThatHoldsAVelocityAtZeroIsNamed) {
  const auto run = run_text(kBlock + R"toml([[forces]]
body = "block"
force = ["x_dot > 0 ? -1 : 1", 0]
[initial]
x_dot = 0.1
)toml",
                            1.0);
  EXPECT_EQ(run.end.reason, EndReason::kFailure);
  EXPECT_THAT(run.end.why.sentence, ::testing::HasSubstr("a force seems to jump"));
  EXPECT_NEAR(run.end.time, 0.1, 1e-4);
}

/// The last step ends at the time asked for, up to rounding.
TEST(Loads, LongRunEndsWhereItWasAskedTo) {
  for (const double until : {1.0, 3.3, 10.0}) {
    const auto run = testkit::run_case({"jamming-chain-level", {}, until, {}});
    EXPECT_EQ(run.end.reason, EndReason::kTime);
    EXPECT_EQ(run.state.time, until);
    EXPECT_LT(run.counts.steps, 3000);
  }
}

}  // namespace
}  // namespace slipstick
