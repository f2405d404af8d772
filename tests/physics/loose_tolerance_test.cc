/// Loose tolerances move events a little; what happens at them stays the same.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/runs.h"
#include "slipstick/model/model.h"

namespace slipstick {
namespace {

using testkit::Case;
using testkit::list_types;
using testkit::run_case;

/// `times`: of the tolerance, by which events may move [s].
void expect_same_at_every_tolerance(Case in, double loosest = 1e-4, double times = 20.0) {
  const auto sharp = run_case(in);
  ASSERT_FALSE(sharp.events.empty());
  for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10}) {
    if (tolerance > loosest) continue;
    SCOPED_TRACE(tolerance);
    in.options.tolerance = tolerance;
    const auto run = run_case(in);
    ASSERT_EQ(list_types(run), list_types(sharp)) << run.end.why.sentence;
    EXPECT_EQ(run.end.reason, sharp.end.reason);
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      EXPECT_NEAR(run.events[i].time, sharp.events[i].time, times * tolerance);
      EXPECT_EQ(run.events[i].modes_after, sharp.events[i].modes_after);
    }
  }
}

/// Two corners that stick: their forces are a family, which ends where its slack does.
TEST(LooseTolerance, RedundantContactsBeginToSlip) {
  expect_same_at_every_tolerance({"jamming-chain",
                                  {{"theta", "-0.79547329901245956"},
                                   {"x_dot", "0.35916587621156848"},
                                   {"theta_dot", "-2.6063440958236104"},
                                   {"mu", "0.68950188622250774"}},
                                  0.5,
                                  {}});
}

TEST(LooseTolerance, WheelBeginsToSlip) {
  expect_same_at_every_tolerance({"rimless-wheel",
                                  {{"x_dot", "0.90166785002813232"},
                                   {"theta_dot", "-0.18878715386628553"},
                                   {"mu", "0.4174455642227165"},
                                   {"alpha", "0.30835519896636931"},
                                   {"e", "0.34670835140202344"}},
                                  1.0,
                                  {}});
}

/// A slip that begins at d = 1.5e-4: the force falls to zero within 8e-6 s, so a longer look-ahead
/// would find no mode.
TEST(LooseTolerance, SlipBeginsJustBesideTheParadox) {
  const Case in{"rimless-wheel",
                {{"theta", "-0.30761489229410161"},
                 {"theta_dot", "0.31758194692178071"},
                 {"x_dot", "0.72218382591279062"},
                 {"mu", "0.61553633670377172"},
                 {"alpha", "0.19957848605688111"},
                 {"e", "0.054856613674570155"}},
                0.4,
                {}};
  expect_same_at_every_tolerance(in);
  EXPECT_EQ(list_types(run_case(in)),
            (std::vector<std::string>{"inconsistent", "tangential-impact", "slip", "liftoff"}));
}

/// Two contacts jam: an impulse is found only if the jam is on d = 0 to rounding.
TEST(LooseTolerance, TwoContactsJam) {
  expect_same_at_every_tolerance({"jamming-chain",
                                  {{"theta", "-0.69434864573360411"},
                                   {"x_dot", "2.1960610893774581"},
                                   {"theta_dot", "2.9166098889657563"},
                                   {"mu", "0.89776490027367961"}},
                                  0.03,
                                  {}});
}

/// A force that vanishes after a long step: events are on the contact, gap rates too.
TEST(LooseTolerance, BarLiftsOff) {
  expect_same_at_every_tolerance({"painleve-bar",
                                  {{"theta", "0.46500295875802933"},
                                   {"theta_dot", "1.5526742602367083"},
                                   {"slip", "-1.1091577825544974"},
                                   {"mu", "0.50112015184511205"}},
                                  3.0,
                                  {}});
}

/// beta/alpha = 1.25: the force settles slowly on the way to d = 0.
TEST(LooseTolerance, ForceStaysFiniteAtZero) {
  expect_same_at_every_tolerance({"compass-biped",
                                  {{"theta1", "-0.13373572846167897"},
                                   {"theta1_dot", "-0.85946467745340815"},
                                   {"theta2_dot", "-0.10336895088541631"},
                                   {"x_dot", "4.7363058418829755"},
                                   {"mu", "1.1449311041559114"}},
                                  0.75,
                                  {}});
}

/// d falls 400 times as slowly as n: steps are limited by n, a small part of the motion, and the
/// time at which d = 0 is known 1/|alpha| = 185 times worse than the motion.
TEST(LooseTolerance, ForceFollowsAtOnce) {
  expect_same_at_every_tolerance({"compass-biped",
                                  {{"theta1", "-0.24255117431168793"},
                                   {"theta1_dot", "0.25707125571706557"},
                                   {"theta2_dot", "-1.6438757541547053"},
                                   {"x_dot", "4.3210132113835176"},
                                   {"mu", "0.93991204468146261"}},
                                  1.0,
                                  {}},
                                 1e-5, 185.0);
}

/// Where it sticks the foot may as well lift off, and by the policy does, until flights are shorter
/// than rounding: each a quarter of the last, in the end 10^4 times shorter than a step.
TEST(LooseTolerance, LiftOffsAccumulate) {
  expect_same_at_every_tolerance({"compass-biped",
                                  {{"theta1", "-0.008979025519010086"},
                                   {"theta1_dot", "-0.7440199065562223"},
                                   {"theta2_dot", "-0.28991613419345086"},
                                   {"x_dot", "2.8011100374650466"},
                                   {"mu", "1.4289383332459444"}},
                                  0.9,
                                  {}});
}

/// Without gravity a mass slides along a tilted line while a spring along that line pulls at it:
/// the contact force is zero, in numbers rounding, and the mass swings with omega = sqrt(10).
TEST(LooseTolerance, ForcesThatAreRounding) {
  const std::string text = R"toml(
gravity = [0, 0]
[[bodies]]
name = "mass"
point_masses = [{ mass = 1, at = [0, 0] }]
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "line"
normal = [0.6, 0.8]
[[contacts]]
name = "foot"
body = "mass"
surface = "line"
mu = 0.3
bilateral = BILATERAL
[[forces]]
body = "mass"
force = ["-10*x", "-10*y"]
[initial]
x_dot = 0.8
y_dot = -0.6
)toml";
  for (const char* bilateral : {"false", "true"}) {
    for (const double tolerance : {1e-4, 1e-8, 1e-13}) {
      SCOPED_TRACE(fmt::format("bilateral {}, {:g}", bilateral, tolerance));
      std::string model = text;
      model.replace(model.find("BILATERAL"), 9, bilateral);
      SimulationOptions options;
      options.tolerance = tolerance;
      const auto run = testkit::run_text(model, 0.4, options);
      EXPECT_EQ(run.end.reason, EndReason::kTime) << run.end.why.sentence;
      const double along = 0.8 * run.state.q[0] - 0.6 * run.state.q[1];
      const double omega = std::sqrt(10.0);
      EXPECT_NEAR(along, std::sin(0.4 * omega) / omega, 10.0 * tolerance);
    }
  }
}

}  // namespace
}  // namespace slipstick
