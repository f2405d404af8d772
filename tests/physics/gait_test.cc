/// Periodic motion: the rimless wheel in closed form, derivatives against differences, branches.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <random>

#include "angles.h"
#include "cases.h"
#include "slipstick/analysis/gait/return_map.h"
#include "slipstick/analysis/gait/section.h"
#include "slipstick/analysis/gait/walk_variation.h"
#include "slipstick/families.h"
#include "slipstick/gait_branch.h"
#include "slipstick/gait_report.h"
#include "slipstick/gait_slips.h"
#include "slipstick/io/ranges.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testkit::kDegree;
using testkit::kPi;

OrbitSearch search(const LoadedModel& loaded) {
  return find_orbit(*loaded.model, loaded.initial, {});
}

/// Derivative of some steps along a direction, by central differences extrapolated twice.
Eigen::VectorXd differentiate_walk(const Model& model, const Section& section, const State& start,
                                   const Eigen::VectorXd& direction, int steps = 1) {
  const auto difference = [&](double h) -> Eigen::VectorXd {
    const auto map = [&](double s) {
      const State moved = section.project(move(start, section.unscale(s * direction)));
      return section.scale(walk(model, moved, steps, {}).run.state);
    };
    return (map(h) - map(-h)) / (2.0 * h);
  };
  constexpr double kStep = 4e-4;
  const Eigen::VectorXd coarse = difference(kStep);
  const Eigen::VectorXd middle = difference(kStep / 2.0);
  const Eigen::VectorXd fine = difference(kStep / 4.0);
  const Eigen::VectorXd first = (4.0 * middle - coarse) / 3.0;
  const Eigen::VectorXd second = (4.0 * fine - middle) / 3.0;
  return (16.0 * second - first) / 15.0;
}

struct GaitCase {
  const char* model;
  std::vector<Override> overrides;
};

/// Sticking feet, feet that slip at the impact and before it, discs, and a spring.
TEST(Gait, DerivativesEqualDifferences) {
  for (const auto& [name, overrides] :
       {GaitCase{"compass-biped", {}}, GaitCase{"compass-biped", {{"mu", "0.16"}}},
        GaitCase{"compass-biped", {{"mu", "0.14"}}}, GaitCase{"compass-biped", {{"Ic", "0.1"}}},
        GaitCase{"compass-biped", {{"foot_radius", "0.05"}}}, GaitCase{"rimless-wheel", {}}}) {
    SCOPED_TRACE(fmt::format("{} {}", name, overrides.empty() ? "" : overrides[0].expression));
    const LoadedModel loaded = read_model(name, overrides);
    const OrbitSearch found = search(loaded);
    ASSERT_TRUE(found.orbit) << found.why.sentence;
    const Orbit& orbit = *found.orbit;
    const Section section(*loaded.model, orbit.walk.shape, 1.0);
    const Eigen::MatrixXd tangents = section.find_tangents(orbit.state);
    ASSERT_GT(tangents.cols(), 0);
    for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
      const VariedWalk varied =
          vary_walk(*loaded.model, orbit.walk, {section.unscale(tangents.col(j))});
      EXPECT_FALSE(varied.why);
      const Eigen::VectorXd exact = section.scale(varied.end[0]);
      const Eigen::VectorXd estimate =
          differentiate_walk(*loaded.model, section, orbit.state, tangents.col(j));
      EXPECT_LT((exact - estimate).norm(), 3e-8 * (1.0 + exact.norm()));
    }
  }
}

/// The largest multiplier is what a small perturbation shrinks by, step after step.
TEST(Gait, MultipliersAreWhatLongRunsDo) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit orbit = *search(loaded).orbit;
  State state = orbit.state;
  state.v[2] += 1e-4;
  double before = state.v[2] - orbit.state.v[2];
  for (int i = 0; i < 6; ++i) {
    state = walk(*loaded.model, state, 1, {}).run.state;
    const double after = state.v[2] - orbit.state.v[2];
    EXPECT_NEAR(after / before, orbit.multipliers[0].real(), 1e-3 * std::pow(0.66, i));
    before = after;
  }
}

/// A wheel of n spokes in closed form, [Or2014] section 3 (units of one second: g = (1 + kappa) l).
struct WheelForms {
  int n;
  double kappa, alpha;

