/// The check of single impacts finds what is wrong in outcomes that are changed on purpose.

#include "slipstick/sim/check/check_impact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "slipstick/impact_outcomes.h"
#include "unit/sim/started.h"

namespace slipstick {
namespace {

using testkit::Started;

/// The only outcome under a law, as an event.
Event find_event(const Started& started, ImpactLaw law, EventType type) {
  const ImpactAnswer answer =
      find_impact_outcomes(started.model(), started.loaded.initial, {{law}, {}, {}});
  const LawOutcome& outcome = answer.outcomes.at(0);
  Event out;
  out.type = type;
  out.contacts = outcome.contacts;
  out.modes_before = outcome.modes_before;
  out.modes_after = outcome.modes_after;
  out.before = started.loaded.initial;
  out.after = outcome.after;
  out.energy_before = outcome.energy_before;
  out.energy_after = outcome.energy_after;
  out.impact = outcome.record;
  return out;
}

/// The names of the laws that the check finds broken.
std::vector<std::string> list_broken(const Model& model, const Event& event,
                                     const ImpactTraits& traits) {
  std::vector<std::string> out;
  for (const Violation& violation : check_impact(model, event, traits).violations) {
    out.push_back(violation.law);
  }
  return out;
}

/// Adds a normal impulse to a contact, with the velocities that follow for a body without
/// constraints: v' by P/m, here m = 1.
TEST(CheckImpact, WrongImpulsesAreFound) {
  const Started block("sliding-block", {{"v0", "3"}, {"y_dot", "-2"}});
  const Event right = find_event(block, ImpactLaw::kInelastic, EventType::kImpact);
  EXPECT_THAT(list_broken(block.model(), right, {true, false}), testing::IsEmpty());
  Event wrong = right;
  wrong.impact->impulse_n[0] += 0.01;
  EXPECT_THAT(list_broken(block.model(), wrong, {true, false}),
              testing::Contains("momentum of an impact"));
  wrong.impact->v_plus[1] += 0.01;
  wrong.after.v[1] += 0.01;
  EXPECT_THAT(list_broken(block.model(), wrong, {true, false}), testing::Contains("law of impact"));
  wrong = right;
  wrong.impact->impulse_t[0] += 0.01;  // friction smaller than mu P_n
  wrong.impact->v_plus[0] += 0.01;
  wrong.after.v[0] += 0.01;
  EXPECT_THAT(list_broken(block.model(), wrong, {false, false}),
              testing::Contains("friction impulse"));
}

/// The path without a collision: another restitution is another end. Wheel in the paradox.
TEST(CheckImpact, PathWithoutCollisionIsFollowed) {
  const std::vector<Override> state{
      {"theta", "-0.15"}, {"theta_dot", "0.6315"}, {"x_dot", "0.05"}, {"e", "0.3"}};
  const Started wheel("rimless-wheel", state);
  for (const ImpactLaw law :
       {ImpactLaw::kInelastic, ImpactLaw::kPoisson, ImpactLaw::kNewton, ImpactLaw::kStronge}) {
    Event event = find_event(wheel, law, EventType::kTangentialImpact);
    EXPECT_THAT(list_broken(wheel.model(), event, {true, false}), testing::IsEmpty());
    const bool soft = law == ImpactLaw::kInelastic || law == ImpactLaw::kNewton;
    event.impact->law = soft ? ImpactLaw::kPoisson : ImpactLaw::kInelastic;
    EXPECT_THAT(list_broken(wheel.model(), event, {true, false}),
                testing::ElementsAre("law of impact"));
  }
}

}  // namespace
}  // namespace slipstick
