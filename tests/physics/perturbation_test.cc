/// Perturbations of gaits: the linear answer against closed forms and differences, thresholds and
/// basins against single runs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <string>
#include <vector>

#include "angles.h"
#include "slipstick/analysis/gait/perturbed_state.h"
#include "slipstick/analysis/gait/walk.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/gait_answer.h"
#include "slipstick/gait_perturbation.h"
#include "slipstick/gait_slips.h"
#include "slipstick/model/model.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

using testing::HasSubstr;
using testkit::kDegree;

Orbit find_gait_of(const LoadedModel& loaded) {
  OrbitSearch found = find_orbit(*loaded.model, loaded.initial, {});
  EXPECT_TRUE(found.orbit) << found.why.sentence;
  return std::move(*found.orbit);
}

struct AskedSize {
  PerturbationKind kind;
  const char* name;
  double low, high;
  int count = 3;
};

PerturbationMap find_map(const LoadedModel& loaded, const Orbit& gait, const AskedSize& asked,
                         const std::vector<double>& times) {
  const Perturbation what = make_perturbation(*loaded.model, asked.kind, asked.name);
  return find_perturbation_map(*loaded.model, gait, what,
                               {times, {"size", {asked.low, asked.high}, asked.count}, true}, {});
}

/// A slip d of the stance foot ends by an impulse at the tip, so the angular momentum about the tip
/// stays: (1 + kappa) d(theta_dot) = cos(theta) d. Until the impact the energy stays, so
/// theta_dot d(theta_dot) does; the impact multiplies theta_dot by beta (m = l = 1). A push of
/// theta_dot by d does the same without the first factor.
TEST(Perturbation, WheelHasAClosedForm) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = find_gait_of(loaded);
  const double beta = (std::cos(2.0 * M_PI / 10.0) + 0.02) / 1.02;
  const std::vector<double> times{0.03, 0.5, 0.9};  // not exposed to the paradox
  const PerturbationMap slip =
      find_map(loaded, gait, {PerturbationKind::kSlip, "stance", -1e-3, 1e-3}, times);
  const PerturbationMap push =
      find_map(loaded, gait, {PerturbationKind::kPush, "theta_dot", -1e-3, 1e-3}, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const State at = gait.walk.run.trajectory.eval(times[i]).state;
    const double by_push = beta * beta * at.v[2] / gait.state.v[2];
    ASSERT_TRUE(slip.phases[i].derivative && push.phases[i].derivative);
    EXPECT_NEAR(push.phases[i].derivative->v[2], by_push, 1e-9);
    EXPECT_NEAR(slip.phases[i].derivative->v[2], by_push * std::cos(at.q[2]) / 1.02, 1e-9);
    EXPECT_NEAR(slip.phases[i].derivative->q[2], 0.0, 1e-12);  // the section fixes theta
  }
  ASSERT_EQ(slip.multipliers.size(), 2U);
  EXPECT_NEAR(slip.multipliers[0].real(), beta * beta, 1e-10);
  EXPECT_EQ(slip.multipliers[1], 0.0);  // the slip itself
  EXPECT_EQ(push.multipliers.size(), 1U);
}

/// The derivative is that of perturbed motions, by differences over 2e-5 whose error is of second
/// order.
TEST(Perturbation, LinearAnswerOfTheBipedIsTheDifferences) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const Orbit gait = find_gait_of(loaded);
  const double time = 0.6;  // not exposed
  for (const AskedSize& asked : {AskedSize{PerturbationKind::kSlip, "stance", -1e-3, 1e-3},
                                 AskedSize{PerturbationKind::kPush, "theta1_dot", -1e-3, 1e-3},
                                 AskedSize{PerturbationKind::kPush, "theta2_dot", -1e-3, 1e-3}}) {
    const PerturbationMap map = find_map(loaded, gait, asked, {time});
    ASSERT_TRUE(map.phases[0].derivative) << map.phases[0].no_derivative.sentence;
    const State at = gait.walk.run.trajectory.eval(time).state;
    const Perturbation what = make_perturbation(*loaded.model, asked.kind, asked.name);
    constexpr double kSize = 1e-5;
    const auto end = [&](double size) {
      return walk(*loaded.model, *make_perturbed(*loaded.model, what, at, size).state, 1, {})
          .run.state;
    };
    const State up = end(kSize);
    const State down = end(-kSize);
    for (const int i : {0, 1}) {
      EXPECT_NEAR(map.phases[0].derivative->q[i], (up.q[i] - down.q[i]) / (2.0 * kSize), 2e-4);
      EXPECT_NEAR(map.phases[0].derivative->v[i], (up.v[i] - down.v[i]) / (2.0 * kSize), 2e-4);
    }
  }
}

