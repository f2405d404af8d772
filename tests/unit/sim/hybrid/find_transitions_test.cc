/// The ways on from single states, with none, one and several answers.

#include "slipstick/sim/hybrid/find_transitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "slipstick/io/parse_modes.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LoadedModel load(const char* model, const std::vector<Override>& overrides = {}) {
  return read_model(model, overrides);
}

Laws make_test_laws() {
  SimulationOptions options;
  options.until = 10.0;
  return make_laws(options);
}

Transitions find_first(const LoadedModel& loaded) {
  const Laws laws = make_test_laws();
  return find_transitions(*loaded.model, make_start(*loaded.model, loaded.initial, laws), laws);
}

/// A block that slides at 3 m/s: one way, in which friction acts.
TEST(FindTransitions, SlidingBlockHasOneWay) {
  const Transitions found = find_first(load("sliding-block"));
  ASSERT_EQ(found.ways.size(), 1U);
  EXPECT_TRUE(found.ways[0].next.moves());
  EXPECT_EQ(found.ways[0].choice.word, "P");
  EXPECT_NEAR(found.ways[0].next.acceleration[0], -0.5 * 9.81, 1e-14);
  EXPECT_TRUE(found.ways[0].events.empty());
  EXPECT_FALSE(found.ways[0].end);
}

TEST(FindTransitions, RestIsAnEventAndAnEnd) {
  const Transitions found = find_first(load("sliding-block", {{"v0", "0"}}));
  ASSERT_EQ(found.ways.size(), 1U);
  ASSERT_TRUE(found.ways[0].end);
  EXPECT_EQ(found.ways[0].end->reason, EndReason::kRest);
  ASSERT_EQ(found.ways[0].events.size(), 1U);
  EXPECT_EQ(found.ways[0].events[0].type, EventType::kRest);
}

/// A ball that meets the ground at 2 m/s with e = 0.8 leaves it at 1.6 m/s; its mode is still to be
/// found.
TEST(FindTransitions, CollisionLeavesItsModePending) {
  const Transitions found = find_first(load("bouncing-ball", {{"height", "0"}, {"y_dot", "-2"}}));
  ASSERT_EQ(found.ways.size(), 1U);
  const Transition& way = found.ways[0];
  EXPECT_FALSE(way.next.moves());
  EXPECT_NEAR(way.next.state.v[0], 1.6, 1e-14);
  ASSERT_EQ(way.events.size(), 1U);
  EXPECT_EQ(way.events[0].type, EventType::kImpact);
  EXPECT_THAT(way.events[0].impact->phases, ElementsAre(*parse_modes("S"), *parse_modes("F")));
}

/// Painleve's bar slides to -x: p = 1 + 12 cos(theta) (cos(theta) - mu sin(theta)) < 0 at theta =
/// 1, mu = 3, and b = theta'^2 sin(theta) - 1 (m = l = weight = 1, I = 1/12). Two modes and an
/// impulse where b > 0, none but the impulse where b < 0.
TEST(FindTransitions, CasesOfThePainleveBar) {
  const auto find_at = [](const char* spin) {
    return find_first(
        load("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"theta_dot", spin}, {"slip", "-7"}}));
  };
  const Transitions several = find_at("3");  // b = 9 sin 1 - 1 > 0
  EXPECT_EQ(several.question, Question::kIndeterminate);
  ASSERT_EQ(several.ways.size(), 3U);
  EXPECT_EQ(several.ways[2].choice.kind, ChoiceKind::kImpulse);
  EXPECT_EQ(several.events.at(0).type, EventType::kIndeterminate);
  const Transitions none = find_at("0");  // b = -1
  EXPECT_EQ(none.question, Question::kInconsistent);
  EXPECT_EQ(none.events.at(0).type, EventType::kInconsistent);
  ASSERT_EQ(none.ways.size(), 1U);
  EXPECT_EQ(none.ways[0].choice.kind, ChoiceKind::kOutcome);
  EXPECT_EQ(none.ways[0].events.at(0).type, EventType::kTangentialImpact);
}

/// An impulse without collision that has acted at a state does not act there again: zero ways.
TEST(FindTransitions, NoWayIsAnAnswer) {
  const LoadedModel loaded =
      load("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"theta_dot", "0"}, {"slip", "-7"}});
  const Laws laws = make_test_laws();
  HybridState at = make_start(*loaded.model, loaded.initial, laws);
  at.struck.push_back(at.state);
  const Transitions found = find_transitions(*loaded.model, at, laws);
  EXPECT_TRUE(found.ways.empty());
  ASSERT_TRUE(found.end);
  EXPECT_EQ(found.end->reason, EndReason::kInconsistent);
  EXPECT_THAT(found.events.at(0).notes, ElementsAre(HasSubstr("impulses lead back")));
}

TEST(FindTransitions, RefusesWhatTheLawsDidNotEnd) {
  const LoadedModel loaded = load("sliding-block");
  const Laws laws = make_test_laws();
  HybridState at = make_start(*loaded.model, loaded.initial, laws);
  ModeEnd end;
  end.type = ModeEndType::kTime;
  EXPECT_THROW((void)find_transitions(*loaded.model, at, end, laws), std::logic_error);
  at.pending = Moves{};
  EXPECT_THROW((void)find_transitions(*loaded.model, at, laws), std::logic_error);
}

/// The events that follow from the end of a mode contain the guards that ended it.
TEST(FindTransitions, EventsKnowTheirGuards) {
  const LoadedModel loaded = load("sliding-block");
  const Laws laws = make_test_laws();
  HybridState at = find_first(loaded).ways.at(0).next;
  at.state.v.setZero();
  ModeEnd end;
  end.type = ModeEndType::kGuards;
  end.state = at.state;
  Guard guard;
  guard.type = GuardType::kSlip;
  guard.contact = 0;
  end.guards.push_back(guard);
  const Transitions found = find_transitions(*loaded.model, at, end, laws);
  ASSERT_EQ(found.ways.size(), 1U);
  ASSERT_EQ(found.ways[0].events.size(), 2U);
  EXPECT_EQ(found.ways[0].events[0].type, EventType::kStick);
  EXPECT_EQ(found.ways[0].events[0].guards.at(0).type, GuardType::kSlip);
}

}  // namespace
}  // namespace slipstick
