/// Impacts of several contacts: closed forms of a rocking box and of the rimless wheel, and
/// invariants over random states.

#include "slipstick/impact/simultaneous.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

/// A body on two feet, l1 = -l2, at rest on level ground.
LoadedModel make_box(const char* friction, const char* restitution) {
  const std::string text = std::string(R"(
title = "box"
gravity = [0, -9.81]
[parameters]
a = 0.3
h = 0.5
[[bodies]]
name = "box"
mass = 2
gyration = 0.35
joint = { type = "free", coordinates = ["x", "y", "theta"] }
[[surfaces]]
name = "ground"
[[contacts]]
name = "left"
body = "box"
point = ["-a", "-h"]
surface = "ground"
mu = )") + friction +
                           "\nrestitution = " + restitution + R"(
[[contacts]]
name = "right"
body = "box"
point = ["a", "-h"]
surface = "ground"
mu = )" + friction +
                           "\nrestitution = " + restitution + R"(
[initial]
y = "h"
)";
  return parse_model("box.toml", text, {});
}

TEST(SimultaneousImpact, RockingBoxReleasesTheOldCorner) {
  const LoadedModel box = make_box("2", "0");
  // Turning about the left corner, the right one hits: theta' < 0, corner velocities by rigid
  // motion.
  State state = box.initial;
  const double omega = -1.3;
  state.v << 0.5 * -omega, 0.3 * omega, omega;  // centre at (0.3, 0.5) from the left corner
  state.v[0] = -omega * 0.5;
  const ImpactProblem problem = make_impact_problem(*box.model, state, {0, 1}, {});
  const auto outcomes = find_inelastic_outcomes(problem, {});
  ASSERT_FALSE(outcomes.empty());
  // Sticking at the right corner: angular momentum about it, k = rho^2 + h^2:
  // omega+ = omega (k - a^2)/(k + a^2).
  const double k = 0.35 * 0.35 + 0.25;
  const ImpactOutcome& outcome = outcomes.front();
  EXPECT_EQ(to_letters(outcome.modes), "FS");
  EXPECT_NEAR(outcome.v_plus[2], omega * (k - 0.09) / (k + 0.09), 1e-14);
  EXPECT_EQ(outcome.impulse_n[0], 0.0);
}

TEST(SimultaneousImpact, FlatLandingStopsBothCorners) {
  const LoadedModel box = make_box("0.5", "0");
  State state = box.initial;
  state.v << 0.0, -2.0, 0.0;
  const auto outcomes =
      find_inelastic_outcomes(make_impact_problem(*box.model, state, {0, 1}, {}), {});
  ASSERT_FALSE(outcomes.empty());
  EXPECT_EQ(to_letters(outcomes.front().modes), "SS");
  EXPECT_NEAR(outcomes.front().v_plus.norm(), 0.0, 1e-14);
  EXPECT_NEAR(outcomes.front().impulse_n.sum(), 4.0, 1e-13);
}

TEST(SimultaneousImpact, PoissonRebounds) {
  const LoadedModel box = make_box("0.5", "0.4");
  State state = box.initial;
  state.v << 0.0, -2.0, 0.0;
  const auto outcomes =
      find_poisson_outcomes(make_impact_problem(*box.model, state, {0, 1}, {}), {});
  ASSERT_FALSE(outcomes.empty());
  EXPECT_EQ(to_letters(outcomes.front().modes), "FF");
  EXPECT_NEAR(outcomes.front().v_plus[1], 0.8, 1e-13);
  EXPECT_NEAR(outcomes.front().v_plus[2], 0.0, 1e-13);
}

/// [Or2014]: the wheel rolls over with omega+ = beta omega-, from angular momentum about the new
/// stance tip; beta = (cos(2 pi/n) + kappa)/(1 + kappa).
TEST(SimultaneousImpact, WheelRollsOver) {
  for (const char* spokes : {"6", "8", "10", "14"}) {
    const std::vector<Override> overrides{{"n", spokes}, {"mu", "0.9"}};
    const LoadedModel wheel = read_model("rimless-wheel", overrides);
    const double n = std::stod(spokes);
    State state = wheel.initial;
    state.q << 0.0, 0.0, std::numbers::pi / n;
    state.v << 0.0, 0.0, 0.8;
    const auto outcomes =
        find_inelastic_outcomes(make_impact_problem(*wheel.model, state, {0, 1}, {}), {});
    ASSERT_FALSE(outcomes.empty());
    EXPECT_EQ(to_letters(outcomes.front().modes), "FSF");
    const double beta = (std::cos(2.0 * std::numbers::pi / n) + 0.02) / 1.02;
    EXPECT_NEAR(outcomes.front().v_plus[2], beta * 0.8, 1e-14);
  }
}

