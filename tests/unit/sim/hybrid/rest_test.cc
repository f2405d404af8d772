/// What counts as rest.

#include "slipstick/sim/hybrid/rest.h"

#include <gtest/gtest.h>

#include "slipstick/sim/hybrid/next_mode.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// For the first mode that the laws admit.
bool rests_at_start(const Started& started) {
  const HybridState moving = started.find_moving();
  const ModeList modes =
      list_continuations(started.model(), moving.state, moving, started.laws, nullptr);
  return is_at_rest(started.model(), moving, modes[0]);
}

/// A block carries its weight where it is, and does not while it slides.
TEST(Rest, BlockRestsUnlessItSlides) {
  EXPECT_TRUE(rests_at_start(Started("sliding-block", {{"v0", "0"}})));
  EXPECT_FALSE(rests_at_start(Started("sliding-block")));
}

/// Nothing moves yet, but a ball in the air falls and a bar on one end topples.
TEST(Rest, WhatIsAcceleratedDoesNotRest) {
  EXPECT_FALSE(rests_at_start(Started("bouncing-ball")));
  EXPECT_FALSE(rests_at_start(Started("painleve-bar", {{"slip", "0"}})));
}

/// Small is measured by the rates so far: 1e-12 m/s is rounding after 3 m/s, 1e-6 m/s is not.
TEST(Rest, SmallIsWhatTheMotionMakesSmall) {
  Started block("sliding-block", {{"v0", "0"}});
  HybridState moving = block.find_moving();
  const ModeList modes =
      list_continuations(block.model(), moving.state, moving, block.laws, nullptr);
  moving.moved = eval_speeds(block.model(), Started("sliding-block").at.state);
  moving.state.v[0] = 1e-12;
  EXPECT_TRUE(is_at_rest(block.model(), moving, modes[0]));
  moving.state.v[0] = 1e-6;
  EXPECT_FALSE(is_at_rest(block.model(), moving, modes[0]));
}

/// A surface that stands still now and will move later may wake what rests on it.
TEST(Rest, SurfaceThatWillMoveKeepsTheRunGoing) {
  const std::string surface = "[[surfaces]]\nname = \"ground\"\n";
  const std::string block =
      "gravity = [0, -10]\n[[bodies]]\nname = \"block\"\n"
      "point_masses = [{ mass = 1, at = [0, 0] }]\n"
      "joint = { type = \"translation\", coordinates = [\"x\", \"y\"] }\n"
      "[[contacts]]\nname = \"block\"\nbody = \"block\"\nsurface = \"ground\"\nmu = 0.5\n";
  for (const bool moves : {false, true}) {
    const LoadedModel loaded =
        parse_model("block.toml", block + surface + (moves ? "speed = \"1 - cos(t)\"\n" : ""), {});
    const Laws laws = make_laws({});
    const HybridState at = make_start(*loaded.model, loaded.initial, laws);
    EXPECT_EQ(find_transitions(*loaded.model, at, laws).ways.at(0).end.has_value(), !moves);
  }
}

}  // namespace
}  // namespace slipstick
