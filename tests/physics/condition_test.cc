/// Runs that end at a condition, beside closed forms of the time at which it first holds.

#include "slipstick/condition.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "physics/runs.h"

namespace slipstick {
namespace {

using testing::HasSubstr;
using testkit::list_types;

Run run_until(const char* name, const std::string& condition,
              const std::vector<Override>& overrides = {}, SimulationOptions options = {}) {
  const LoadedModel loaded = read_model(name, overrides);
  std::map<std::string, double> parameters;
  for (const Setting& setting : loaded.parameters) parameters[setting.name] = setting.value;
  options.condition = make_condition(*loaded.model, parameters, "test", condition);
  return simulate(*loaded.model, loaded.initial, options);
}

/// x = v0 t - mu g t^2/2 reaches X at t = (v0 - sqrt(v0^2 - 2 mu g X))/(mu g).
TEST(Condition, BlockStopsAtAPlace) {
  constexpr double a = 0.5 * 9.81;
  for (const double x : {0.1, 0.5, 0.9}) {
    const auto run = run_until("sliding-block", fmt::format("x > {}", x));
    EXPECT_EQ(run.end.reason, EndReason::kCondition);
    EXPECT_NEAR(run.end.time, (3.0 - std::sqrt(9.0 - 2.0 * a * x)) / a, 1e-13);
    EXPECT_NEAR(run.state.q[0], x, 1e-15);
    EXPECT_FALSE(run.end.why);
    EXPECT_NEAR(run.trajectory.eval(run.end.time).state.q[0], x, 1e-13);
  }
}

/// The same whether the condition names the place by a slip, a rate, a time or an energy.
TEST(Condition, KnowsContactsEnergiesAndTime) {
  constexpr double a = 0.5 * 9.81;
  EXPECT_NEAR(run_until("sliding-block", "slip_block < 1").end.time, 2.0 / a, 1e-13);
  EXPECT_NEAR(run_until("sliding-block", "x_dot <= v0/3").end.time, 2.0 / a, 1e-13);
  EXPECT_NEAR(run_until("sliding-block", "kinetic_energy < 0.5").end.time, 2.0 / a, 1e-13);
  EXPECT_NEAR(run_until("sliding-block", "t >= 0.25").end.time, 0.25, 1e-15);
  EXPECT_NEAR(run_until("sliding-block", "x_ddot > -1").end.time, 3.0 / a, 1e-13);  // it sticks
  EXPECT_NEAR(run_until("sliding-block", "x > 0.4 && x_dot < 1").end.time, 2.0 / a, 1e-13);
  EXPECT_NEAR(run_until("sliding-block", "x > 0.9 || x_dot < 1").end.time, 2.0 / a, 1e-13);
}

/// A condition that holds at the start ends the run there, before anything happens.
TEST(Condition, HoldsAtTheStart) {
  const auto run = run_until("bouncing-ball", "y > 0.5");
  EXPECT_EQ(run.end.reason, EndReason::kCondition);
  EXPECT_EQ(run.end.time, 0.0);
  EXPECT_TRUE(run.events.empty());
  EXPECT_EQ(run.state.q[0], 1.0);
}

/// The ball reaches its ground at sqrt(2 h/g): with <= the run ends before the impact, with < it is
/// never true, and the impacts go on.
TEST(Condition, BordersThatEventsReach) {
  const double fall = std::sqrt(2.0 / 9.81);
  const auto reached = run_until("bouncing-ball", "y <= 0");
  EXPECT_EQ(reached.end.reason, EndReason::kCondition);
  EXPECT_NEAR(reached.end.time, fall, 1e-14);
  EXPECT_TRUE(reached.events.empty());
  EXPECT_NEAR(reached.state.v[0], -9.81 * fall, 1e-12);
  const auto never = run_until("bouncing-ball", "y < 0");
  EXPECT_EQ(never.end.reason, EndReason::kRest);
  EXPECT_EQ(never.end.why.code, WhyCode::kNeverTrue);
  EXPECT_THAT(never.end.why.sentence, HasSubstr("'y < 0' was never true"));
}

/// A velocity that jumps over the border: the run ends just after the impact.
TEST(Condition, HoldsAfterAJump) {
  const auto run = run_until("bouncing-ball", "y_dot > 0.1");
  EXPECT_EQ(run.end.reason, EndReason::kCondition);
  EXPECT_NEAR(run.end.time, std::sqrt(2.0 / 9.81), 1e-14);
  EXPECT_EQ(list_types(run), std::vector<std::string>{"impact"});
  EXPECT_NEAR(run.state.v[0], 0.8 * std::sqrt(2.0 * 9.81), 1e-12);
}

/// The motion until then is that of a run without a condition, to the last bit.
TEST(Condition, ChangesNothingBeforeIt) {
  const auto whole = testkit::run_case({"two-link-rail", {}, 1.0, {}});
  SimulationOptions options;
  options.until = 1.0;
  const auto never = run_until("two-link-rail", "theta1 > 100", {}, options);
  ASSERT_EQ(never.events.size(), whole.events.size());
  EXPECT_EQ(never.state, whole.state);
}

/// Rounding of a contact that stays closed does not open its gap.
TEST(Condition, ClosedContactsHaveNoGap) {
  SimulationOptions options;
  options.until = 0.5;
  EXPECT_EQ(run_until("sliding-block", "gap_block > 0", {}, options).end.reason, EndReason::kTime);
  EXPECT_EQ(run_until("sliding-block", "gap_block <= 0", {}, options).end.time, 0.0);
}

/// A normal force that falls to zero: the run ends where the contact opens. A mass on a spring that
/// is pulled up by its own weight's reverse: see the load below; f_n = 1 - t.
TEST(Condition, ForcesAreKnown) {
  const auto run = testkit::run_loaded(R"toml(
[[bodies]]
name = "mass"
point_masses = [{ mass = 1, at = [0, 0] }]
joint = { type = "prismatic", axis = [0, 1], coordinate = "y" }
[[forces]]
body = "mass"
force = [0, "t - 1"]
[[surfaces]]
name = "ground"
[[contacts]]
name = "foot"
body = "mass"
surface = "ground"
)toml",
                                       2.0);
  SimulationOptions options;
  options.condition = make_condition(*run.loaded.model, {}, "test", "force_n_foot < 0.25");
  const auto ended = simulate(*run.loaded.model, run.loaded.initial, options);
  EXPECT_NEAR(ended.end.time, 0.75, 1e-13);
  options.condition = make_condition(*run.loaded.model, {}, "test", "force_n_foot <= 0");
  EXPECT_NEAR(simulate(*run.loaded.model, run.loaded.initial, options).end.time, 1.0, 1e-12);
}

TEST(Condition, EventLimitCompletesTheEvent) {
  SimulationOptions options;
  options.max_events = 1;
  const auto run = testkit::run_case({"rimless-wheel", {}, 10.0, options});
  ASSERT_EQ(run.end.reason, EndReason::kEventLimit);
  ASSERT_EQ(run.events.size(), 1U);
  options.max_events = 3;
  const auto longer = testkit::run_case({"rimless-wheel", {}, 10.0, options});
  EXPECT_EQ(run.events[0].modes_after, longer.events[0].modes_after);
}

}  // namespace
}  // namespace slipstick