  [[nodiscard]] double beta() const { return (kappa + std::cos(2.0 * kPi / n)) / (kappa + 1.0); }
  /// Just after an impact.
  [[nodiscard]] double rate() const {
    const double square = beta() * beta();
    return std::sqrt(4.0 * square / (1.0 - square) * std::sin(alpha) * std::sin(kPi / n));
  }
  /// The hub passes over the stance foot.
  [[nodiscard]] bool walks() const {
    if (alpha >= kPi / n) return true;
    return rate() * rate() > 2.0 * (1.0 - std::cos(alpha - kPi / n)) * 1.05;
  }
  [[nodiscard]] double impulse_ratio() const {
    return (1.0 - beta()) / (1.0 + beta()) / std::tan(kPi / n);
  }
  /// |f_t|/f_n where the hub moves on a circle about the foot; infinite where f_n <= 0.
  [[nodiscard]] double eval_ratio(double theta) const {
    const double square =
        rate() * rate() + 2.0 * (std::cos(alpha - kPi / n) - std::cos(alpha + theta));
    const double turn = std::sin(alpha + theta);
    const double g = 1.0 + kappa;
    const double t = turn * std::cos(theta) - square * std::sin(theta) - g * std::sin(alpha);
    const double n_force = -turn * std::sin(theta) - square * std::cos(theta) + g * std::cos(alpha);
    return n_force > 0.0 ? std::abs(t) / n_force : std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] double mu_stick() const {
    double out = 0.0;
    constexpr int kSamples = 20000;
    for (int i = 0; i <= kSamples; ++i) {
      out = std::max(out, eval_ratio(kPi / n * (2.0 * i / kSamples - 1.0)));
    }
    return out;
  }
  [[nodiscard]] std::vector<Override> settings(double mu) const {
    return {{"n", std::to_string(n)},
            {"kappa", fmt::format("{}", kappa)},
            {"alpha", fmt::format("{}", alpha)},
            {"mu", fmt::format("{}", mu)},
            {"theta_dot", fmt::format("{}", 1.02 * rate())}};
  }
};

TEST(Gait, WheelsInClosedForm) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> spokes(4, 16);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  int walking = 0;
  for (int i = 0; i < testkit::cases(200); ++i) {
    const int n = spokes(random);
    const double kappa = 0.02 + unit(random);
    const double alpha = (0.5 + 15.0 * unit(random)) * kDegree;
    const WheelForms forms{n, kappa, alpha};
    const double mu_stick = forms.walks() ? forms.mu_stick() : 0.0;
    if (!forms.walks() || !std::isfinite(mu_stick)) continue;
    SCOPED_TRACE(fmt::format("n {} kappa {} alpha {}", n, kappa, alpha));
    ++walking;
    const double mu = 1.05 * std::max(mu_stick, forms.impulse_ratio());
    const LoadedModel loaded = read_model("rimless-wheel", forms.settings(mu));
    const OrbitSearch found = search(loaded);
    ASSERT_TRUE(found.orbit) << found.why.sentence;
    const Orbit& orbit = *found.orbit;
    EXPECT_NEAR(orbit.state.v[2], forms.rate(), 1e-11);
    ASSERT_EQ(orbit.multipliers.size(), 1U);
    EXPECT_NEAR(orbit.multipliers[0].real(), forms.beta() * forms.beta(), 1e-9);
    const GaitReport report = make_gait_report(*loaded.model, orbit);
    EXPECT_NEAR(*report.step_length, 2.0 * std::sin(kPi / n), 1e-12);
    EXPECT_NEAR(*report.impulse_ratio, forms.impulse_ratio(), 1e-10);
    EXPECT_NEAR(report.mu_stick->value, mu_stick, 1e-7 * (1.0 + mu_stick));
    EXPECT_GE(report.mu_stick->value, mu_stick * (1.0 - 1e-10));
    EXPECT_NEAR(report.energy.gravity, report.energy.impacts, 1e-11);
    EXPECT_NEAR(report.energy.friction, 0.0, 1e-11);
  }
  EXPECT_GT(walking, testkit::cases(200) / 4);
}

TEST(Gait, NoneWhereTheWheelStops) {
  const OrbitSearch found =
      search(read_model("rimless-wheel", std::vector<Override>{{"alpha", "1*deg"}}));
  EXPECT_FALSE(found.orbit);
  EXPECT_EQ(found.why.code, WhyCode::kNoReturn);
  EXPECT_THAT(found.why.sentence, HasSubstr("the motion comes to rest at"));
}

