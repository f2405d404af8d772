/// Runs that are right pass the check; each way of spoiling one is found and named.

#include "slipstick/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/io/model/builtin_models.h"
#include "slipstick/model/frozen_model.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/check/impact_path.h"
#include "slipstick/sim/check/mechanism.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

std::vector<std::string> list_models() {
  std::vector<std::string> out;
  for (const BuiltinModel& model : builtin_models()) out.emplace_back(model.name);
  return out;
}

struct CheckedRun {
  LoadedModel loaded;
  SimulationOptions options;
  Run run;

  [[nodiscard]] RunVerdict check() const { return check_run(*loaded.model, options, run); }
};

CheckedRun simulate_builtin(const std::string& model, double until,
                            const std::vector<Override>& overrides = {}) {
  CheckedRun out{read_model(model, overrides), {}, {}};
  out.options.until = until;
  out.run = simulate(*out.loaded.model, out.loaded.initial, out.options);
  return out;
}

std::string list_violations(const CheckedRun& run, const RunVerdict& verdict) {
  std::string out;
  for (const Violation& violation : verdict.check.violations) {
    out += describe_violation(*run.loaded.model, violation) + "\n";
  }
  return out;
}

bool breaks(const Check& check, std::string_view law, int contact) {
  return std::any_of(check.violations.begin(), check.violations.end(), [&](const Violation& found) {
    return found.law == law && found.contact == contact;
  });
}

/// The polynomial gets one more constant: component i is shifted all along.
void shift(Run& run, std::size_t component, double by) {
  for (Segment& step : run.trajectory->segments) step.polynomial.rows[0][component] += by;
}

/// The slope of component i is multiplied.
void scale(Run& run, std::size_t component, double factor) {
  for (Segment& step : run.trajectory->segments) {
    for (std::size_t k = 1; k < step.polynomial.rows.size(); ++k) {
      step.polynomial.rows[k][component] *= factor;
    }
  }
}

/// A run that is checked as it goes keeps no trajectory, and its verdict is that of the whole run.
TEST(Check, AlongTheRunAndAfterItAreTheSame) {
  for (const std::string& name : list_models()) {
    const CheckedRun whole = simulate_builtin(name, 2.0);
    const RunVerdict after = whole.check();
    const auto along = simulate_and_check(*whole.loaded.model, whole.loaded.initial, whole.options);
    ASSERT_TRUE(along.verdict) << name;
    EXPECT_TRUE(along.trajectory.empty()) << name;
    EXPECT_EQ(along.state.q, whole.run.state.q) << name;
    EXPECT_EQ(along.events.size(), whole.run.events.size()) << name;
    EXPECT_EQ(along.verdict->check.passed, after.check.passed) << name;
    EXPECT_EQ(along.verdict->check.worst.gap, after.check.worst.gap) << name;
    EXPECT_EQ(along.verdict->check.worst.momentum, after.check.worst.momentum) << name;
    EXPECT_EQ(along.verdict->balance.friction, after.balance.friction) << name;
    EXPECT_EQ(along.verdict->balance.error, after.balance.error) << name;
  }
}

TEST(Check, RunsOfAllBuiltInModelsPass) {
  for (const std::string& name : list_models()) {
    const CheckedRun run = simulate_builtin(name, 2.0);
    const RunVerdict verdict = run.check();
    EXPECT_TRUE(verdict.check.passed) << name << "\n" << list_violations(run, verdict);
  }
}

TEST(Check, LooseTolerancesPass) {
  for (const std::string& name : list_models()) {
    for (const double tolerance : {1e-10, 1e-7, 1e-4}) {
      CheckedRun run{read_model(name, {}), {}, {}};
      run.options.until = 1.0;
      run.options.tolerance = tolerance;
      run.run = simulate(*run.loaded.model, run.loaded.initial, run.options);
      const RunVerdict verdict = run.check();
      EXPECT_TRUE(verdict.check.passed) << name << " " << tolerance << "\n"
                                        << list_violations(run, verdict);
    }
  }
}

/// sliding-block: m = 1 kg, v0 = 3 m/s, mu = 0.5: friction takes m v0^2/2 = 4.5 J.
TEST(Check, BalanceOfABlockThatSlidesToRest) {
  const RunVerdict verdict = simulate_builtin("sliding-block", 2.0).check();
  EXPECT_NEAR(verdict.balance.kinetic, -4.5, 1e-12);
  EXPECT_NEAR(verdict.balance.friction, -4.5, 1e-12);
  EXPECT_NEAR(verdict.balance.error, 0.0, 1e-12);
}

