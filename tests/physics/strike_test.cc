/// Impulses without collision whose law leads nowhere end as that, whatever rounding does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "physics/runs.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testkit::Case;
using testkit::list_types;
using testkit::run_case;

/// Its tip slides at 100 m/s in a slide whose normal points along `normal` y.
std::string make_slide_rod(const std::string& normal) {
  return R"(
gravity = [0, -9.81]
[[bodies]]
name = "rod"
mass = 10
gyration = 0.2
joint = { type = "free", coordinates = ["x", "y", "theta"], sense = "clockwise" }
[[surfaces]]
name = "slide"
normal = [0, )" +
         normal + R"(]
[[contacts]]
name = "tip"
body = "rod"
point = [0, -1]
surface = "slide"
mu = 0.5
restitution = 0.5
bilateral = true
[initial]
theta = "-26.5*deg"
y = { close = "tip", near = 1 }
x_dot = 100
)";
}

/// |tan theta| > 2/mu and U w > 0: two reactions. The percussion U+ = -U- leads to U w < 0, where
/// there is none, and the next one back [Fremond2007].
TEST(Strike, KleinsPercussionLeadsBack) {
  Case in{"klein-bar",
          {{"theta", "1.4991984134526142"},
           {"mu", "2.033160220776797"},
           {"force", "1.8576143936352425"},
           {"arm", "0.11375116990584078"},
           {"torque", "-0.9067896676832632"},
           {"x_dot", "-0.5068874720328442"}},
          0.1,
          {}};
  in.options.on_indeterminate = OnIndeterminate::kImpact;
  const auto run = run_case(in);
  const std::vector<std::string> circle{"indeterminate", "tangential-impact", "inconsistent",
                                        "tangential-impact", "indeterminate"};
  ASSERT_GE(run.events.size(), circle.size());
  const auto types = list_types(run);
  EXPECT_EQ(std::vector<std::string>(types.begin(), types.begin() + 5), circle);
  EXPECT_THAT(run.events[4].notes, Contains(HasSubstr("leads back")));
  EXPECT_NEAR(run.events[4].energy_after, run.events[0].energy_before, 1e-12);
  EXPECT_EQ(run.end.reason, EndReason::kTime);
}

/// One foot slides, the other sticks. To keep both closed, the sticking one would have to pull. So
/// it opens without an impulse, and the other's slip is reversed, which keeps the energy.
TEST(Strike, FootThatWouldPullIsReleased) {
  Case in{"compass-biped",
          {{"theta1", "0.29446437401437286"},
           {"theta1_dot", "0.7691884310887405"},
           {"theta2_dot", "0.3732011415714269"},
           {"x_dot", "-1.0378229647365864"},
           {"mu", "1.0427614183192586"},
           {"e", "0.436322121673"}},
          1.0,
          {}};
  in.options.law = ImpactLaw::kFremond;
  const auto run = run_case(in);
  const Event& event = testkit::find_event(run, EventType::kTangentialImpact);
  EXPECT_EQ(to_letters(event.modes_before), "PS");
  EXPECT_EQ(to_letters(event.modes_after), "NF");
  EXPECT_GT(event.impact->impulse_n[0], 0.0);
  EXPECT_EQ(event.impact->impulse_n[1], 0.0);
  EXPECT_LE(std::abs(event.impact->impulse_t[0]), 1.0427614183192586 * event.impact->impulse_n[0]);
  EXPECT_NEAR(event.energy_after, event.energy_before, 1e-12);
}

/// Two contacts of one plate slide together: the split of the tangential impulse is open, and the
/// velocities are not. Both slips are reversed, the gap rates stay zero, the cones hold.
TEST(Strike, FremondsLawAtTwoContactsOfOneBody) {
  Case in{"jamming-chain", {{"mu", "0.8"}}, 0.01, {}};
  in.options.law = ImpactLaw::kFremond;
  const auto run = run_case(in);
  const Event& event = testkit::find_event(run, EventType::kTangentialImpact);
  const ImpactRecord& impact = *event.impact;
  // By hand from G with slips reversed: P_n = (4.436, 2.332) N s.
  EXPECT_NEAR(impact.impulse_n[0], 4.436, 5e-4);
  EXPECT_NEAR(impact.impulse_n[1], 2.332, 5e-4);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(impact.impulse_t[i]), 0.8 * impact.impulse_n[i]);
  }
  EXPECT_NEAR(impact.v_plus[0], -impact.v_minus[0], 1e-12);
  EXPECT_NEAR(event.energy_after, event.energy_before, 1e-10);  // a reversal keeps it
  ASSERT_TRUE(impact.family);
  EXPECT_EQ(impact.family->dimension, 1);
  EXPECT_TRUE(impact.family->velocity_is_unique);
  EXPECT_NEAR(impact.family->impulse_t[0].first, -3.549, 5e-4);  // the cone's edge
}

