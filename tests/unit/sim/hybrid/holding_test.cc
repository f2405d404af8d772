/// Contacts that close and slips that end without an impulse.

#include "slipstick/sim/hybrid/holding.h"

#include <gtest/gtest.h>

#include "slipstick/mode_letters.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// A contact that slides keeps its slip, one that sticks has none; neither has a gap rate.
TEST(Holding, StopsGapRatesAndSlipsThatStick) {
  for (const bool sticks : {false, true}) {
    Started block("sliding-block");
    block.at.state.v[1] = -1e-9;
    if (sticks) block.at.contacts.close(block.model(), 0, 0.0);
    hold(block.model(), block.at.contacts, block.at);
    EXPECT_EQ(block.at.state.v[0], sticks ? 0.0 : 3.0);
    EXPECT_EQ(block.at.state.v[1], 0.0);
  }
}

/// A slip that has ended is set to zero, and its contact sticks from then on.
TEST(Holding, EndsSlips) {
  Started block("sliding-block");
  block.at.state.v[0] = 1e-13;
  stop_contacts(block.model(), {}, {0}, block.laws, block.at);
  EXPECT_EQ(block.at.state.v[0], 0.0);
  EXPECT_EQ(to_letters(block.at.contacts.make_word()), "S");
}

/// Of a motion at 3 m/s, 1e-15 m/s is rounding; -1e-3 m/s is a slip the other way.
TEST(Holding, ReadsTheSignsOfSlips) {
  Started block("sliding-block");
  block.at.fastest = eval_speeds(block.model(), block.at.state);
  block.at.state.v[0] = -1e-3;
  read_slips(block.model(), block.laws, block.at);
  EXPECT_EQ(to_letters(block.at.contacts.make_word()), "N");
  block.at.state.v[0] = 1e-15;
  read_slips(block.model(), block.laws, block.at);
  EXPECT_EQ(to_letters(block.at.contacts.make_word()), "S");
  EXPECT_EQ(block.at.state.v[0], 0.0);
}

/// A foot on the ground closes unless it leaves: by its gap rate, or because it was just released.
TEST(Holding, ClosesWhatTouches) {
  const auto close_from = [](double gap_rate, int leaving) {
    Started block("sliding-block");
    block.at.contacts.open(0, leaving);
    block.at.state.v[1] = gap_rate;
    close_touching(block.model(), block.laws, block.at);
    return to_letters(block.at.contacts.make_word());
  };
  EXPECT_EQ(close_from(0.0, 0), "P");
  EXPECT_EQ(close_from(0.1, 0), "F");
  EXPECT_EQ(close_from(0.0, 2), "F");
}

/// A rebound of 1e-9 of the motion's speed is ended where 1e-7 is the border, and worth a note; one
/// of 1e-5 goes on.
TEST(Holding, EndsBouncesBelowThePartOfTheSpeed) {
  for (const double part : {1e-9, 1e-5}) {
    Started ball("bouncing-ball", {{"height", "0"}, {"y_dot", "0"}});
    ball.at.contacts.open(0, 1);
    ball.at.state.v[0] = part * find_speed(*ball.loaded.model, 0, ball.at.fastest);
    EXPECT_EQ(end_bounces(*ball.loaded.model, 1e-7, ball.laws, ball.at), part < 1e-7);
    EXPECT_EQ(ball.at.contacts.find(0) != nullptr, part < 1e-7);
    EXPECT_EQ(ball.at.state.v[0] == 0.0, part < 1e-7);
  }
}

}  // namespace
}  // namespace slipstick
