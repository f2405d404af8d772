/// Motions with closed forms, invariants, and the published numbers of the five papers that are a
/// motion (docs/errata.md says which printed ones hold).

#include "slipstick/simulate.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "angles.h"
#include "physics/runs.h"
#include "slipstick/analysis/acceleration_centre.h"
#include "slipstick/io/run_text.h"
#include "slipstick/io/text_file.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/mode/mode.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::Case;
using testkit::find_event;
using testkit::kDegree;
using testkit::list_types;
using testkit::run_case;

// --- closed forms ---

TEST(Simulate, SlidingBlockStops) {
  for (const double v0 : {3.0, 0.01, -250.0}) {
    for (const double mu : {0.5, 0.013}) {
      const auto run = run_case(
          {"sliding-block", {{"v0", std::to_string(v0)}, {"mu", std::to_string(mu)}}, 1e4, {}});
      EXPECT_THAT(list_types(run), ElementsAre("stick", "rest"));
      const double time = std::abs(v0) / (mu * 9.81);
      EXPECT_NEAR(run.end.time, time, 1e-12 * time);
      EXPECT_NEAR(run.state.q[0], 0.5 * v0 * time, 1e-12 * std::abs(0.5 * v0 * time));
      EXPECT_EQ(run.state.v.norm(), 0.0);
      EXPECT_EQ(run.end.reason, EndReason::kRest);
    }
  }
}

TEST(Simulate, BouncingBallComesToRest) {
  for (const double e : {0.1, 0.5, 0.8, 0.97, 0.995}) {
    const auto run = run_case({"bouncing-ball", {{"e", std::to_string(e)}}, 1e4, {}});
    const double fall = std::sqrt(2.0 / 9.81);
    EXPECT_NEAR(run.end.time, fall * (1.0 + e) / (1.0 - e), 1e-9 * run.end.time) << e;
    EXPECT_EQ(run.end.reason, EndReason::kRest);
    const Event& zeno = find_event(run, EventType::kZeno);
    EXPECT_NEAR(zeno.zeno->ratio, e, 1e-9);
    EXPECT_LE(run.events.size(), 45U);
    EXPECT_NEAR(run.events[0].time, fall, 1e-15);
  }
}

/// A pendulum (length and gravity 1) that bounces on a wall at angle `wall` > 0. It leaves with the
/// rate v and turns at wall + d, where 4 sin(wall + d/2) sin(d/2) = v^2; theta = wall + d (1 - u^2)
/// makes the time of flight, 2 int d(theta)/theta', a smooth integral over u.
double eval_flight(double wall, double v) {
  double d = 0.0;
  for (int i = 0; i < 100; ++i) d = 2.0 * std::asin(v * v / (4.0 * std::sin(wall + 0.5 * d)));
  const auto integrand = [&](double u) {
    const double x = 0.5 * d * u * u;
    const double part = u > 0.0 ? std::sin(x) / (u * u) : 0.5 * d;
    return d / std::sqrt(std::sin(wall + d - x) * part);
  };
  return 2.0 * boost::math::quadrature::gauss_kronrod<double, 31>::integrate(integrand, 0.0, 1.0);
}

/// The flights of a bouncing pendulum are not geometric; their sum ends within the stated error,
/// which is some digits better than the last flights.
TEST(Simulate, BouncingPendulumComesToRestWithinTheStatedError) {
  const std::string text = R"model(
title = "Pendulum on a wall"
gravity = [0, -1]
parameters = { e = 0.8, wall = 0.5, rate = 1 }
[[bodies]]
name = "rod"
point_masses = [{ mass = 1, at = [0, -1] }]
joint = { type = "revolute", coordinate = "theta" }
[[surfaces]]
name = "wall"
point = ["sin(wall)", "-cos(wall)"]
normal = ["cos(wall)", "sin(wall)"]
[[contacts]]
name = "tip"
body = "rod"
point = [0, -1]
surface = "wall"
law = "newton"
restitution = "e"
[initial]
theta = "wall"
theta_dot = "rate"
)model";
  for (const double e : {0.1, 0.3, 0.5, 0.8, 0.9}) {
    for (const double wall : {0.3, 1.0}) {
      const std::vector<Override> overrides{{"e", std::to_string(e)},
                                            {"wall", std::to_string(wall)}};
      const LoadedModel loaded = parse_model("pendulum.toml", text, overrides);
      SimulationOptions options;
      options.until = 100.0;
      const auto run = simulate(*loaded.model, loaded.initial, options);
      double end = 0.0;
      for (double v = 1.0; v > 1e-18; v *= e) end += eval_flight(wall, v);
      const Event& zeno = find_event(run, EventType::kZeno);
      EXPECT_LE(std::abs(zeno.time - end), zeno.zeno->time_error) << e << " " << wall;
      EXPECT_LE(zeno.zeno->time_error, 1e-9 * end) << e << " " << wall;
    }
  }
}