/// Below the impulse ratio the wheel's next spoke slips at the impact, and the wheel slides on two.
TEST(Gait, NoneWhereTheWheelSlides) {
  const OrbitSearch found =
      search(read_model("rimless-wheel", std::vector<Override>{{"mu", "0.2"}}));
  EXPECT_FALSE(found.orbit);
  EXPECT_THAT(found.why.sentence, HasSubstr("after 1 steps there is no further step"));
  EXPECT_THAT(found.why.sentence, HasSubstr("stance slides, previous slides"));
}

TEST(Gait, RoughGuessesLeadToTheSameGait) {
  const Orbit gait = *search(read_model("compass-biped", {})).orbit;
  for (const std::vector<Override>& guess :
       {std::vector<Override>{{"theta1", "-0.2"}, {"theta1_dot", "0.9"}},
        std::vector<Override>{{"theta1", "-0.3"}, {"theta1_dot", "1.2"}, {"theta2_dot", "-0.1"}},
        std::vector<Override>{{"theta1", "-0.12"}, {"theta2_dot", "-0.1"}}}) {
    const OrbitSearch found = search(read_model("compass-biped", guess));
    ASSERT_TRUE(found.orbit) << found.why.sentence;
    EXPECT_NEAR(found.orbit->state.q[0], gait.state.q[0], 1e-11);
    EXPECT_NEAR(found.orbit->state.v[1], gait.state.v[1], 1e-11);
  }
}

/// Over two steps the same gait repeats as well, with squared multipliers.
TEST(Gait, TwoStepsOfAGait) {
  const LoadedModel loaded = read_model("compass-biped", {});
  GaitOptions two;
  two.steps = 2;
  const Orbit once = *search(loaded).orbit;
  const OrbitSearch found = find_orbit(*loaded.model, loaded.initial, two);
  ASSERT_TRUE(found.orbit) << found.why.sentence;
  EXPECT_NEAR(found.orbit->period(), 2.0 * once.period(), 1e-11);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::abs(found.orbit->multipliers[i]), std::norm(once.multipliers[i]), 1e-9);
  }
}

/// The text of a built-in model, to be changed.
struct ModelText {
  explicit ModelText(const std::string& name) : text(read_model(name, {}).source.text) {}

  ModelText& replace(const std::string& old, const std::string& by) {
    text.replace(text.find(old), old.size(), by);
    return *this;
  }
  ModelText& insert(const std::string& before, const std::string& lines) {
    text.insert(text.find(before), lines);
    return *this;
  }
  [[nodiscard]] LoadedModel make(const std::vector<Override>& overrides) const {
    return parse_model("changed.toml", text, overrides);
  }
  std::string text;
};

/// Multipliers depend smoothly on the mass of the feet, a multiple of the hip's: those of light
/// feet lie on the line through two heavier ones. The third one vanishes with the mass: an impact
/// of the hip's mass alone leaves one rate.
TEST(Gait, LightFeetKeepTheirMultipliers) {
  const auto find_multipliers = [](double mass) {
    const LoadedModel loaded = ModelText("compass-biped")
                                   .replace("com = [0, \"l\"]", "com = [0, 0]")
                                   .replace("com = [0, \"-l\"]", "com = [0, \"-2*l\"]")
                                   .make({{"m", fmt::format("{}", mass)},
                                          {"Ic", fmt::format("{}", 1e-4 * mass)},
                                          {"mh", "1"},
                                          {"l", "0.5"},
                                          {"g", "1"},
                                          {"mu", "0.9"},
                                          {"alpha", "0.009"},
                                          {"theta1", "-0.20031"},
                                          {"theta1_dot", "0.199832"},
                                          {"theta2_dot", "-0.184"}});
    const OrbitSearch found = search(loaded);
    EXPECT_TRUE(found.orbit) << mass << " " << found.why.sentence;
    return found.orbit ? found.orbit->multipliers : std::vector<std::complex<double>>(3);
  };
  const auto heavy = find_multipliers(2e-5);
  const auto middle = find_multipliers(1e-5);
  // At 1e-7 the motion itself is rounding: times of steps differ by 3e-9 s between like programs.
  constexpr double kLight = 3e-7;
  const auto light = find_multipliers(kLight);
  ASSERT_EQ(light.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::complex<double> line = middle[i] - (heavy[i] - middle[i]) * (1e-5 - kLight) / 1e-5;
    EXPECT_LT(std::abs(light[i] - line), 1e-6) << i;
  }
  EXPECT_LT(std::abs(light[2]), 1e-6);
}