/// A ball of 1 kg falls 1 m: m g h is lost in the impacts, once it rests.
TEST(Check, BalanceOfABouncingBall) {
  const RunVerdict verdict = simulate_builtin("bouncing-ball", 10.0).check();
  EXPECT_NEAR(verdict.balance.potential, -9.81, 1e-6);
  EXPECT_NEAR(verdict.balance.impacts, -9.81, 1e-6);
}

TEST(Check, AGapThatIsShiftedIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  shift(run.run, 1, -1e-6);  // y
  const Check check = run.check().check;
  EXPECT_FALSE(check.passed);
  EXPECT_TRUE(breaks(check, "gap", 0));
}

TEST(Check, AForceThatIsScaledIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  scale(run.run, 5, 1.0 + 1e-6);  // x, y, their rates, t, then the normal impulse
  const Check check = run.check().check;
  EXPECT_TRUE(breaks(check, "equations of motion", -1));
  EXPECT_TRUE(breaks(check, "friction", 0));
}

TEST(Check, AForceThatPullsIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  scale(run.run, 5, -1.0);
  EXPECT_TRUE(breaks(run.check().check, "normal force", 0));
}

TEST(Check, FrictionThatIsReversedIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  scale(run.run, 6, -1.0);
  EXPECT_TRUE(breaks(run.check().check, "friction", 0));
}

TEST(Check, AnImpulseThatIsChangedIsFound) {
  CheckedRun run = simulate_builtin("bouncing-ball", 1.0);
  Event* impact = nullptr;
  for (Event& event : run.run.events) {
    if (event.impact) impact = &event;
  }
  ASSERT_NE(impact, nullptr);
  impact->impact->impulse_n[0] *= 1.0 + 1e-6;
  const Check check = run.check().check;
  EXPECT_TRUE(breaks(check, "momentum of an impact", 0));
  EXPECT_TRUE(breaks(check, "law of impact", 0));
}

TEST(Check, AnEnergyThatIsRaisedIsFound) {
  CheckedRun run = simulate_builtin("bouncing-ball", 1.0);
  ASSERT_FALSE(run.run.events.empty());
  run.run.events[0].energy_after *= 1.001;
  EXPECT_TRUE(breaks(run.check().check, "energy of an event", -1));
}

/// The block goes on without its contact: it would have to fall.
TEST(Check, AContactThatIsDroppedIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  for (Mode& mode : run.run.trajectory->modes) {
    mode.word = ModeWord(1);
    mode.closed.clear();
    mode.indices.clear();
  }
  EXPECT_TRUE(breaks(run.check().check, "equations of motion", -1));
}

TEST(Check, APieceThatIsLeftOutIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  for (State* state : {&run.run.state}) state->v[0] += 1e-6;
  EXPECT_TRUE(breaks(run.check().check, "continuity", -1));
}

/// A block on a slope of 45 degrees with mu = 0.5 cannot rest: half of its weight's pull is held.
TEST(Check, ARestThatNoForceHoldsIsFound) {
  CheckedRun run = simulate_builtin("sliding-block", 2.0);
  ASSERT_EQ(run.run.events.back().type, EventType::kRest);
  Model tilted = *run.loaded.model;
  tilted.gravity = {9.81, -9.81};
  run.loaded.model = std::make_shared<const Model>(tilted);
  EXPECT_TRUE(breaks(run.check().check, "equilibrium", -1));
}

TEST(Check, ARunThatFailsEndsAsAFailureThatSaysWhy) {
  CheckedRun run = simulate_builtin("sliding-block", 0.3);
  shift(run.run, 1, -1e-6);
  RunTree tree = make_tree(run.run);
  check_tree(*run.loaded.model, run.options, tree);
  const RunEnd& end = tree.runs[0].run.end;
  EXPECT_EQ(end.reason, EndReason::kFailure);
  EXPECT_NE(end.why.sentence.find("'gap'"), std::string::npos) << end.why.sentence;
}

TEST(Check, RunsWithoutATrajectoryAreCheckedAtTheirEvents) {
  CheckedRun run{read_model("bouncing-ball", {}), {}, {}};
  run.options.until = 1.0;
  run.options.keep_trajectory = false;
  run.run = simulate(*run.loaded.model, run.loaded.initial, run.options);
  EXPECT_TRUE(run.check().check.passed);
  run.run.events[0].after.q[0] = -1e-3;
  EXPECT_TRUE(breaks(run.check().check, "gap", 0));
}