TEST(Simulate, ElasticBallKeepsItsEnergy) {
  const auto run = run_case({"bouncing-ball", {{"e", "1"}}, 30.0, {}});
  EXPECT_EQ(run.end.reason, EndReason::kTime);
  for (const Event& event : run.events) {
    ASSERT_EQ(event.type, EventType::kImpact);
    ASSERT_NEAR(event.energy_after, 9.81, 1e-11);
  }
  EXPECT_EQ(run.events.size(), 33U);  // falls of 0.4515 s, twice each after the first
}

TEST(Simulate, EquilibriumIsRestAtOnce) {
  const auto run = run_case({"sliding-block", {{"v0", "0"}}, 10.0, {}});
  EXPECT_THAT(list_types(run), ElementsAre("rest"));
  EXPECT_EQ(run.end.time, 0.0);
}

// --- impact without collision ---

/// [Zhao2008]: the tip takes the rail's speed, and leaves with e_p (Q12/Q11) x_t0' (eq. 18 as
/// corrected in docs/errata.md), here from the kernel's Delassus matrix.
TEST(Simulate, ArmStrikesTheRailAtOnce) {
  for (const double angle : {32.0, 30.5, 25.0}) {
    for (const double speed : {-0.2, -0.5}) {
      const std::vector<Override> overrides{{"theta1", std::to_string(angle) + "*deg"},
                                            {"rail_speed", std::to_string(speed)}};
      const LoadedModel loaded = read_model("two-link-rail", overrides);
      SimulationOptions options;
      options.until = 1e-4;
      const auto run = simulate(*loaded.model, loaded.initial, options);
      ASSERT_GE(run.events.size(), 2U);
      EXPECT_EQ(run.events[0].type, EventType::kInconsistent);
      const Event& impact = run.events[1];
      ASSERT_EQ(impact.type, EventType::kTangentialImpact);
      EXPECT_EQ(impact.time, 0.0);
      State after = loaded.initial;
      after.v = impact.impact->v_plus;
      const ContactKinematics contacts = eval_contact_kinematics(*loaded.model, after);
      EXPECT_NEAR(contacts.slip[0], 0.0, 1e-14);
      const int tip = 0;
      const auto G = eval_contact_dynamics(*loaded.model, loaded.initial, std::span(&tip, 1)).G;
      EXPECT_NEAR(contacts.gap_rate[0], 0.1 * std::abs(G(0, 1) / G(1, 1) * speed), 1e-13);
    }
  }
}

TEST(Simulate, ArmBouncesHigherOnAFasterRail) {
  double last = 0.0;
  for (const char* speed : {"-0.1", "-0.2", "-0.35", "-0.5"}) {
    const auto run = run_case({"two-link-rail", {{"rail_speed", speed}}, 0.2, {}});
    const double first = find_event(run, EventType::kImpact).time;
    EXPECT_GT(first, last) << speed;
    last = first;
  }
  EXPECT_NEAR(last, 0.090, 5e-4);  // printed in [Zhao2008] for -0.5
}

/// [Zhao2008] Figs 15-18: with an unstressed spring the tip slips for ever shorter times as the arm
/// starts nearer to the paradox, which begins at 22.713 deg.
TEST(Simulate, ArmSlipsForShorterTimesTowardTheParadox) {
  double last = 1.0;
  for (const double angle : {12.0, 15.0, 18.0, 20.0, 21.0, 22.0, 22.6}) {
    const double theta1 = angle * kDegree;
    const double theta2 = std::acos(0.3775 / 0.21 - std::cos(theta1));
    const auto run = run_case(
        {"two-link-rail",
         {{"theta1", fmt::format("{}", theta1)}, {"alpha0", fmt::format("{}", theta1 - theta2)}},
         0.1,
         {}});
    ASSERT_FALSE(run.events.empty());
    EXPECT_EQ(to_letters(run.events[0].modes_before), "P");
    EXPECT_LT(run.events[0].time, last) << angle;
    last = run.events[0].time;
  }
}

