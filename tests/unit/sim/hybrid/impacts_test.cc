/// Impacts at single states, beside closed forms.

#include "slipstick/sim/hybrid/impacts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/mode_letters.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

ImpactSituation situate(const Started& started, std::optional<ImpactLaw> law = {}) {
  return {started.model(), started.at.state, started.at.contacts, law, started.laws.tolerances};
}

Started make_fallen_ball() { return Started("bouncing-ball", {{"height", "0"}, {"y_dot", "-2"}}); }

TEST(Impacts, LawIsTheContactsUnlessOneIsGiven) {
  const Started ball = make_fallen_ball();
  EXPECT_EQ(law_of(situate(ball), 0), ImpactLaw::kPoisson);
  EXPECT_EQ(law_of(situate(ball, ImpactLaw::kNewton), 0), ImpactLaw::kNewton);
}

/// One kilogram at 2 m/s with e = 0.8: it leaves at 1.6 m/s by 3.6 N s. Without restitution 2 N s
/// stop it.
TEST(Impacts, BallReboundsByItsLaw) {
  const Started ball = make_fallen_ball();
  const auto found = find_collisions(situate(ball), {0});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].state.v[0], 1.6, 1e-15);
  EXPECT_NEAR(found[0].record.impulse_n[0], 3.6, 1e-15);
  EXPECT_NEAR(found[0].energy_before, 2.0, 1e-15);
  EXPECT_NEAR(found[0].energy_after, 1.28, 1e-15);
  EXPECT_EQ(found[0].contacts.leaving(0), 1);
  const auto stopped = find_collisions(situate(ball, ImpactLaw::kInelastic), {0});
  ASSERT_EQ(stopped.size(), 1U);
  EXPECT_EQ(stopped[0].state.v[0], 0.0);
  EXPECT_NEAR(stopped[0].record.impulse_n[0], 2.0, 1e-15);
  EXPECT_NE(stopped[0].contacts.find(0), nullptr);
}

/// A block that falls at 2 m/s and slides at 3 m/s with mu = 0.5 loses mu 2 m/s along the ground;
/// at 0.7 m/s it sticks, after friction of 0.7 N s.
TEST(Impacts, FrictionTakesSlipAway) {
  const Started fast("sliding-block", {{"v0", "3"}, {"y_dot", "-2"}});
  const auto slid = find_collisions(situate(fast), {0});
  ASSERT_EQ(slid.size(), 1U);
  EXPECT_NEAR(slid[0].state.v[0], 2.0, 1e-15);
  EXPECT_NEAR(slid[0].record.impulse_t[0], -1.0, 1e-15);
  EXPECT_EQ(to_letters(slid[0].contacts.make_word()), "P");
  const Started slow("sliding-block", {{"v0", "0.7"}, {"y_dot", "-2"}});
  const auto stuck = find_collisions(situate(slow), {0});
  ASSERT_EQ(stuck.size(), 1U);
  EXPECT_EQ(stuck[0].state.v.norm(), 0.0);
  EXPECT_NEAR(stuck[0].record.impulse_t[0], -0.7, 1e-15);
  EXPECT_EQ(to_letters(stuck[0].contacts.make_word()), "S");
}

/// Impulses that are given change v by M^-1 W P: here by P itself.
TEST(Impacts, GivenImpulsesAct) {
  const Started block("sliding-block");
  const Mode mode = block.find_moving().mode;
  const ImpactEffect effect =
      apply_impulses(situate(block), mode, 0, (Vec2C(2) << 0.0, -0.25).finished());
  EXPECT_NEAR(effect.state.v[0], 2.75, 1e-15);
  EXPECT_NEAR(effect.energy_after, 0.5 * 2.75 * 2.75, 1e-15);
  EXPECT_NEAR(effect.record.impulse_t[0], -0.25, 0.0);
}

/// A block has p = 1 > 0: friction cannot drive it in, so what is found does nothing.
TEST(Impacts, StrikeDoesNothingAtAPositiveP) {
  const Started block("sliding-block");
  EXPECT_TRUE(find_strikes(situate(block), 0, {}, false).empty());
}

/// Painleve's bar with p < 0 is driven in. The impulse lies in Coulomb's cone of mu = 3, against
/// the slip, and takes energy away.
TEST(Impacts, StrikeTakesEnergyAtANegativeP) {
  const Started bar("painleve-bar", {{"mu", "3"}, {"theta", "1"}, {"theta_dot", "0"}});
  for (const auto& law : {std::optional<ImpactLaw>{}, std::optional(ImpactLaw::kInelastic)}) {
    const auto found = find_strikes(situate(bar, law), 0, {}, false);
    ASSERT_EQ(found.size(), 1U);
    const ImpactRecord& record = found[0].record;
    EXPECT_GT(record.impulse_n[0], 0.0);
    EXPECT_GT(record.impulse_t[0], 0.0);
    EXPECT_LE(record.impulse_t[0], 3.0 * record.impulse_n[0] * (1.0 + 1e-14));
    EXPECT_LT(found[0].energy_after, found[0].energy_before);
  }
}

}  // namespace
}  // namespace slipstick