/// The state just before the gait's impact cannot start a step; the state after it can.
TEST(Gait, AStartBeforeTheImpactStandsForTheOneAfterIt) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const Orbit gait = *search(loaded).orbit;
  const Segment& last = gait.walk.run.trajectory->segments.back();
  State before = eval_state(last.polynomial, loaded.model->size(), last.theta_end);
  before.time = 0.0;
  const Walk none = walk(*loaded.model, before, 1, {});
  EXPECT_TRUE(none.starts_with_impact());
  EXPECT_FALSE(none.complete);
  EXPECT_EQ(none.duration(), 0.0);
  EXPECT_TRUE(vary_walk(*loaded.model, none, {}).why);
  for (const int steps : {1, 2}) {
    GaitOptions options;
    options.steps = steps;
    const OrbitSearch found = find_orbit(*loaded.model, before, options);
    ASSERT_TRUE(found.orbit) << found.why.sentence;
    EXPECT_NEAR(found.orbit->state.q[0], gait.state.q[0], 1e-11);
    EXPECT_NEAR(found.orbit->period(), steps * gait.period(), 1e-11);
  }
}

/// Names that bring the foot back to x = 0 in place of an advance: one more multiplier, zero. On
/// the way Newton's method meets states whose swing foot is in front and comes down at once.
TEST(Gait, NamesThatBringItBack) {
  ModelText sprung("compass-biped");
  sprung.replace("advance = \"x\"\n", "")
      .replace("x = \"x + 2*l*(sin(theta1) + sin(theta2))\"", "x = 0")
      .insert("foot_radius = 0", "k = 4\n")
      .insert(
          "[[surfaces]]",
          "[[torsion_springs]]\nbody = \"swing_leg\"\nto = \"stance_leg\"\nstiffness = \"k\"\n");
  const std::vector<Override> fast{
      {"theta1", "-0.2"}, {"theta1_dot", "1.1"}, {"theta2_dot", "-0.6"}};
  for (const char* stiffness : {"0", "1", "4", "20"}) {
    SCOPED_TRACE(stiffness);
    std::vector<Override> overrides = fast;
    overrides.push_back({"k", stiffness});
    const LoadedModel loaded = sprung.make(overrides);
    const OrbitSearch found = search(loaded);
    if (!found.orbit) {
      EXPECT_THAT(found.why.sentence, HasSubstr("there is no further step"));
      continue;
    }
    ASSERT_EQ(found.orbit->multipliers.size(), 4U);
    EXPECT_NEAR(std::abs(found.orbit->multipliers[3]), 0.0, 1e-10);
    const Walk step = walk(*loaded.model, found.orbit->state, 1, {});
    ASSERT_TRUE(step.complete);
    EXPECT_NEAR(step.run.state.q[0], found.orbit->state.q[0], 1e-11);
    EXPECT_NEAR(step.run.state.v[1], found.orbit->state.v[1], 1e-11);
  }
}

/// A block slides from one wall to the other, stops there, and the walls change names: the state
/// after the impact is the only one there is.
TEST(Gait, SectionOfOneState) {
  const LoadedModel loaded = parse_model("block.toml", R"model(
title = "Block between walls"
coordinates = ["x", "y"]
gravity = ["g*sin(alpha)", "-g*cos(alpha)"]
[parameters]
g = 9.8
alpha = "30*deg"
mu = 0.2
[[bodies]]
name = "block"
mass = 1
gyration = 0
joint = { type = "translation", coordinates = ["x", "y"] }
[[surfaces]]
name = "slope"
[[surfaces]]
name = "high_wall"
normal = [1, 0]
[[surfaces]]
name = "low_wall"
point = [1, 0]
normal = [-1, 0]
[[contacts]]
name = "sole"
body = "block"
surface = "slope"
mu = "mu"
[[contacts]]
name = "high"
body = "block"
surface = "high_wall"
[[contacts]]
name = "low"
body = "block"
surface = "low_wall"
[[relabel]]
after = "low"
contacts = { low = "high", high = "low" }
[relabel.set]
x = "x - 1"
[gait]
section = "low"
)model",
                                         {});
  const OrbitSearch found = search(loaded);
  ASSERT_TRUE(found.orbit) << found.why.sentence;
  EXPECT_EQ(found.orbit->multipliers.size(), 0U);
  EXPECT_TRUE(found.orbit->stable());
  const double acceleration = 9.8 * (std::sin(30.0 * kDegree) - 0.2 * std::cos(30.0 * kDegree));
  EXPECT_NEAR(found.orbit->period(), std::sqrt(2.0 / acceleration), 1e-12);
}

