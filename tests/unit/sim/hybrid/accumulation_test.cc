/// A ball with e = 1/2 that leaves the ground at 1 m/s under g = 10 m/s^2: flights last
/// 0.2 s/2^k, and end 0.4 s after the start.

#include "slipstick/sim/hybrid/accumulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "slipstick/io/parse_modes.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::Started;

constexpr double kBallEnd = 0.4;  // [s]

/// Just after the impact with this number.
State make_bounce(int number) {
  const double part = std::pow(0.5, number);
  State out{kBallEnd * (1.0 - part), VecQ::Zero(1), VecQ::Zero(1)};
  out.v[0] = part;
  return out;
}

/// After twelve bounces, before any limit has been looked for.
struct BouncedBall : Started {
  BouncedBall() : Started("bouncing-ball", {{"height", "0"}, {"y_dot", "1"}, {"g", "10"}}) {
    for (int i = 0; i < 12; ++i) {
      at.state = make_bounce(i);
      at.bounces.add({{0}, *parse_modes("S"), *parse_modes("F"), at.state});
    }
    at.contacts.open(0, 1);
  }
};

TEST(Accumulation, EndsAtTheSumOfTheFlights) {
  const BouncedBall ball;
  const auto limit = find_accumulation(ball.model(), {0}, ball.laws, ball.at);
  ASSERT_TRUE(limit);
  EXPECT_NEAR(limit->state.time, kBallEnd, 1e-13);
  EXPECT_NEAR(limit->record.ratio, 0.5, 1e-12);
  EXPECT_THAT(limit->colliding, ElementsAre(0));
}

/// What would end after the run, or after the next change of formulas, does not end.
TEST(Accumulation, MustEndBeforeAnythingElse) {
  BouncedBall ball;
  Laws shorter = ball.laws;
  shorter.until = kBallEnd - 1e-6;
  EXPECT_FALSE(find_accumulation(ball.model(), {0}, shorter, ball.at));
}

/// Gaps and velocities must vanish together: here the ball ends a micrometre above, times hundred.
TEST(Accumulation, MustEndAtTheSurface) {
  BouncedBall ball;
  std::vector<Impact> impacts = ball.at.bounces.impacts();
  for (Impact& impact : impacts) impact.after.q[0] += 1e-4;
  ball.at.bounces = ZenoWatch(impacts);
  EXPECT_FALSE(find_accumulation(ball.model(), {0}, ball.laws, ball.at));
}

/// Afterwards the ball lies on the ground; the event has the energy of the last bounce.
TEST(Accumulation, SettlesOnTheGround) {
  BouncedBall ball;
  const auto limit = find_accumulation(ball.model(), {0}, ball.laws, ball.at);
  ASSERT_TRUE(limit);
  const Event event = settle(ball.model(), *limit, ball.laws, ball.at);
  EXPECT_EQ(event.type, EventType::kZeno);
  EXPECT_EQ(event.modes_before, *parse_modes("F"));
  EXPECT_EQ(event.modes_after, *parse_modes("S"));
  EXPECT_NEAR(event.energy_before, 0.5 * std::pow(0.25, 11), 1e-18);
  EXPECT_EQ(event.energy_after, 0.0);
  EXPECT_EQ(ball.at.state.v[0], 0.0);
  EXPECT_NE(ball.at.contacts.find(0), nullptr);
  EXPECT_TRUE(ball.at.bounces.impacts().empty());
}

}  // namespace
}  // namespace slipstick
