/// Impulses during a motion: which contact can be struck, and what follows.

#include "slipstick/sim/hybrid/strikes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/io/parse_modes.h"
#include "slipstick/model_file.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testkit::Started;

/// p = 1 + 12 cos(1) (cos(1) - 3 sin(1)) < 0 and b = -1 (m = l = weight = 1, I = 1/12).
std::vector<Override> set_paradox() { return {{"mu", "3"}, {"theta", "1"}, {"theta_dot", "0"}}; }

/// A block has p = 1, a bar that sticks has no slip that friction could act on.
TEST(Strikes, NeedASlipAndANegativeP) {
  const auto find = [](const Started& started) {
    return find_strikable(started.model(), started.at.state, started.at.contacts, started.laws);
  };
  EXPECT_EQ(find(Started("sliding-block")), -1);
  EXPECT_EQ(find(Started("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"slip", "0"}})), -1);
  EXPECT_EQ(find(Started("painleve-bar", set_paradox())), 0);
}

TEST(Strikes, AreKnownByTimeAndState) {
  Started bar("painleve-bar", set_paradox());
  EXPECT_FALSE(was_struck(bar.model(), bar.at));
  bar.at.struck.push_back(bar.at.state);
  EXPECT_TRUE(was_struck(bar.model(), bar.at));
  bar.at.state.v[0] += 1e-3;
  EXPECT_FALSE(was_struck(bar.model(), bar.at));
  bar.at.state.v[0] -= 1e-3;
  bar.at.state.time = 1e-3;
  EXPECT_FALSE(was_struck(bar.model(), bar.at));
}

/// The outcome remembers where it acted, and seeks a mode next. An impulse needs no time or way.
TEST(Strikes, OutcomeOfAnImpulse) {
  const Started bar("painleve-bar", set_paradox());
  const Transitions found = find_outcomes(bar.model(), bar.at, bar.laws,
                                          IsStruck{-1, bar.at.contacts.make_word(), false});
  EXPECT_EQ(found.question, Question::kImpact);
  ASSERT_EQ(found.ways.size(), 1U);
  const HybridState& next = found.ways[0].next;
  EXPECT_THAT(next.struck, ElementsAre(bar.at.state));
  EXPECT_TRUE(std::holds_alternative<SeeksMode>(next.pending));
  EXPECT_TRUE(are_equal(next.state.q, bar.at.state.q));
  EXPECT_EQ(next.state.time, bar.at.state.time);
  EXPECT_EQ(found.ways[0].events.at(0).type, EventType::kTangentialImpact);
  EXPECT_THAT(found.ways[0].events.at(0).contacts, ElementsAre(0));
}

/// Friction does not act where nothing slides: a dead end.
TEST(Strikes, NoImpulseIsADeadEnd) {
  const Started block("sliding-block", {{"v0", "0"}});
  const Transitions found =
      find_outcomes(block.model(), block.at, block.laws, IsStruck{-1, *parse_modes("S"), false});
  EXPECT_THAT(found.ways, IsEmpty());
  ASSERT_TRUE(found.end);
  EXPECT_EQ(found.end->reason, EndReason::kInconsistent);
}

/// A collision is remembered as one that may belong to an accumulation. Ball: -2 m/s, e = 0.8.
TEST(Strikes, CollisionIsRecorded) {
  const Started ball("bouncing-ball", {{"height", "0"}, {"y_dot", "-2"}});
  const Transitions found =
      find_outcomes(ball.model(), ball.at, ball.laws, Collides{{0}, *parse_modes("F")});
  ASSERT_EQ(found.ways.size(), 1U);
  const std::vector<Impact>& impacts = found.ways[0].next.bounces.impacts();
  ASSERT_EQ(impacts.size(), 1U);
  EXPECT_NEAR(impacts[0].after.v[0], 1.6, 1e-15);
  EXPECT_EQ(impacts[0].modes, *parse_modes("F"));
}

/// A level rod of m = 2 kg with feet at +-l collides with one foot while the other touches the
/// floor without a rate: y' = -0.3 and l a' = -0.3. With k = (l/rho)^2 = 4 and both at rest
/// afterwards, P_0
/// + P_1 = m 0.3 and P_0 - P_1 = m 0.3/k. A foot that touches at this instant belongs to the event;
/// one that stood before does not.
TEST(Strikes, ContactThatTouchesDuringACollisionBelongsToIt) {
  const LoadedModel loaded = parse_model("test.toml", R"(gravity = [0, -10]
[[bodies]]
name = "rod"
mass = 2
gyration = 0.2
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "colliding"
body = "rod"
point = [0.4, 0]
surface = "floor"
mu = 0
[[contacts]]
name = "touching"
body = "rod"
point = [-0.4, 0]
surface = "floor"
mu = 0
[initial]
y_dot = -0.3
a_dot = -0.75
)",
                                         {});
  const Laws laws = make_laws({});
  const HybridState at = make_start(*loaded.model, loaded.initial, laws);
  const auto strike = [&](const char* before) {
    return find_outcomes(*loaded.model, at, laws, Collides{{0}, *parse_modes(before)});
  };
  const Transitions touches = strike("FF");
  ASSERT_EQ(touches.ways.size(), 1U);
  const Event& event = touches.ways[0].events.at(0);
  EXPECT_THAT(event.contacts, ElementsAre(0, 1));
  EXPECT_NEAR(event.impact->impulse_n[0], 0.375, 1e-12);
  EXPECT_NEAR(event.impact->impulse_n[1], 0.225, 1e-12);
  const Transitions stood = strike("FS");
  ASSERT_EQ(stood.ways.size(), 1U);
  EXPECT_THAT(stood.ways[0].events.at(0).contacts, ElementsAre(0));
}

}  // namespace
}  // namespace slipstick