/// A ball bounces down a stair of treads h deep: just after an impact v = e sqrt(v^2 + 2 g h), and
/// the multiplier is e^2; where it starts from is forgotten.
TEST(Gait, ReboundsInClosedForm) {
  for (const char* law : {"newton", "poisson", "stronge"}) {
    SCOPED_TRACE(law);
    const std::string text = fmt::format(R"model(
title = "Ball on a stair"
gravity = [0, "-g"]
[parameters]
g = 9.8
h = 0.3
e = 0.6
[[bodies]]
name = "ball"
mass = 2
gyration = 0
joint = {{ type = "prismatic", coordinate = "y", axis = [0, 1] }}
[[surfaces]]
name = "tread"
[[contacts]]
name = "sole"
body = "ball"
surface = "tread"
restitution = "e"
law = "{}"
[[relabel]]
after = "sole"
[relabel.set]
y = "y + h"
[gait]
section = "sole"
[initial]
y = "h"
y_dot = 1
)model",
                                         law);
    const OrbitSearch found = search(parse_model("ball.toml", text, {}));
    ASSERT_TRUE(found.orbit) << found.why.sentence;
    const double e = 0.6;
    EXPECT_NEAR(found.orbit->state.v[0], e * std::sqrt(2.0 * 9.8 * 0.3 / (1.0 - e * e)), 1e-10);
    ASSERT_EQ(found.orbit->multipliers.size(), 2U);
    EXPECT_NEAR(std::abs(found.orbit->multipliers[0] - e * e), 0.0, 1e-9);
    EXPECT_NEAR(std::abs(found.orbit->multipliers[1]), 0.0, 1e-9);
  }
}

TEST(Gait, TheCallersWishToEndCounts) {
  const LoadedModel loaded = read_model("compass-biped", {});
  SimulationOptions options;
  options.keep_going = [](double time) { return time < 0.1; };
  const Walk ended = walk(*loaded.model, loaded.initial, 1, options);
  EXPECT_FALSE(ended.complete);
  EXPECT_EQ(ended.run.end.reason, EndReason::kInterrupted);
  EXPECT_LT(ended.duration(), 0.5);
}

/// [Or2014]'s gait from its printed digits, a derivative counted as the seven maps that it costs.
TEST(Gait, CostInReturnMaps) {
  const Orbit gait = *search(read_model("compass-biped", {})).orbit;
  constexpr int kMapsPerDerivative = 7;
  EXPECT_LE(gait.maps + kMapsPerDerivative * gait.derivatives, 40);
}

TEST(GaitSlips, RowsLeftOutByAnInterruptionAreEmpty) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = *search(loaded).orbit;
  const SlipGrid grid{{0.1, 0.2, 0.3}, {-0.01, 0.01}};
  SlipMap map;
  tbb::task_arena one_thread(1);
  one_thread.execute(
      [&] { map = find_slip_map(*loaded.model, gait, grid, [](int) { return false; }); });
  EXPECT_FALSE(map.complete());
  EXPECT_EQ(map.outcomes.size(), 3U);
  EXPECT_EQ(std::count_if(map.outcomes.begin(), map.outcomes.end(),
                          [](const auto& row) { return row.empty(); }),
            2);
  EXPECT_FALSE(find_slip_basin(grid, map, 1.0));
  const SlipMap all = find_slip_map(*loaded.model, gait, grid, {});
  EXPECT_TRUE(all.complete());
  EXPECT_EQ(find_slip_basin(grid, all, 1.0), 0.01);
}

/// Every tenth run is checked: of 3 x 4 the first and the eleventh.
TEST(GaitSlips, EveryTenthRunIsChecked) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const Orbit gait = *search(loaded).orbit;
  SlipGrid grid{{0.1, 0.2, 0.3}, {-0.02, -0.01, 0.01, 0.02}};
  const SlipMap checked = find_slip_map(*loaded.model, gait, grid, {});
  EXPECT_TRUE(checked.check.passed);
  EXPECT_GT(checked.check.worst.momentum, 0.0);
  grid.checks = false;
  const SlipMap bare = find_slip_map(*loaded.model, gait, grid, {});
  EXPECT_EQ(bare.check.worst.momentum, 0.0);
  EXPECT_EQ(bare.outcomes, checked.outcomes);
}