/// The rail's frame instead of the ground's: same motion of the bodies. The arm hangs from a cart
/// that moves with minus the rail's speed would need another model; a block on a belt does not.
TEST(Simulate, BeltFrameInsteadOfGroundFrame) {
  const auto make = [](const char* belt, const char* speed) {
    return parse_model("belt.toml", std::string(R"(
title = "block on a belt"
gravity = [0.3, -9.81]
[[bodies]]
name = "block"
mass = 2
inertia = 1
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "belt"
speed = )") + belt + R"(
[[contacts]]
name = "foot"
body = "block"
surface = "belt"
mu = 0.2
[initial]
x_dot = )" + speed + "\n",
                       {});
  };
  const LoadedModel moving = make("0.7", "2.7");
  const LoadedModel still = make("0", "2");
  SimulationOptions options;
  options.until = 2.0;
  const auto a = simulate(*moving.model, moving.initial, options);
  const auto b = simulate(*still.model, still.initial, options);
  ASSERT_GE(a.events.size(), 1U);
  EXPECT_EQ(a.events[0].type, EventType::kStick);
  EXPECT_NEAR(a.events[0].time, b.events[0].time, 1e-14);
  EXPECT_NEAR(a.events[0].time, 2.0 / (0.2 * 9.81 - 0.3), 1e-13);
  EXPECT_NEAR(a.state.v[0], 0.7, 1e-15);
  EXPECT_EQ(a.end.reason, EndReason::kTime);
  EXPECT_EQ(b.end.reason, EndReason::kRest);
}

/// [Or2014] wheel at theta = -.15, slip .05; the numbers are docs/errata.md's.
TEST(Simulate, WheelStrikesWithoutCollision) {
  const auto strike = [](const char* law, const char* e) {
    SimulationOptions options;
    if (law == std::string("poisson")) options.law = ImpactLaw::kPoisson;
    if (law == std::string("stronge")) options.law = ImpactLaw::kStronge;
    const auto run = run_case(
        {"rimless-wheel",
         {{"theta", "-0.15"}, {"theta_dot", "0.631566164576"}, {"x_dot", "0.05"}, {"e", e}},
         1e-5,
         options});
    return find_event(run, EventType::kTangentialImpact).impact->v_plus;
  };
  const VecQ inelastic = strike("inelastic", "0");
  EXPECT_NEAR(inelastic[2], 0.680035335063, 5e-13);
  EXPECT_NEAR(inelastic[0], 0.0, 1e-15);
  EXPECT_NEAR(strike("poisson", "0.3")[1], 0.00222158173525, 5e-15);
  // Restitution returns e^2 of the work of compression, so the rebound is e times that of e = 1.
  const double stronge = strike("stronge", "0.3")[1];
  EXPECT_NEAR(stronge, 0.3 * strike("stronge", "1")[1], 1e-15);
  EXPECT_NEAR(stronge, 0.00124601106728, 5e-15);
}

TEST(Simulate, PolicyStopEndsAtTheInconsistentState) {
  SimulationOptions options;
  options.on_inconsistent = OnInconsistent::kStop;
  const auto run = run_case({"two-link-rail", {}, 1.0, options});
  EXPECT_EQ(run.end.reason, EndReason::kInconsistent);
  EXPECT_EQ(run.end.time, 0.0);
  EXPECT_THAT(list_types(run), ElementsAre("inconsistent"));
}

/// [Fremond2007]: U+ = -U-, P_T = 2 m U-, P_N = m U- tan(theta).
TEST(Simulate, KleinsBarReverses) {
  for (const double theta : {1.2, 1.3, 1.45}) {
    const auto run = run_case({"klein-bar", {{"theta", std::to_string(theta)}}, 0.1, {}});
    const Event& impact = find_event(run, EventType::kTangentialImpact);
    EXPECT_NEAR(impact.impact->v_plus[0], -1.0, 1e-13);
    EXPECT_NEAR(std::abs(impact.impact->impulse_t[0]), 2.0, 1e-12);
    EXPECT_NEAR(std::abs(impact.impact->impulse_n[0]), std::tan(theta), 1e-11);
    EXPECT_NEAR(impact.energy_after, impact.energy_before, 1e-13);
  }
}

// --- jams ---