TEST(Check, FrozenModelsPass) {
  CheckedRun run{read_model("two-contact-body", {}), {}, {}};
  const Model frozen = make_frozen_model(*run.loaded.model, run.loaded.initial);
  State state = run.loaded.initial;
  state.v[2] = 0.1;
  run.options.until = 1.0;
  const slipstick::Run motion = simulate(frozen, state, run.options);
  const RunVerdict verdict = check_run(frozen, run.options, motion);
  EXPECT_TRUE(verdict.check.passed) << list_violations(run, verdict);
}

/// Two ways to the same numbers: model/dynamics and the walk from body to body.
TEST(Check, KinematicsAgreeWithTheModels) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  for (const std::string& name : list_models()) {
    const LoadedModel loaded = read_model(name, {});
    const Model& model = *loaded.model;
    State state = loaded.initial;
    VecQ w(model.size());
    for (int i = 0; i < model.size(); ++i) {
      state.q[i] += draw(random);
      state.v[i] = draw(random);
      w[i] = draw(random);
    }
    const Dynamics dynamics = eval_dynamics(model, state);
    check::Mechanism mechanism(model);
    check::Placed placed;
    mechanism.place(state, w.data(), 1.0, placed);
    const VecQ expected = dynamics.M * w + dynamics.h;
    for (int i = 0; i < model.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      EXPECT_NEAR(placed.balance[k], expected[i], 1e-12 * placed.size[k]) << name;
    }
    EXPECT_NEAR(placed.kinetic, eval_kinetic_energy(model, state), 1e-12 * placed.kinetic) << name;
    EXPECT_NEAR(placed.potential, eval_potential_energy(model, state.q), 1e-10) << name;
    for (int j = 0; j < model.contact_count(); ++j) {
      const check::ContactMotion& at = placed.contacts[static_cast<std::size_t>(j)];
      EXPECT_NEAR(at.gap, dynamics.contacts.gap[j], 1e-12 * (1.0 + at.reach)) << name;
      EXPECT_NEAR(at.gap_rate, dynamics.contacts.gap_rate[j], 1e-11) << name;
      EXPECT_NEAR(at.slip, dynamics.contacts.slip[j], 1e-11) << name;
      EXPECT_NEAR(at.bias_n, dynamics.contacts.bias_n[j], 1e-10) << name;
      for (int i = 0; i < model.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        EXPECT_NEAR(at.W_n[k], dynamics.contacts.W_n(i, j), 1e-12) << name;
        EXPECT_NEAR(at.W_t[k], dynamics.contacts.W_t(i, j), 1e-12) << name;
      }
    }
  }
}

/// A point mass of 1 kg, no coupling: Poisson, Newton and Stronge agree, P_n = (1 + e) |gap rate|,
/// and friction stops a slow slip or is mu P_n.
TEST(Check, ImpactPathOfAPointMass) {
  for (const ImpactLaw law : {ImpactLaw::kPoisson, ImpactLaw::kNewton, ImpactLaw::kStronge}) {
    const check::PathEnd end = check::follow_impact({1.0, 0.0, 1.0, -2.0, 5.0, 0.4, 0.5, law});
    ASSERT_TRUE(end.found);
    EXPECT_NEAR(end.impulse_n, 3.0, 1e-14);
    EXPECT_NEAR(end.impulse_t, -1.2, 1e-14);
    const check::PathEnd slow = check::follow_impact({1.0, 0.0, 1.0, -2.0, 0.1, 0.4, 0.5, law});
    EXPECT_NEAR(slow.impulse_t, -0.1, 1e-14);
  }
}

TEST(CheckSolutions, OfTheBuiltInModelsPassAndSpoiledOnesDoNot) {
  for (const std::string& name : list_models()) {
    const LoadedModel loaded = read_model(name, {});
    Classification answer = classify(*loaded.model, loaded.initial, slipstick::Tolerances{});
    const Check check = check_solutions(*loaded.model, loaded.initial, answer.solutions);
    EXPECT_TRUE(check.passed) << name << (check.violations.empty() ? "" : check.violations[0].law);
    for (ModeSolution& solution : answer.solutions) {
      if (solution.force_n.cwiseAbs().sum() == 0.0) continue;
      solution.force_n *= 1.0 + 1e-6;
      const std::vector<ModeSolution> one{solution};
      EXPECT_FALSE(check_solutions(*loaded.model, loaded.initial, one).passed) << name;
    }
  }
}