TEST(SimultaneousImpact, RandomOutcomesObeyTheLawsAndLoseEnergy) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  for (const char* friction : {"0", "0.3", "1.2"}) {
    const LoadedModel box = make_box(friction, "0.5");
    const double mu = std::stod(friction);
    for (int i = 0; i < 500; ++i) {
      State state = box.initial;
      state.v << 2.0 * unit(random), unit(random), 3.0 * unit(random);
      const ContactKinematics before = eval_contact_kinematics(*box.model, state);
      if (before.gap_rate.minCoeff() >= 0.0) continue;
      const ImpactProblem problem = make_impact_problem(*box.model, state, {0, 1}, {});
      const double energy = eval_kinetic_energy(*box.model, state);
      for (const bool rebounds : {false, true}) {
        const auto outcomes =
            rebounds ? find_poisson_outcomes(problem, {}) : find_inelastic_outcomes(problem, {});
        ASSERT_FALSE(outcomes.empty())
            << friction << " " << i << " " << rebounds << " v " << state.v.transpose() << " rates "
            << before.gap_rate.transpose() << " slips " << before.slip.transpose();
        for (const ImpactOutcome& outcome : outcomes) {
          State after = state;
          after.v = outcome.v_plus;
          const ContactKinematics contacts = eval_contact_kinematics(*box.model, after);
          EXPECT_GE(contacts.gap_rate.minCoeff(), -1e-12);
          for (int c = 0; c < 2; ++c) {
            EXPECT_GE(outcome.impulse_n[c], -1e-12);
            EXPECT_LE(std::abs(outcome.impulse_t[c]), mu * outcome.impulse_n[c] + 1e-10);
            if (rebounds) continue;
            EXPECT_NEAR(contacts.gap_rate[c] * outcome.impulse_n[c], 0.0, 1e-11);
            // The friction impulse opposes the slip that is left.
            EXPECT_NEAR(outcome.impulse_t[c] * contacts.slip[c],
                        -mu * outcome.impulse_n[c] * std::abs(contacts.slip[c]), 1e-10);
          }
          if (rebounds) continue;
          EXPECT_LE(eval_kinetic_energy(*box.model, after), energy + 1e-12);
        }
      }
    }
  }
}

/// Klein's bar upright between its slides: the squeeze N between them is open, and friction mu |N|
/// ends the slip of the lower end for |N| >= 1/4 (m = l = mu = 1, U = 1). Pushing and pulling, with
/// a slip that ends or goes on, are four sets of one continuum.
TEST(SimultaneousImpact, SetsThatMeetAreOneContinuum) {
  const LoadedModel bar = read_model("klein-bar", std::vector<Override>{{"theta", "pi/2"}});
  ImpactProblem problem = make_impact_problem(*bar.model, bar.initial, {0, 1}, {});
  problem.collides = false;
  const auto outcomes = find_inelastic_outcomes(problem, {});
  ASSERT_EQ(outcomes.size(), 1U);
  ASSERT_TRUE(outcomes[0].family);
  const ImpulseFamily& family = *outcomes[0].family;
  for (const Range& range : family.impulse_n) {
    EXPECT_EQ(range.first, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(range.second, std::numeric_limits<double>::infinity());
  }
  EXPECT_NEAR(family.impulse_t[0].first, -0.25, 1e-9);
  EXPECT_EQ(family.impulse_t[0].second, 0.0);
  EXPECT_NEAR(family.velocity[0].first, 0.75, 1e-9);
  EXPECT_NEAR(family.velocity[0].second, 1.0, 1e-9);
}

}  // namespace
}  // namespace slipstick
