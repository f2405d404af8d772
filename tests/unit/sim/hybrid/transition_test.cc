/// Transitions put together by hand.

#include "slipstick/sim/hybrid/transition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/io/parse_modes.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testkit::Started;

Transition make_way_with_events(const HybridState& next, std::size_t events) {
  Transition out{{ChoiceKind::kMode, "P"}, {}, next, {}, false, 0};
  out.events.resize(events);
  return out;
}

TEST(Transition, OnlyWayIsAtTheStateOfTheChoice) {
  const Started block("sliding-block");
  const Transitions found = make_only(make_way_with_events(block.at, 0));
  EXPECT_EQ(found.question, Question::kNone);
  EXPECT_EQ(found.ways.size(), 1U);
  EXPECT_EQ(found.state, block.loaded.initial);
  EXPECT_FALSE(found.end);
}

TEST(Transition, DeadEndKnowsItsTime) {
  const Started block("sliding-block");
  State state = block.loaded.initial;
  state.time = 0.7;
  const Transitions found = make_dead_end(state, EndReason::kInconsistent);
  EXPECT_THAT(found.ways, IsEmpty());
  ASSERT_TRUE(found.end);
  EXPECT_EQ(found.end->reason, EndReason::kInconsistent);
  EXPECT_EQ(found.end->time, 0.7);
}

/// The first event is one that happens in any case, or else the first one of every way.
TEST(Transition, NoteGoesToTheFirstEvent) {
  const Started block("sliding-block");
  Transitions found;
  found.ways = {make_way_with_events(block.at, 0), make_way_with_events(block.at, 2)};
  note_first_event(found, "of the way");
  EXPECT_THAT(found.ways[1].events[0].notes, ElementsAre("of the way"));
  EXPECT_THAT(found.ways[1].events[1].notes, IsEmpty());
  found.events.emplace_back();
  note_first_event(found, "of all");
  EXPECT_THAT(found.events[0].notes, ElementsAre("of all"));
  EXPECT_THAT(found.ways[1].events[0].notes, ElementsAre("of the way"));
}

/// One kilogram at 3 m/s has 9/2 J.
TEST(Transition, EventHasItsEnergyOnBothSides) {
  const Started block("sliding-block");
  const Event event = make_event(block.model(), block.loaded.initial, EventType::kSlip, {0},
                                 *parse_modes("S"), *parse_modes("P"));
  EXPECT_NEAR(event.energy_before, 4.5, 1e-15);
  EXPECT_EQ(event.energy_after, event.energy_before);
  EXPECT_EQ(event.before, event.after);
  EXPECT_EQ(event.modes_after, *parse_modes("P"));
}

}  // namespace
}  // namespace slipstick
