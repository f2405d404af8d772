/// The ways on from p = b = 0, for Painleve's bar.

#include "slipstick/sim/hybrid/singular_ends.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/mode_letters.h"
#include "slipstick/sim/singular/jam.h"
#include "unit/sim/jamming_bar.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testkit::set_before_jam;
using testkit::Started;

/// At p = b = 0, up to 1e-11.
struct JammedBar : Started {
  JammedBar() : Started("painleve-bar", set_before_jam(1e-6)), jammed(find_moving()) {
    jammed.state = find_jam_ahead(model(), jammed.mode, jammed.state).limit;
    end.type = ModeEndType::kJam;
    end.state = jammed.state;
    end.exponent = -0.5;
  }

  HybridState jammed;
  ModeEnd end;
};

/// An impulse, and lift-off: without the force theta' stays, so b rises by theta'^3 cos(theta).
TEST(SingularEnds, JamLeavesImpulseAndLiftOff) {
  const JammedBar bar;
  const Transitions found = pass_jam(bar.model(), bar.jammed, bar.laws, bar.end);
  EXPECT_EQ(found.question, Question::kJam);
  ASSERT_EQ(found.events.size(), 1U);
  EXPECT_EQ(found.events[0].type, EventType::kJam);
  EXPECT_EQ(found.events[0].exponent, -0.5);
  EXPECT_THAT(found.events[0].contacts, ElementsAre(0));
  ASSERT_EQ(found.ways.size(), 2U);
  EXPECT_EQ(found.ways[0].choice.kind, ChoiceKind::kImpulse);
  EXPECT_TRUE(std::get<IsStruck>(found.ways[0].next.pending).jammed);
  EXPECT_EQ(found.ways[1].choice.kind, ChoiceKind::kLiftOff);
  EXPECT_EQ(found.ways[1].next.contacts.leaving(0), 3);
}

/// Turning back, b falls: the end would penetrate.
TEST(SingularEnds, LiftOffMustNotPenetrate) {
  JammedBar bar;
  bar.jammed.state.v[2] = -bar.jammed.state.v[2];
  const Transitions found = pass_jam(bar.model(), bar.jammed, bar.laws, bar.end);
  for (const Transition& way : found.ways) {
    EXPECT_NE(way.choice.kind, ChoiceKind::kLiftOff);
  }
  EXPECT_THAT(found.no_lift_off, HasSubstr("penetrate"));
}

TEST(SingularEnds, LockEndsTheRun) {
  const JammedBar bar;
  const Transitions found = end_in_lock(bar.model(), bar.jammed, bar.end);
  EXPECT_THAT(found.ways, IsEmpty());
  ASSERT_TRUE(found.end);
  EXPECT_EQ(found.end->reason, EndReason::kJam);
  EXPECT_EQ(found.events.at(0).exponent, -0.5);
}

/// At p = 0 the impulses (P, mu P) leave the gap rate zero. They add P/c to theta', since theta'' =
/// f/c there, and mu P to the centre's velocity along x.
TEST(SingularEnds, ReturnActsAsAnImpulse) {
  JammedBar bar;
  bar.end.impulses = (Vec2C(2) << 0.01, 0.009).finished();
  const Transitions found = pass_return(bar.model(), bar.jammed, bar.laws, bar.end);
  ASSERT_EQ(found.ways.size(), 1U);
  const HybridState& next = found.ways[0].next;
  const VecQ change = next.state.v - bar.jammed.state.v;
  EXPECT_NEAR(change[0], 0.009, 1e-10);
  EXPECT_NEAR(change[2], 0.01 / std::cos(bar.jammed.state.q[2]), 1e-10);
  EXPECT_TRUE(next.moves());
  EXPECT_EQ(found.ways[0].choice.kind, ChoiceKind::kSlideOn);
  EXPECT_EQ(found.ways[0].events.at(0).type, EventType::kTangentialImpact);
}

/// With b > 0 the end lifts off, which is marginal here.
TEST(SingularEnds, SeparationOpensTheContact) {
  JammedBar bar;
  bar.jammed.state.v[2] *= 1.01;
  const Transitions found = pass_separation(bar.model(), bar.jammed, bar.laws);
  ASSERT_EQ(found.ways.size(), 1U);
  EXPECT_EQ(to_letters(found.ways[0].next.mode.word), "FF");
  ASSERT_EQ(found.ways[0].events.size(), 1U);
  EXPECT_EQ(found.ways[0].events[0].type, EventType::kLiftoff);
  EXPECT_THAT(found.ways[0].events[0].notes, ElementsAre(HasSubstr("marginal")));
}

}  // namespace
}  // namespace slipstick