TEST(Simulate, WheelJams) {
  const std::vector<Override> start{{"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "0.5"}};
  SimulationOptions options;
  options.on_jam = OnJam::kStop;
  const auto run = run_case({"rimless-wheel", start, 1.0, options});
  EXPECT_EQ(run.end.reason, EndReason::kJam);
  const Event& jam = find_event(run, EventType::kJam);
  EXPECT_NEAR(jam.time, 0.0465986676765, 5e-14);
  EXPECT_NEAR(run.state.v[0], 0.094677893376, 5e-13);
  EXPECT_NEAR(*jam.exponent, -0.26936138, 5e-9);
  // At the jam p = kappa + sin^2 + mu sin cos = 0 (eq. 31): one end of the paradox's window.
  EXPECT_NEAR(run.state.q[2], -0.264368488452, 5e-13);
}

TEST(Simulate, WheelStopsSlippingOrSeparatesInstead) {
  std::vector<Override> start{{"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "0.4"}};
  const auto slow = run_case({"rimless-wheel", start, 0.06, {}});
  ASSERT_FALSE(slow.events.empty());
  EXPECT_NEAR(slow.events[0].time, 0.0465295850, 5e-11);
  // Sticking would need a tensile force here (docs/errata.md): the slip reverses.
  EXPECT_EQ(slow.events[0].type, EventType::kSlipReversal);
  start[2].expression = "2";
  start.push_back({"mu", "0.31"});
  const auto fast = run_case({"rimless-wheel", start, 0.15, {}});
  ASSERT_FALSE(fast.events.empty());
  EXPECT_EQ(fast.events[0].type, EventType::kLiftoff);
  EXPECT_NEAR(fast.events[0].time, 0.1226071019, 5e-11);
}

TEST(Simulate, SmallestSlipThatJams) {
  for (const double tolerance : {1e-12, 1e-13}) {
    SCOPED_TRACE(tolerance);
    const auto jams = [&](double slip) {
      SimulationOptions options;
      options.tolerance = tolerance;
      options.on_jam = OnJam::kStop;
      const auto run = run_case(
          {"rimless-wheel",
           {{"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", fmt::format("{:.17g}", slip)}},
           0.06,
           options});
      return run.end.reason == EndReason::kJam;
    };
    double low = 0.4;
    double high = 0.5;
    for (int i = 0; i < 40; ++i) (jams(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    EXPECT_NEAR(high, 0.405322106624, 1e-11);
  }
}

TEST(Simulate, BipedSeparatesOrJams) {  // [Or2014] S1, S2
  const auto run = [](const char* theta1, const char* theta2, double until) {
    SimulationOptions options;
    options.tolerance = 1e-14;  // sliding toward p = 0 magnifies it
    options.on_jam = OnJam::kStop;
    return run_case({"compass-biped",
                     {{"theta1", theta1},
                      {"theta2", theta2},
                      {"theta1_dot", "0"},
                      {"theta2_dot", "0"},
                      {"x_dot", "10"}},
                     until,
                     options});
  };
  const auto s1 = run("-0.2953", "-0.5247", 0.04);
  EXPECT_EQ(s1.events.at(0).type, EventType::kLiftoff);
  EXPECT_NEAR(s1.events.at(0).time, 0.0344894509533, 5e-14);
  const auto s2 = run("-0.5461", "0.6860", 0.1);
  EXPECT_EQ(s2.end.reason, EndReason::kJam);
  EXPECT_NEAR(s2.end.time, 0.0401894049581, 5e-13);
  EXPECT_NEAR(*s2.events.at(0).exponent, -0.29978550, 1e-8);  // printed without rounding
}

TEST(Simulate, LevelChainLiftsOffOrJams) {  // [Meltz2007], corrected in docs/errata.md
  const auto printed = run_case({"jamming-chain-level", {}, 0.02, {}});
  ASSERT_FALSE(printed.events.empty());
  EXPECT_EQ(printed.events[0].type, EventType::kLiftoff);
  EXPECT_NEAR(printed.events[0].time, 0.0150, 5e-5);
  EXPECT_NEAR(printed.state.time, 0.02, 0.0);
  SimulationOptions options;
  options.on_jam = OnJam::kStop;
  const auto ends = [&](const char* mu) {
    return run_case({"jamming-chain-level", {{"mu", mu}, {"theta", "-32*deg"}}, 0.2, options});
  };
  // Unbounded force needs mu > 0.70166, and a force above gamma/(beta - alpha), which is infinite
  // at that friction: just above it the motion still lifts off.
  EXPECT_EQ(ends("0.70").events.at(0).type, EventType::kLiftoff);
  EXPECT_EQ(ends("0.702").events.at(0).type, EventType::kLiftoff);
  const auto jam = ends("0.71");
  EXPECT_EQ(jam.end.reason, EndReason::kJam);
  EXPECT_LT(*jam.events.at(0).exponent, 0.0);
}

TEST(Simulate, RodJams) {  // [Meltz2007] section 5
  SimulationOptions options;
  options.on_jam = OnJam::kStop;
  const auto run = run_case({"sliding-rod", {}, 1.0, options});
  EXPECT_EQ(run.end.reason, EndReason::kJam);
  EXPECT_NEAR(run.end.time, 0.286621, 5e-7);
  EXPECT_NEAR(run.state.q[2] / kDegree, -20.7764, 5e-5);
  EXPECT_NEAR(run.state.v[2], 3.23918, 5e-6);
}

/// [Meltz2007] section 5: the centre starts on the jamming line, leaves it by 0.0586 m, and is back
/// at the jam.
TEST(Simulate, RodsAccelerationCentreReturnsToTheJammingLine) {
  const LoadedModel loaded = read_model("sliding-rod", {});
  SimulationOptions options;
  options.on_jam = OnJam::kStop;
  const auto run = simulate(*loaded.model, loaded.initial, options);
  ASSERT_EQ(run.end.reason, EndReason::kJam);
  const auto find_distance = [&](double time) {
    const TrajectorySample at = run.trajectory.eval(time);
    const Mode& mode = run.trajectory->modes[at.mode];
    const ModeField field = eval_mode_field(*loaded.model, mode, at.state);
    const auto centre =
        find_acceleration_centre(*loaded.model, 0, at.state, field.acceleration / field.rate);
    return std::abs(centre.value().along_t);
  };
  double largest = 0.0;
  for (int i = 1; i < 1000; ++i)
    largest = std::max(largest, find_distance(run.end.time * i / 1000));
  EXPECT_NEAR(largest, 0.0586, 5e-5);
  EXPECT_LT(find_distance(1e-4), 1e-3);
  EXPECT_LT(find_distance(run.end.time * (1.0 - 1e-5)), 0.25 * largest);
  EXPECT_LT(find_distance(run.end.time * (1.0 - 1e-9)), 0.025 * largest);
}

TEST(Simulate, PainlevesBarJamsAndFlies) {  // [Fremond2007]
  const auto run = run_case({"painleve-bar", {}, 20.0, {}});
  const Event& jam = find_event(run, EventType::kJam);
  EXPECT_NEAR(jam.time, 0.5984372943, 5e-11);
  const Event& jump = find_event(run, EventType::kTangentialImpact);
  EXPECT_NEAR(jump.impact->v_minus[2], 1.1112758297, 5e-10);
  EXPECT_NEAR(jump.impact->v_plus[2] - jump.impact->v_minus[2], 2.0, 1e-12);
  const Event& landing = find_event(run, EventType::kImpact);
  EXPECT_NEAR(landing.time - jam.time, 3.8660, 5e-5);
  EXPECT_NEAR(jump.impact->v_plus[2] * (landing.time - jam.time) / (2.0 * std::numbers::pi), 1.914,
              5e-4);
  // Weight 1, mu .9: all sliding momentum is lost to friction of the weight and its impulses,
  // 7 = 0.9 (t + impulses) with the impulses of the flight's own weight: rest at 7/0.9.
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  EXPECT_NEAR(run.end.time, 7.0 / 0.9, 1e-9);
}

TEST(Simulate, JumpAboveItsMaximumIsClipped) {
  const auto run = run_case({"painleve-bar", {{"jump", "100"}}, 0.7, {}});
  const Event& jump = find_event(run, EventType::kTangentialImpact);
  EXPECT_NEAR(jump.impact->v_plus[2] - jump.impact->v_minus[2], 7.436872, 5e-7);
  EXPECT_THAT(jump.notes, ::testing::Contains(::testing::HasSubstr("clipped")));
}

// --- walking ---

TEST(Simulate, WheelRollsToItsOrbit) {  // [Or2014]
  const auto run = run_case({"rimless-wheel", {{"theta_dot", "0.9"}}, 60.0, {}});
  const Event& last = run.events.back();
  EXPECT_EQ(last.type, EventType::kImpact);
  EXPECT_NEAR(last.impact->v_plus[2], 0.646326425671, 5e-12);
  const double step = last.time - run.events[run.events.size() - 2].time;
  EXPECT_NEAR(step, 0.932554401995, 5e-12);
}

TEST(Simulate, BipedRepeatsItsGait) {  // [Or2014], ten digits of docs/errata.md
  const auto run = run_case({"compass-biped",
                             {{"theta1", "-0.147836890247"},
                              {"theta1_dot", "0.732796790705"},
                              {"theta2_dot", "-0.500667881529"}},
                             1.0,
                             {}});
  ASSERT_EQ(run.events.size(), 1U);
  EXPECT_NEAR(run.events[0].time, 0.744620868380, 2e-11);
  const State after = run.trajectory.eval(run.events[0].time).state;
  EXPECT_NEAR(after.q[0], -0.147836890247, 1e-10);
  EXPECT_NEAR(after.v[0], 0.732796790705, 1e-10);
  EXPECT_NEAR(after.v[1], -0.500667881529, 1e-10);
  EXPECT_NEAR(after.q[2], 0.471356685331, 1e-10);
}

// --- invariants ---

TEST(Simulate, EnergyIsConstantInFreeMotion) {
  const LoadedModel loaded =
      read_model("two-link-rail", std::vector<Override>{{"theta1", "0.2"},
                                                        {"theta2", "0.3"},
                                                        {"H", "5"},
                                                        {"k", "0"},
                                                        {"c", "0"},
                                                        {"theta1_dot", "3"}});
  SimulationOptions options;
  options.until = 20.0;
  const auto run = simulate(*loaded.model, loaded.initial, options);
  const auto energy = [&](const State& state) {
    // Two equal links hang from the pivot: potential of their centres.
    const double height = -0.21 * (1.5 * std::cos(state.q[0]) + 0.5 * std::cos(state.q[1]));
    return eval_kinetic_energy(*loaded.model, state) + 0.12 * 9.81 * height;
  };
  const double first = energy(loaded.initial);
  EXPECT_NEAR(energy(run.state), first, 1e-10 * std::abs(first));
}

TEST(Simulate, EventTimesConvergeWithTheTolerance) {
  const auto time = [](double tolerance) {
    SimulationOptions options;
    options.tolerance = tolerance;
    return run_case({"compass-biped", {}, 1.0, options}).events.at(0).time;
  };
  const double exact = time(1e-14);
  // An error may be zero by chance: the largest of three nearby.
  const auto error = [&](double tolerance) {
    const auto at = [&](double part) { return std::abs(time(part * tolerance) - exact); };
    return std::max({at(1.0), at(0.5), at(0.25)});
  };
  const double coarse = error(1e-6);
  const double middle = error(1e-9);
  const double fine = error(1e-12);
  EXPECT_LT(middle, 0.01 * coarse);
  EXPECT_LT(fine, 0.01 * middle);
  EXPECT_LT(fine, 1e-12);
}

TEST(Simulate, ClosedContactsStayClosed) {
  const LoadedModel loaded = read_model("compass-biped", {});
  SimulationOptions options;
  options.until = 5.0;
  const auto run = simulate(*loaded.model, loaded.initial, options);
  for (double t = 0.0; t < 5.0; t += 0.01) {
    const TrajectorySample at = run.trajectory.eval(t);
    const ContactKinematics contacts = eval_contact_kinematics(*loaded.model, at.state);
    const ModeWord& word = run.trajectory->modes[at.mode].word;
    for (int i = 0; i < 2; ++i) {
      if (!is_closed(word[static_cast<std::size_t>(i)])) continue;
      ASSERT_NEAR(contacts.gap[i], 0.0, 1e-12);
      ASSERT_NEAR(contacts.slip[i], 0.0, 1e-11);
    }
  }
}

TEST(Simulate, SameBytesEachTime) {
  const LoadedModel loaded = read_model("two-link-rail", {});
  SimulationOptions options;
  options.until = 0.5;
  const RunTree first = simulate_tree(*loaded.model, loaded.initial, options);
  const RunTree second = simulate_tree(*loaded.model, loaded.initial, options);
  EXPECT_EQ(make_run_json(loaded, first), make_run_json(loaded, second));
  EXPECT_EQ(make_trajectory_csv(loaded, first, {0.001, false}),
            make_trajectory_csv(loaded, second, {0.001, false}));
}

/// x -> -x of a hopping, sliding disc-footed body: slips change sign, P and N change places.
TEST(Simulate, MirroredModelMirrorsTheMotion) {
  const auto make = [](double side) {
    std::string text = R"(
title = "a body thrown on a slope"
gravity = [@1.5, -9.7]
[[bodies]]
name = "body"
mass = 1.3
gyration = 0.2
joint = { type = "free", coordinates = ["x", "y", "theta"], sense = "#" }
[[surfaces]]
name = "ground"
[[contacts]]
name = "foot"
body = "body"
point = [@0.12, -0.3]
radius = 0.02
surface = "ground"
mu = 0.4
restitution = 0.6
law = "poisson"
[[contacts]]
name = "hand"
body = "body"
point = [%0.1, 0.25]
surface = "ground"
mu = 0.7
restitution = 0.3
law = "stronge"
[initial]
y = 1
x_dot = @0.8
theta = 0.3
theta_dot = -2
)";
    const auto replace = [&](char mark, const std::string& by) {
      for (std::size_t at; (at = text.find(mark)) != std::string::npos;) text.replace(at, 1, by);
    };
    replace('@', side > 0.0 ? "" : "-");
    replace('%', side > 0.0 ? "-" : "");
    replace('#', side > 0.0 ? "counter-clockwise" : "clockwise");
    return parse_model("body.toml", text, {});
  };
  const LoadedModel right = make(1.0);
  const LoadedModel left = make(-1.0);
  SimulationOptions options;
  options.until = 1.5;
  const auto a = simulate(*right.model, right.initial, options);
  const auto b = simulate(*left.model, left.initial, options);
  ASSERT_GT(a.events.size(), 3U);
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].type, b.events[i].type) << i;
    EXPECT_NEAR(a.events[i].time, b.events[i].time, 1e-9) << i;
  }
}

/// Lengths times 4, masses times 3, times times 2 (so accelerations stay): same numbers scaled.
TEST(Simulate, ScaledModelScalesTheMotion) {
  const auto a =
      run_case({"rimless-wheel",
                {{"theta", "-0.3"}, {"theta_dot", "0.643"}, {"x_dot", "0.5"}, {"g", "1.02"}},
                0.2,
                {}});
  const auto b = run_case({"rimless-wheel",
                           {{"theta", "-0.3"},
                            {"theta_dot", "0.643/2"},
                            {"x_dot", "0.5*2"},
                            {"g", "1.02"},
                            {"l", "4"},
                            {"m", "3"}},
                           0.4,
                           {}});
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    EXPECT_EQ(a.events[i].type, b.events[i].type);
    EXPECT_NEAR(b.events[i].time, 2.0 * a.events[i].time, 1e-11);
    EXPECT_NEAR(b.events[i].energy_after, 3.0 * 4.0 * a.events[i].energy_after, 1e-9);
  }
  EXPECT_NEAR(b.state.q[0], 4.0 * a.state.q[0], 1e-10);
  EXPECT_NEAR(b.state.v[2], 0.5 * a.state.v[2], 1e-10);
}

TEST(Simulate, EnergyNeverRisesWithoutAMovingSurface) {
  for (const char* model : {"rimless-wheel", "compass-biped", "painleve-bar", "sliding-rod"}) {
    const auto run = run_case({model, {}, 5.0, {}});
    for (const Event& event : run.events) {
      EXPECT_LE(event.energy_after, event.energy_before * (1.0 + 1e-12)) << model;
    }
  }
}

TEST(Simulate, EventLimitKeepsWhatWasDone) {
  SimulationOptions options;
  options.max_events = 4;
  const auto run = run_case({"bouncing-ball", {}, 10.0, options});
  EXPECT_EQ(run.end.reason, EndReason::kEventLimit);
  EXPECT_EQ(run.events.size(), 4U);
}

TEST(Simulate, InterruptionKeepsWhatWasDone) {
  SimulationOptions options;
  options.keep_going = [](double time) { return time < 1.0; };
  const auto run = run_case({"compass-biped", {}, 10.0, options});
  EXPECT_EQ(run.end.reason, EndReason::kInterrupted);
  EXPECT_GE(run.end.time, 1.0);
  EXPECT_LT(run.end.time, 1.5);
  EXPECT_EQ(run.events.size(), 1U);
}

}  // namespace
}  // namespace slipstick