struct BranchCase {
  LoadedModel loaded;
  std::string name;
  double from, to;

  [[nodiscard]] GaitFamily family() const { return make_family(loaded, name); }
  [[nodiscard]] Branch follow() const {
    ContinuationOptions options;
    options.from = from;
    options.to = to;
    const OrbitSearch start = find_orbit(*family()(from), loaded.initial, {});
    return continue_orbit(family(), start.orbit.value(), options);
  }
};

TEST(GaitBranch, ThereAndBack) {
  const BranchCase there{read_model("compass-biped", {}), "alpha", 1.0 * kDegree, 4.0 * kDegree};
  const Branch branch = there.follow();
  EXPECT_FALSE(branch.end) << branch.end.sentence;
  EXPECT_EQ(branch.points.back().parameter, there.to);
  ContinuationOptions back;
  back.from = there.to;
  back.to = there.from;
  const GaitFamily family = there.family();
  const OrbitSearch start = refine_orbit(*family(back.from), branch.points.back().state,
                                         search(there.loaded).orbit->walk.shape, {});
  ASSERT_TRUE(start.orbit) << start.why.sentence;
  const Branch returned = continue_orbit(family, *start.orbit, back);
  EXPECT_NEAR(returned.points.back().period, branch.points.front().period, 1e-11);
  EXPECT_NEAR(returned.points.back().state.v[1], branch.points.front().state.v[1], 1e-11);
}

/// Where friction falls below what the gait needs, the sequence of events changes.
TEST(GaitBranch, BorderWhereTheFootBeginsToSlip) {
  const BranchCase less{read_model("compass-biped", {}), "mu", 0.2, 0.16};
  const Branch branch = less.follow();
  ASSERT_EQ(branch.bifurcations.size(), 2U);
  EXPECT_EQ(branch.bifurcations[0].type, BifurcationType::kBorder);
  EXPECT_NEAR(branch.bifurcations[0].at.parameter, 0.174918491336, 1e-8);
  EXPECT_EQ(branch.bifurcations[0].before, "SF, impact swing SF");
  EXPECT_EQ(branch.bifurcations[0].after, "PF, stick stance SF, impact swing PF");
  EXPECT_THAT(branch.points.back().sequence, HasSubstr("slip stance NF"));
}

/// A wheel that is pushed uphill by a force in proportion to its speed walks fast or slowly; with
/// less push both gaits meet. Seen from the speed, the push that a gait of this speed needs is
/// least there.
TEST(GaitBranch, FoldWhereFastAndSlowGaitMeet) {
  ModelText uphill("rimless-wheel");
  uphill.insert("foot_radius = 0", "c = 0.43\n")
      .insert("[[surfaces]]",
              "[[forces]]\nbody = \"wheel\"\nat = [0, \"l\"]\nforce = [\"c*theta_dot\", 0]\n");
  const BranchCase less{uphill.make({{"alpha", "-6*deg"}, {"mu", "2"}, {"theta_dot", "0.72"}}), "c",
                        0.43, 0.4};
  const Branch branch = less.follow();
  ASSERT_EQ(branch.bifurcations.size(), 1U);
  EXPECT_EQ(branch.bifurcations[0].type, BifurcationType::kFold);
  EXPECT_TRUE(branch.points.front().stable);
  EXPECT_FALSE(branch.points.back().stable);
  EXPECT_FALSE(branch.end) << branch.end.sentence;
  EXPECT_EQ(branch.points.back().parameter, less.from);
  EXPECT_THAT(branch.notes, IsEmpty());

  const GaitFamily family = less.family();
  const auto find_push = [&](double speed) {
    State start = less.loaded.initial;
    start.v[2] = speed;
    const auto excess = [&](double push) {
      return walk(*family(push), start, 1, {}).run.state.v[2] - speed;
    };
    std::uintmax_t rounds = 60;
    const auto [low, high] = boost::math::tools::toms748_solve(
        excess, 0.3, 0.6, boost::math::tools::eps_tolerance<double>(50), rounds);
    return 0.5 * (low + high);
  };
  const auto least = boost::math::tools::brent_find_minima(find_push, 0.45, 0.7, 30);
  EXPECT_NEAR(branch.bifurcations[0].at.parameter, least.second, 1e-11);
  EXPECT_NEAR(branch.bifurcations[0].at.state.v[2], least.first, 1e-6);
}