/// A rod whose tip runs in a slide jams. It never opens, whatever the law, and the sign of the
/// slide's normal does not matter.
TEST(Strike, BilateralContactStaysClosed) {
  for (const ImpactLaw law : {ImpactLaw::kInelastic, ImpactLaw::kPoisson, ImpactLaw::kNewton,
                              ImpactLaw::kStronge, ImpactLaw::kFremond}) {
    std::vector<slipstick::Run> runs;
    for (const char* normal : {"1", "-1"}) {
      SimulationOptions options;
      options.law = law;
      options.max_events = 3;
      runs.push_back(testkit::run_text(make_slide_rod(normal), 0.3, options));
      for (const Event& event : runs.back().events) {
        EXPECT_THAT(to_letters(event.modes_after), testing::Not(HasSubstr("F")));
        EXPECT_THAT(event.alternatives, testing::Not(Contains("lift-off")));
      }
    }
    const ImpactRecord& up = *testkit::find_event(runs[0], EventType::kTangentialImpact).impact;
    const ImpactRecord& down = *testkit::find_event(runs[1], EventType::kTangentialImpact).impact;
    EXPECT_NEAR(up.impulse_n[0], -down.impulse_n[0], 1e-6);
    EXPECT_LT((up.v_plus - down.v_plus).norm(), 1e-6);
    // Slip ends after P = slip/(mu G_tt - |G_nt|) [N s]; Fremond's law reverses it with twice that.
    const double expected = law == ImpactLaw::kFremond ? 605.8506 : 302.9253;
    EXPECT_NEAR(up.impulse_n[0], expected, 1e-3);
  }
}

/// A belt drags the tip of an arm in that wedges: no force and no finite impulse. That is an
/// answer.
TEST(Strike, WedgedTipOnABeltIsInconsistent) {
  const auto run = testkit::run_text(R"(
gravity = [0, -9.81]
[[bodies]]
name = "arm"
mass = 1
gyration = 0.3
com = [0, -0.5]
joint = { type = "revolute", coordinate = "a" }
[[surfaces]]
name = "belt"
point = [0, -0.9163217704510811]
speed = -0.7
[[contacts]]
name = "tip"
body = "arm"
point = [0, -1]
surface = "belt"
mu = 0.6
[initial]
a = 0.412
)",
                                     1.0);
  EXPECT_EQ(run.end.reason, EndReason::kInconsistent);
  EXPECT_THAT(run.events.back().notes, Contains(HasSubstr("no finite impulse")));
}

/// After a jump at a jam p is zero up to rounding. With b < 0 no motion slides on or leaves: the
/// contact is struck again, for either sign of that rounding.
TEST(Strike, JumpTooSmallIsFollowedByAnother) {
  for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13}) {
    SCOPED_TRACE(tolerance);
    Case in{"painleve-bar",
            {{"theta", "0.8648195440870705"},
             {"theta_dot", "-1.5322257700955313"},
             {"slip", "-7.665421537187395"},
             {"mu", "1.4268607724469247"}},
            0.2,
            {}};
    in.options.tolerance = tolerance;
    in.options.on_indeterminate = OnIndeterminate::kSlip;
    const auto types = list_types(run_case(in));
    EXPECT_EQ(types, (std::vector<std::string>{"indeterminate", "jam", "tangential-impact",
                                               "inconsistent", "tangential-impact"}));
  }
}

/// A slide's contact does not open at a jam. Fremond's largest jump reverses the slip, where there
/// is no force; the next one leads back to p = b = 0, where sliding ends and none begins.
TEST(Strike, JamInASlideEndsUnderFremondsLaw) {
  for (const char* normal : {"1", "-1"}) {
    SimulationOptions options;
    options.law = ImpactLaw::kFremond;
    const auto run = testkit::run_text(make_slide_rod(normal), 0.3, options);
    EXPECT_EQ(run.end.reason, EndReason::kInconsistent) << run.end.why.sentence;
    EXPECT_NEAR(run.end.time, 0.286620975, 1e-9);  // of the jam: [Meltz2007] section 5, to 6 digits
    EXPECT_THAT(run.events.back().notes, Contains(HasSubstr("lead back")));
  }
}