/// The ball rests after 4 s, whenever the run was to end: what is small beside its way stays so.
TEST(Check, RunUntilTheEndOfDoublesPasses) {
  const CheckedRun run = simulate_builtin("bouncing-ball", 1e300);
  EXPECT_EQ(run.run.end.reason, EndReason::kRest);
  const RunVerdict verdict = run.check();
  EXPECT_TRUE(verdict.check.passed) << list_violations(run, verdict);
}

/// A block on two feet, pressed down by a load that grows to 1e5 N. Nothing moves, so all energies
/// are rounding errors, and the run is right.
TEST(Check, LoadsThatBalanceWithoutMotionPass) {
  CheckedRun run{parse_model("block.toml", R"toml(
[[bodies]]
name = "block"
mass = 1
gyration = 0.1
com = [0, 0.1]
joint = { type = "free", coordinates = ["x", "y", "phi"] }
[[surfaces]]
name = "floor"
[[contacts]]
name = "a"
body = "block"
point = [-0.2, 0]
surface = "floor"
mu = 0.5
[[contacts]]
name = "b"
body = "block"
point = [0.2, 0]
surface = "floor"
mu = 0.5
[[forces]]
body = "block"
at = [0, 0.1]
force = [0, "-1e4*t*(1 + 0.5*sin(3*t))"]
)toml",
                             {}),
                 {},
                 {}};
  run.options.until = 10.0;
  run.run = simulate(*run.loaded.model, run.loaded.initial, run.options);
  const RunVerdict verdict = run.check();
  EXPECT_TRUE(verdict.check.passed) << list_violations(run, verdict);
  EXPECT_LT(run.run.state.v.norm(), 1e-10);
}

/// Without gravity the natural speed is a length of the bodies in the duration of the run, whenever
/// it begins. A jump of half of what may vanish untold (1e-7 of that speed) passes, a jump of ten
/// times as much does not.
TEST(Check, NaturalSpeedsGoWithTheDuration) {
  const LoadedModel loaded = parse_model("rod.toml", R"toml(gravity = [0, 0]
[[bodies]]
name = "rod"
mass = 1
gyration = 0.5
joint = { type = "free", coordinates = ["x", "y", "a"] }
[[surfaces]]
name = "far"
point = [0, -10]
[[contacts]]
name = "end"
body = "rod"
point = [1, 0]
surface = "far"
[initial]
x_dot = 1
)toml",
                                         {});
  for (const double start : {0.0, 1000.0}) {
    for (const double jump : {5e-8, 1e-6}) {
      State initial = loaded.initial;
      initial.time = start;
      SimulationOptions options;
      options.until = start + 1.0;
      CheckedRun run{loaded, options, simulate(*loaded.model, initial, options)};
      run.run.state.v[0] += jump;
      EXPECT_EQ(run.check().check.passed, jump < 1e-7) << start << ", " << jump;
    }
  }
}

/// A belt of 1 m/s catches a block of 1 kg. Where an event ends the last 1e-6 m/s of its slip, the
/// block gains 1e-6 J, which the belt has put in. Without friction's hold nothing puts it in.
TEST(Check, ABeltMayPutInEnergyWhereAContactIsHeld) {
  CheckedRun run{parse_model("test.toml", R"(gravity = [0, -10]
[[bodies]]
name = "block"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "belt"
speed = 1
[[contacts]]
name = "foot"
body = "block"
surface = "belt"
mu = 0.1
)",
                             {}),
                 {},
                 {}};
  run.options.until = 1.5;
  run.run = simulate(*run.loaded.model, run.loaded.initial, run.options);
  ASSERT_EQ(run.run.events.size(), 1U);
  Event& stick = run.run.events[0];
  ASSERT_EQ(stick.type, EventType::kStick);
  stick.before.v[0] -= 1e-6;
  EXPECT_FALSE(breaks(run.check().check, "energy of an impact", -1));
  stick.modes_after.set(0, ContactMode::kSlipMinus);
  EXPECT_TRUE(breaks(run.check().check, "energy of an impact", -1));
}

}  // namespace
}  // namespace slipstick
