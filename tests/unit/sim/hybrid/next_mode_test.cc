/// The next mode of closed contacts, at single states.

#include "slipstick/sim/hybrid/next_mode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/io/parse_modes.h"
#include "slipstick/mode_letters.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testkit::Started;

std::vector<std::string> list_next_words(const Started& started) {
  std::vector<std::string> out;
  for (const ModeSolution& mode :
       list_continuations(started.model(), started.at.state, started.at, started.laws, nullptr)) {
    out.push_back(to_letters(mode.modes));
  }
  return out;
}

/// Painleve's bar with p < 0: sliding and lift-off for b > 0, nothing for b < 0, where b =
/// theta'^2 sin(theta) - 1. A slip is kept.
TEST(NextMode, FollowsFromPAndB) {
  EXPECT_THAT(list_next_words(Started("sliding-block")), ElementsAre("P"));
  EXPECT_THAT(list_next_words(Started("sliding-block", {{"v0", "-1"}})), ElementsAre("N"));
  EXPECT_THAT(list_next_words(Started("sliding-block", {{"v0", "0"}})), ElementsAre("S"));
  const auto list_of_bar = [](const char* spin) {
    return list_next_words(
        Started("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"theta_dot", spin}}));
  };
  EXPECT_THAT(list_of_bar("3"), ElementsAre("FF", "NF"));
  EXPECT_THAT(list_of_bar("0"), IsEmpty());
}

/// Changes become events where the cause says so: the block's contact was open before.
TEST(NextMode, TellsChangesIfAsked) {
  const Started block("sliding-block");
  const ModeList modes =
      list_continuations(block.model(), block.at.state, block.at, block.laws, nullptr);
  for (const bool tells : {false, true}) {
    const Transition way = adopt(block.model(), block.at, block.laws, modes[0],
                                 SeeksMode{*parse_modes("F"), tells, false});
    EXPECT_TRUE(way.next.moves());
    EXPECT_NEAR(way.choice.force, 9.81, 1e-14);
    ASSERT_EQ(way.events.size(), tells ? 1U : 0U);
    if (tells) {
      EXPECT_EQ(way.events[0].type, EventType::kTouchdown);
    }
  }
}

/// A mode that has begun at this time is not taken again while there is another one.
TEST(NextMode, LeavesOutWhatWasTried) {
  Started bar("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"theta_dot", "3"}});
  bar.at.tried.push_back(*parse_modes("FF"));
  const Transitions found = find_next_modes(bar.model(), bar.at, bar.laws,
                                            SeeksMode{*parse_modes("NF"), false, false}, nullptr);
  ASSERT_EQ(found.ways.size(), 1U);
  EXPECT_EQ(found.ways[0].choice.word, "NF");
}

/// A hundred decisions at one time are a circle.
TEST(NextMode, FailsInACircle) {
  Started block("sliding-block");
  block.at.decisions = 99;
  block.at.last_decision = block.at.state.time;
  const SeeksMode cause{*parse_modes("P"), false, false};
  const auto decide_next = [&] {
    return find_next_modes(block.model(), block.at, block.laws, cause, nullptr);
  };
  EXPECT_FALSE(decide_next().end);
  block.at.decisions = 100;
  const Transitions found = decide_next();
  ASSERT_TRUE(found.end);
  EXPECT_EQ(found.end->reason, EndReason::kFailure);
  EXPECT_EQ(found.end->why.code, WhyCode::kTooManyChanges);
}

}  // namespace
}  // namespace slipstick
