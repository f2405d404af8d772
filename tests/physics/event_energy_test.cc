/// Energies and work in events: closed forms, and the balance of random mechanisms with springs,
/// dampers, belts and impacts.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cases.h"
#include "physics/campaign.h"
#include "physics/runs.h"
#include "slipstick/check.h"
#include "slipstick/errors.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

Run run_checked(const LoadedModel& loaded, double until, bool keeps = true) {
  SimulationOptions options;
  options.until = until;
  options.max_events = 2000;
  if (!keeps) return simulate_and_check(*loaded.model, loaded.initial, options);
  RunTree tree = make_tree(simulate(*loaded.model, loaded.initial, options));
  check_tree(*loaded.model, options, tree);
  return tree.runs[0].run;
}

/// When the block sticks, friction has taken its kinetic energy m v0^2/2.
TEST(EventEnergy, BlockLosesItsEnergyToFriction) {
  const LoadedModel block = read_model("sliding-block", {});
  const auto run = run_checked(block, 2.0);
  ASSERT_FALSE(run.events.empty());
  const Balance& balance = run.events[0].balance.value();
  EXPECT_NEAR(balance.friction, -4.5, 1e-13);
  EXPECT_NEAR(balance.kinetic, -4.5, 1e-13);
  EXPECT_NEAR(balance.error, 0.0, 1e-13);
}

/// Each impact of the ball takes 1 - e^2 of m g h_k; potential energy is back after each.
TEST(EventEnergy, BallLosesEnergyAtImpacts) {
  const LoadedModel ball = read_model("bouncing-ball", {});
  const auto run = run_checked(ball, 1.5, false);
  double left = 9.81;
  for (std::size_t i = 0; i < 2; ++i) {
    left *= 0.64;
    const Balance& balance = run.events.at(i).balance.value();
    EXPECT_NEAR(balance.impacts, left - 9.81, 1e-12);
    EXPECT_NEAR(balance.potential, -9.81, 1e-12);
  }
}

/// A block that a belt drags along: the belt's work is mu m g times its way.
TEST(EventEnergy, BeltPutsWorkIn) {
  const auto run = testkit::run_loaded(R"toml(gravity = [0, -10]
[[bodies]]
name = "block"
point_masses = [{ mass = 2, at = [0, 0] }]
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "belt"
speed = 1.5
[[contacts]]
name = "foot"
body = "block"
surface = "belt"
mu = 0.25
)toml",
                                       2.0);
  const auto checked = run_checked(run.loaded, 2.0);
  ASSERT_FALSE(checked.events.empty());
  const Event& stick = checked.events[0];
  EXPECT_EQ(stick.type, EventType::kStick);
  EXPECT_NEAR(stick.time, 0.6, 1e-13);  // v/(mu g)
  EXPECT_NEAR(stick.balance->surfaces, 5.0 * 1.5 * 0.6, 1e-12);
  EXPECT_NEAR(stick.balance->friction, -0.5 * 5.0 * 1.5 * 0.6, 1e-12);
  ASSERT_EQ(stick.guards.size(), 1U);
  EXPECT_EQ(stick.guards[0].type, GuardType::kSlip);
  EXPECT_EQ(stick.guards[0].contact, 0);
}

/// At every event the balance so far closes, kept trajectory or not, and kinetic and potential
/// energy are those of its state.
TEST(EventEnergy, RandomMechanismsBalanceAtEveryEvent) {
  int events = 0;
  const auto count = static_cast<std::uint64_t>(testkit::cases(60));
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    // Dampers, too, which the campaign's springs do not have.
    std::string text = testkit::make_random_model(seed);
    const auto spring = text.find("stiffness");
    if (spring != std::string::npos) text.insert(spring, "damping = 0.7\n");
    LoadedModel loaded;
    try {
      loaded = parse_model("random.toml", text, {});
    } catch (const InputError&) {
      continue;
    }
    SCOPED_TRACE(seed);
    const Model& model = *loaded.model;
    const auto run = run_checked(loaded, 1.5);
    if (run.end.reason == EndReason::kFailure) continue;
    const double kinetic = eval_kinetic_energy(model, loaded.initial);
    const double potential = eval_potential_energy(model, loaded.initial.q);
    double scale = kinetic + std::abs(potential) + 10.0;
    for (const Event& event : run.events) {
      ASSERT_TRUE(event.balance.has_value());
      const Balance& balance = *event.balance;
      scale += std::abs(balance.impacts) + std::abs(balance.friction);
      EXPECT_NEAR(balance.error, 0.0, 1e-8 * scale) << event.time;
      EXPECT_NEAR(balance.kinetic, eval_kinetic_energy(model, event.after) - kinetic,
                  1e-11 * scale);
      EXPECT_NEAR(balance.potential, eval_potential_energy(model, event.after.q) - potential,
                  1e-11 * scale);
      ++events;
    }
    const auto bare = run_checked(loaded, 1.5, false);
    ASSERT_EQ(bare.events.size(), run.events.size());
    for (std::size_t i = 0; i < run.events.size(); ++i) {
      EXPECT_EQ(bare.events[i].balance->friction, run.events[i].balance->friction);
    }
  }
  EXPECT_GT(events, static_cast<int>(count)) << "more than one event per mechanism";
}

/// In a tree the work counts from the first start.
TEST(EventEnergy, BranchesGoOnCounting) {
  const LoadedModel bar = read_model("painleve-bar", {});
  SimulationOptions options;
  options.until = 1.0;
  options.on_jam = OnJam::kBranch;
  RunTree tree = simulate_tree(*bar.model, bar.initial, options);
  check_tree(*bar.model, options, tree);
  const double before = tree.runs[0].run.events.back().balance.value().friction;
  EXPECT_LT(before, 0.0);
  for (std::size_t i = 1; i < tree.runs.size(); ++i) {
    for (const Event& event : tree.runs[i].run.events) {
      EXPECT_LE(event.balance.value().friction, before);
    }
  }
}

}  // namespace
}  // namespace slipstick
