/// What can go on from a state, beside closed forms.

#include "slipstick/sim/hybrid/continuation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/sim/hybrid/slow_start.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::Started;

/// A ball falls by g t^2/2.
TEST(Continuation, LooksAheadAlongTheMotion) {
  const Started ball("bouncing-ball");
  const State later = look_ahead(ball.model(), ball.find_moving().mode, ball.loaded.initial);
  EXPECT_GT(later.time, 0.0);
  EXPECT_NEAR(later.v[0], -9.81 * later.time, 1e-18);
  EXPECT_NEAR(later.q[0], 1.0 - 0.5 * 9.81 * later.time * later.time, 1e-16);
}

/// p = 1 of a block; 1 + 12 cos(1) (cos(1) - mu sin(1)) of a bar: 4.5 - 5.5 mu.
TEST(Continuation, StruckWhereItSlidesAndPIsNegative) {
  const auto can = [](const Started& started) {
    const PerContact<ClosedContact>& closed = started.at.contacts.closed();
    return can_be_struck(started.model(), started.loaded.initial, closed, closed[0]);
  };
  EXPECT_FALSE(can(Started("sliding-block")));
  EXPECT_FALSE(can(Started("painleve-bar", {{"theta", "1"}, {"mu", "0.8"}})));
  EXPECT_TRUE(can(Started("painleve-bar", {{"theta", "1"}, {"mu", "0.9"}})));
  EXPECT_FALSE(can(Started("painleve-bar", {{"theta", "1"}, {"mu", "0.9"}, {"slip", "0"}})));
}

/// Without its force the bar keeps theta', and b = theta'^2 sin(theta) - 1 changes by theta'^3
/// cos(theta).
TEST(Continuation, OpensWhereBRises) {
  for (const char* spin : {"1", "-1"}) {
    const Started bar("painleve-bar", {{"theta", "1"}, {"theta_dot", spin}});
    EXPECT_EQ(opens_after_release(bar.model(), bar.loaded.initial, {0}), spin[0] != '-');
  }
}

/// Orders by definition: a gap that leaves by its rate 1, with an acceleration 2, without one 3; a
/// slip with an acceleration 1, without one 2.
TEST(Continuation, OrdersOfOpenings) {
  const Started block("sliding-block", {{"v0", "0"}});
  ModeSolution mode;
  mode.modes = ModeWord(1);
  const auto find = [&](double x, double y, const ContactSet& before) {
    mode.acceleration = (VecQ(2) << x, y).finished();
    return find_openings(block.model(), block.loaded.initial, mode, before);
  };
  ContactSet rebounds(1);
  rebounds.open(0, 1);
  EXPECT_THAT(find(0.0, -9.81, rebounds), ElementsAre(1));
  EXPECT_THAT(find(0.0, 1.0, block.at.contacts), ElementsAre(2));
  EXPECT_THAT(find(0.0, 0.0, block.at.contacts), ElementsAre(3));
  mode.modes.set(0, ContactMode::kSlipPlus);
  EXPECT_THAT(find(1.0, 0.0, block.at.contacts), ElementsAre(1));
  EXPECT_THAT(find(0.0, 0.0, block.at.contacts), ElementsAre(2));
}

/// A block on ice under a force that grows like t^n along x starts with a slip like t^(n + 1).
TEST(Continuation, OrdersOfSlowStarts) {
  const auto find = [](const std::string& force) {
    const LoadedModel loaded =
        parse_model("ice.toml",
                    "gravity = [0, -10]\n[[bodies]]\nname = \"block\"\n"
                    "point_masses = [{ mass = 1, at = [0, 0] }]\n"
                    "joint = { type = \"translation\", coordinates = [\"x\", \"y\"] }\n"
                    "[[surfaces]]\nname = \"ice\"\n[[forces]]\nbody = \"block\"\nforce = [\"" +
                        force +
                        "\", 0]\n"
                        "[[contacts]]\nname = \"foot\"\nbody = \"block\"\nsurface = \"ice\"\n",
                    {});
    ModeSolution sticks;
    sticks.modes = ModeWord(1);
    sticks.modes.set(0, ContactMode::kStick);
    sticks.force_n = VecC::Constant(1, 10.0);
    return find_slow_start(*loaded.model, make_mode(*loaded.model, loaded.initial, sticks),
                           loaded.initial, 0, 10.0);
  };
  EXPECT_EQ(find("0").sign, 0);
  EXPECT_EQ(find("t").sign, 1);
  EXPECT_EQ(find("t").order, 2);
  EXPECT_EQ(find("-t^2").sign, -1);
  EXPECT_EQ(find("-t^2").order, 3);
}

}  // namespace
}  // namespace slipstick