/// A toe without friction at a height d above the end of each leg grazes the slope where it is as
/// high as the swing foot dips below the slope.
TEST(GaitBranch, GrazingWhereTheToeTouches) {
  ModelText with_toes("compass-biped");
  with_toes.insert("foot_radius = 0", "d = 0.002\n")
      .insert("[[relabel]]",
              "[[contacts]]\nname = \"toe\"\nbody = \"swing_leg\"\npoint = [0, \"d - 2*l\"]\n"
              "surface = \"slope\"\n[[contacts]]\nname = \"old_toe\"\nbody = \"stance_leg\"\n"
              "point = [0, \"d\"]\nsurface = \"slope\"\n")
      .replace("{ swing = \"stance\", stance = \"swing\" }",
               "{ swing = \"stance\", stance = \"swing\", toe = \"old_toe\", old_toe = \"toe\" }");
  const BranchCase lower{with_toes.make({}), "d", 0.002, 0.0003};
  const Branch branch = lower.follow();
  ASSERT_GE(branch.bifurcations.size(), 1U);
  EXPECT_EQ(branch.bifurcations[0].type, BifurcationType::kGrazing);
  EXPECT_EQ(branch.bifurcations[0].before, "SFFF, impact swing SFFF");
  EXPECT_THAT(branch.bifurcations[0].after, HasSubstr("impact toe"));

  const LoadedModel biped = read_model("compass-biped", {});
  const Orbit gait = *search(biped).orbit;
  const auto eval_height = [&](double time) {  // of the foot, along its leg
    const State state = gait.walk.run.trajectory.eval(time).state;
    return eval_contact_kinematics(*biped.model, state).gap[1] / std::cos(state.q[1]);
  };
  const auto lowest = boost::math::tools::brent_find_minima(eval_height, 0.2, 0.45, 50);
  EXPECT_NEAR(branch.bifurcations[0].at.parameter, -lowest.second, 1e-12);
  // Just beyond there is no gait: with short steps the branch ends.
  const BranchCase slowly{with_toes.make({}), "d", 0.001, 0.0006};
  const Branch ended = slowly.follow();
  EXPECT_TRUE(ended.end);
  EXPECT_NEAR(ended.points.back().parameter, -lowest.second, 1e-12);
}

/// The gait of twice the period doubles it again, where differences of two steps have the
/// eigenvalue -1.
TEST(GaitBranch, TheDoubledGaitDoublesAgain) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const GaitFamily family = make_family(loaded, "alpha");
  ContinuationOptions options;
  options.from = 1.0 * kDegree;
  options.to = 6.0 * kDegree;
  const BranchCase steeper{loaded, "alpha", options.from, options.to};
  const auto doubled = follow_doubled(family, steeper.follow().bifurcations.at(0), options);
  ASSERT_TRUE(doubled);
  ASSERT_EQ(doubled->bifurcations.size(), 1U);
  const Bifurcation& found = doubled->bifurcations[0];
  EXPECT_EQ(found.type, BifurcationType::kPeriodDoubling);
  EXPECT_NEAR(found.at.parameter / kDegree, 5.8905414, 1e-7);

  const auto made = family(found.at.parameter);
  const Model& model = *made;
  const Section section(model, walk(model, found.at.state, 2, {}).shape, 1.0);
  const Eigen::MatrixXd tangents = section.find_tangents(found.at.state);
  Eigen::MatrixXd derivative(tangents.cols(), tangents.cols());
  for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
    derivative.col(j) = tangents.transpose() *
                        differentiate_walk(model, section, found.at.state, tangents.col(j), 2);
  }
  const Eigen::VectorXcd values = derivative.eigenvalues();
  EXPECT_NEAR((values.array() + 1.0).abs().minCoeff(), 0.0, 1e-6);
}

TEST(GaitBranch, EndsWithTheReason) {
  const BranchCase lighter{read_model("compass-biped", {}), "m", 4.0, -1.0};
  const Branch branch = lighter.follow();
  EXPECT_EQ(branch.end.code, WhyCode::kNoModel);
  EXPECT_THAT(branch.end.sentence, HasSubstr("expected"));
  EXPECT_GT(branch.points.size(), 3U);
}

}  // namespace
}  // namespace slipstick
