/// The motion at one instant, and what is rounding beside it.

#include "slipstick/sim/hybrid/hybrid_state.h"

#include <gtest/gtest.h>

#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

TEST(HybridState, StartKnowsClosedAndCollidingContacts) {
  EXPECT_TRUE(std::holds_alternative<SeeksMode>(Started("sliding-block").at.pending));
  const Started falls("bouncing-ball", {{"height", "0"}, {"y_dot", "-2"}});
  ASSERT_TRUE(std::holds_alternative<Collides>(falls.at.pending));
  EXPECT_EQ(std::get<Collides>(falls.at.pending).contacts, std::vector<int>{0});
  const Started rises("bouncing-ball", {{"height", "0"}, {"y_dot", "2"}});
  EXPECT_EQ(rises.at.contacts.leaving(0), 1);
}

/// At rest the rates are those of a fall over the model's own length.
TEST(HybridState, RatesAreAtLeastGravitys) {
  const Started ball("bouncing-ball", {{"height", "1"}, {"y_dot", "0"}});
  const double length = ball.loaded.model->lengths[0];
  EXPECT_EQ(eval_speeds(*ball.loaded.model, ball.at.state)[0], 0.0);
  EXPECT_NEAR(eval_rate(*ball.loaded.model, ball.at.state), std::sqrt(9.81 / length), 1e-15);
}

TEST(HybridState, SameFutureUpToRounding) {
  Started block("sliding-block");
  HybridState other = block.at;
  EXPECT_TRUE(has_same_future(*block.loaded.model, block.at, other));
  other.state.v[0] *= 1.0 + 1e-12;
  EXPECT_TRUE(has_same_future(*block.loaded.model, block.at, other));
  other.state.v[0] *= 1.0 + 1e-6;
  EXPECT_FALSE(has_same_future(*block.loaded.model, block.at, other));
  other = block.at;
  other.pending = Moves{};
  EXPECT_FALSE(has_same_future(*block.loaded.model, block.at, other));
}

}  // namespace
}  // namespace slipstick