/// At exposed times no slip is small: there is no linear answer, and the reason is told. Nor is
/// there one for what lifts or strikes the foot.
TEST(Perturbation, NoLinearAnswerHasAReason) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = find_gait_of(loaded);
  const auto why = [&](const AskedSize& asked) {
    const PerturbationMap map = find_map(loaded, gait, asked, {0.2});
    EXPECT_FALSE(map.phases[0].derivative);
    return map.phases[0].no_derivative.sentence;
  };
  EXPECT_THAT(why({PerturbationKind::kSlip, "stance", -0.01, 0.01}), HasSubstr("p < 0"));
  EXPECT_THAT(why({PerturbationKind::kPush, "x", -0.01, 0.01}), HasSubstr("strikes"));
  EXPECT_THAT(why({PerturbationKind::kSeparation, "stance", 0.0, 0.01}), HasSubstr("square root"));
}

/// What ends a slip of this size at a state, by one run.
std::string find_single(const LoadedModel& loaded, State state, double slip) {
  state.time = 0.0;
  state.v[0] += slip;
  SimulationOptions options;
  options.until = 2.0;
  for (const Event& event : simulate(*loaded.model, state, options).events) {
    if (event.type == EventType::kJam) return "jam";
    if (event.type == EventType::kLiftoff) return "separate";
    if (event.type == EventType::kStick) return "stick";
  }
  return "other";
}

/// Thresholds lie between single runs just below and above them. That of the jam at theta = -0.3,
/// theta_dot = 0.643 is .405322106624 (closed form of the wheel, [Or2014] S2); here theta_dot is
/// the gait's.
TEST(Perturbation, ThresholdsAreThoseOfSingleRuns) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = find_gait_of(loaded);
  double time = 0.0;  // when the gait passes theta = -0.3
  for (double step = 0.1; step > 1e-13; step /= 2.0) {
    if (gait.walk.run.trajectory.eval(time + step).state.q[2] < -0.3) time += step;
  }
  const PerturbationMap map =
      find_map(loaded, gait, {PerturbationKind::kSlip, "stance", 0.3, 0.5, 21}, {time});
  const State at = gait.walk.run.trajectory.eval(time).state;
  EXPECT_NEAR(at.q[2], -0.3, 1e-9);
  const OutcomeMap& sizes = map.phases[0].sizes;
  // Stick, slip reversal (also `stick` here), several ways on in a band 4e-10 wide, and jam.
  ASSERT_EQ(sizes.thresholds.size(), 3U);
  for (const OutcomeInterval& interval : sizes.intervals) {
    constexpr double kInside = 1e-8;
    if (interval.to - interval.from < 2.0 * kInside) continue;
    for (const double size : {interval.from + kInside, interval.to - kInside}) {
      const auto label = static_cast<std::size_t>(interval.label);
      EXPECT_EQ(find_perturbation_outcome(sizes.labels[label]), find_single(loaded, at, size));
    }
  }
  // The threshold in x_dot at the printed state is that of its own theta_dot: less than 1 % away.
  EXPECT_NEAR(sizes.thresholds[2].value, 0.405322106624, 0.004);
}

TEST(Perturbation, SlipsAreThoseOfTheSlipMap) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const Orbit gait = find_gait_of(loaded);
  const std::vector<double> times{0.1, 0.3, 0.5, 0.7};
  const SlipMap slips = find_slip_map(*loaded.model, gait, {times, {-0.2, -0.05, 0.1}}, {});
  const PerturbationMap map =
      find_map(loaded, gait, {PerturbationKind::kSlip, "stance", -0.2, 0.1, 3}, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const OutcomeMap& sizes = map.phases[i].sizes;
      const std::string& label = sizes.labels[static_cast<std::size_t>(sizes.cells[j])];
      EXPECT_EQ(find_perturbation_outcome(label), find_word(kSlipOutcomes, slips.outcomes[i][j]));
      EXPECT_EQ(is_regained_label(label), slips.regained[i][j]);
    }
  }
}

/// Just inside of the basin the gait is regained, just outside of it not.
TEST(Perturbation, TheBasinEndsWhereTheGaitIsLost) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const Orbit gait = find_gait_of(loaded);
  const PerturbationMap map =
      find_map(loaded, gait, {PerturbationKind::kSlip, "stance", -0.3, 0.3, 13}, {0.15, 0.65});
  for (const PerturbationPhase& phase : map.phases) {
    for (const auto& end : {phase.forward, phase.backward}) {
      ASSERT_TRUE(end);
      ASSERT_LT(std::abs(*end), 0.3);
      const SlipMap around = find_slip_map(
          *loaded.model, gait, {{phase.time}, {*end * (1.0 - 1e-7), *end * (1.0 + 1e-7)}}, {});
      EXPECT_TRUE(around.regained[0][0]);
      EXPECT_FALSE(around.regained[0][1]);
    }
  }
  EXPECT_EQ(find_basin(map, 1.0), std::min(*map.phases[0].forward, *map.phases[1].forward));
}