/// A foot that has just rebounded, on the same body as one that slides in a slide with p < 0: an
/// impulse that ends the slip alone drives the other foot in, whose collision starts the slip
/// again. Both together take one impulse.
TEST(Strike, ReboundingFootTakesPart) {
  const auto run = testkit::run_text(R"toml(gravity = [0.1655, -9.81]
[[bodies]]
name = "b0"
point_masses = [{ mass = 1.887, at = [-0.1431, -0.0784] }, { mass = 1.8306, at = [-0.2246, -0.0134] }]
joint = { type = "free", angle = 0.2715, coordinates = ["x", "y", "a0"] }
[[surfaces]]
name = "s0"
point = [0, 0]
normal = [0.0665, 1]
speed = -0.9892
[[springs]]
from = { at = [0.8374, 0.6743] }
to = { body = "b0", at = [-0.2397, -0.0] }
stiffness = 54.151
length = 0.9422
damping = 0.4653
[[forces]]
body = "b0"
at = [-0.2142, 0.1166]
force = ["-1.9951*cos(1.1193*t)", -2.3827]
torque = -0.1533
[[contacts]]
name = "c0"
body = "b0"
point = [-0.295, -0.5367]
surface = "s0"
mu = 0.6572
restitution = 0
law = "inelastic"
mu_s = 0.8454
bilateral = true
[[contacts]]
name = "c1"
body = "b0"
point = [-0.0107, -0.4442]
surface = "s0"
mu = 0.9483
restitution = 0
law = "newton"
radius = 0.0975
active_when = "t < 0.3556"
[[contacts]]
name = "c2"
body = "b0"
point = [0.0755, -0.5442]
surface = "s0"
mu = 0
restitution = 0.1853
law = "poisson"
radius = 0.0488
[initial]
x = 0.7366
x_dot = -1.6428
y = { close = "c0", near = 1 }
a0 = -0.016
a0_dot = 0.7691
)toml",
                                     2.0);
  EXPECT_NE(run.end.reason, EndReason::kFailure) << run.end.why.sentence;
  int at_once = 0;
  for (std::size_t i = 1; i < run.events.size(); ++i) {
    const bool repeats = run.events[i].time == run.events[i - 1].time &&
                         run.events[i].type == EventType::kTangentialImpact;
    at_once = run.events[i].time > run.events[i - 1].time ? 0 : at_once + (repeats ? 1 : 0);
    EXPECT_LE(at_once, 1);
  }
}

/// A foot may stick or lift off, and its normal acceleration without force falls through zero: each
/// flight is shorter than the one before. A flight that ends before time passes is none: it sticks.
TEST(Strike, LiftOffThatFallsBackAtOnceIsNone) {
  const auto run = testkit::run_text(R"toml(gravity = [-0.4279, -9.81]
[[bodies]]
name = "b0"
point_masses = [{ mass = 0.9293, at = [0.1065, 0.1647] }, { mass = 1.2342, at = [0.1572, 0.1819] }]
joint = { type = "free", coordinates = ["x", "y", "a0"] }
[[surfaces]]
name = "s0"
point = [0, 0]
normal = [0, 1]
speed = 0
[[forces]]
coordinate = "a0"
value = "-0.0627*sin(4.6855*t) - 0.101*a0_dot"
[[contacts]]
name = "c0"
body = "b0"
point = [0.1621, -0.3568]
surface = "s0"
mu = 0.2911
restitution = 0
law = "inelastic"
radius = 0.1181
[[contacts]]
name = "c1"
body = "b0"
point = [-0.0739, -0.1444]
surface = "s0"
mu = 0.6862
restitution = 0.5016
law = "poisson"
[initial]
x = 0.6554
x_dot = -1.6268
y = 1.1788
a0 = -0.0736
a0_dot = -0.1232
)toml",
                                     2.0);
  EXPECT_NE(run.end.reason, EndReason::kFailure) << run.end.why.sentence;
  for (std::size_t i = 1; i < run.events.size(); ++i) {
    const Event& before = run.events[i - 1];
    const Event& event = run.events[i];
    const bool repeats = event.type == EventType::kIndeterminate && before.type == event.type &&
                         before.time == event.time && before.modes_after == event.modes_after;
    EXPECT_FALSE(repeats) << event.time << " " << to_letters(event.modes_after);
  }
}

/// A body alone on a plane. Near p = 0 its friction turns it within no time: with the normal
/// impulse P as the clock d(log p)/dP = p' w/(-b), dw/dP is constant, and b depends on the turn
/// rate w by w^2 alone. So log p is even in w: p is what it was where w is reversed.
TEST(Strike, ForceNearAJamReversesTheTurn) {
  const auto run = testkit::run_text(R"toml(gravity = [0.2654, -9.81]
[[bodies]]
name = "b0"
point_masses = [{ mass = 0.9259, at = [0.1975, -0.153] }, { mass = 0.9915, at = [0.2303, -0.1245] }]
joint = { type = "free", coordinates = ["x", "y", "a0"] }
[[surfaces]]
name = "s0"
point = [0, 0]
normal = [-0.4194, 1]
speed = 0.1424
[[contacts]]
name = "c0"
body = "b0"
point = [-0.0327, -0.1026]
surface = "s0"
mu = 0.5264
restitution = 0
law = "inelastic"
[initial]
x = 0.5059
x_dot = -1.2373
y = 0.8976
a0 = 0.0871
a0_dot = -1.6966
)toml",
                                     1.2);
  EXPECT_NE(run.end.reason, EndReason::kFailure) << run.end.why.sentence;
  const Event& turn = testkit::find_event(run, EventType::kTangentialImpact);
  EXPECT_NEAR(turn.after.v[2], -turn.before.v[2], 1e-9);
  EXPECT_EQ(turn.modes_after, turn.modes_before);
  EXPECT_LT(turn.energy_after, turn.energy_before);
}

}  // namespace
}  // namespace slipstick