/// A push that strikes the foot into the ground begins with an impact, and the gait is regained.
TEST(Perturbation, AnImpactAtOnceIsNoEnd) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = find_gait_of(loaded);
  const PerturbationMap map =
      find_map(loaded, gait, {PerturbationKind::kPush, "y_dot", -0.05, 0.05, 3}, {0.5});
  const OutcomeMap& sizes = map.phases[0].sizes;
  EXPECT_EQ(sizes.labels[static_cast<std::size_t>(sizes.cells[0])], "impact stance, regained");
  // Upward the foot leaves with that velocity, and comes down again.
  EXPECT_EQ(sizes.labels[static_cast<std::size_t>(sizes.cells[2])], "impact stance, regained");
}

TEST(Perturbation, HeightsAndWhatIsBelow) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const Orbit gait = find_gait_of(loaded);
  const State at = gait.walk.run.trajectory.eval(0.3).state;
  const Perturbation lift =
      make_perturbation(*loaded.model, PerturbationKind::kSeparation, "stance");
  const State lifted = *make_perturbed(*loaded.model, lift, at, 0.02).state;
  EXPECT_NEAR(lifted.q[3] - at.q[3], 0.02, 1e-15);  // y of the foot: the whole biped
  EXPECT_EQ(lifted.q[0], at.q[0]);
  const PerturbedState below = make_perturbed(*loaded.model, lift, at, -0.02);
  EXPECT_FALSE(below.state);
  EXPECT_THAT(below.why.sentence, HasSubstr("below its surface"));
}

/// A gait of two steps: after an odd number of steps it is in its other state, which is no loss.
TEST(Perturbation, GaitsOfTwoStepsAreRegained) {
  const LoadedModel loaded = read_model("compass-biped", {});
  GaitQuestion question;
  question.checks = false;
  question.path = GaitPath{"alpha",       5.3 * kDegree,
                           5.5 * kDegree, make_family(loaded, "alpha"),
                           1.0 * kDegree, {loaded.model, loaded.initial},
                           true};
  const double from = 5.3 * kDegree;
  const LoadedModel start = make_with_parameters(loaded, {"alpha"}, std::vector<double>{from});
  const GaitAnswer answer = find_gait({start.model, start.initial}, question);
  ASSERT_TRUE(answer.doubled);
  const BranchPoint& end = answer.doubled->points.back();
  ASSERT_TRUE(end.stable);
  const LoadedModel steep =
      make_with_parameters(loaded, {"alpha"}, std::vector<double>{end.parameter});
  GaitOptions two;
  two.steps = 2;
  const OrbitSearch search = find_orbit(*steep.model, end.state, two);
  ASSERT_TRUE(search.orbit) << search.why.sentence;
  const double period = search.orbit->period();
  const PerturbationMap map =
      find_map(steep, *search.orbit, {PerturbationKind::kPush, "theta1_dot", -1e-3, 1e-3},
               {0.2 * period, 0.7 * period});
  for (const PerturbationPhase& phase : map.phases) {
    EXPECT_TRUE(phase.forward && phase.backward) << phase.time;
    EXPECT_TRUE(phase.derivative) << phase.no_derivative.sentence;
  }
}

TEST(Perturbation, EveryTenthRunIsCheckedForAnyNumberOfThreads) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = find_gait_of(loaded);
  std::vector<PerturbationMap> maps;
  for (const std::size_t threads : {1U, 4U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    maps.push_back(find_map(loaded, gait, {PerturbationKind::kSlip, "stance", -0.5, 0.5, 11},
                            {0.1, 0.4, 0.7}));
  }
  EXPECT_TRUE(maps[0].check.passed);
  EXPECT_GT(maps[0].check.worst.momentum, 0.0);
  EXPECT_EQ(maps[0].check.worst.momentum, maps[1].check.worst.momentum);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(maps[0].phases[i].forward, maps[1].phases[i].forward);
    EXPECT_EQ(maps[0].phases[i].sizes.labels, maps[1].phases[i].sizes.labels);
    EXPECT_EQ(maps[0].phases[i].sizes.cells, maps[1].phases[i].sizes.cells);
  }
}

TEST(Perturbation, UnknownNamesAreRefused) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const auto refuse = [&](PerturbationKind kind, const char* name) -> std::string {
    try {
      (void)make_perturbation(*loaded.model, kind, name);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refuse(PerturbationKind::kSlip, "theta1"), HasSubstr("theta1_dot"));
  EXPECT_THAT(refuse(PerturbationKind::kPush, "stance"), HasSubstr("expected one of"));
  EXPECT_THAT(refuse(PerturbationKind::kSeparation, "x_dot"), HasSubstr("expected one of"));
}

}  // namespace
}  // namespace slipstick
