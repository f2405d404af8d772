/// Periodic motion: the rimless wheel in closed form, derivatives against differences, branches.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "angles.h"
#include "cases.h"
#include "slipstick/analysis/gait/continuation.h"
#include "slipstick/analysis/gait/gait_report.h"
#include "slipstick/analysis/gait/walk_variation.h"
#include "slipstick/io/ranges.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;
using testkit::kDegree;
using testkit::kPi;

OrbitSearch search(const LoadedModel& loaded) {
  return find_orbit(loaded.model, loaded.initial, {});
}

/// Derivative of one step along a direction, by central differences extrapolated twice.
Eigen::VectorXd differentiate_walk(const Model& model, const Section& section, const State& start,
                                   const Eigen::VectorXd& direction) {
  const auto difference = [&](double h) -> Eigen::VectorXd {
    const auto map = [&](double s) {
      const State moved = section.project(move(start, section.unscale(s * direction)));
      return section.scale(walk(model, moved, 1, {}).run.state);
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
    ASSERT_TRUE(found.orbit) << found.reason;
    const Orbit& orbit = *found.orbit;
    const Section section(loaded.model, orbit.walk.shape, 1.0);
    const Eigen::MatrixXd tangents = section.find_tangents(orbit.state);
    ASSERT_GT(tangents.cols(), 0);
    for (Eigen::Index j = 0; j < tangents.cols(); ++j) {
      const VariedWalk varied =
          vary_walk(loaded.model, orbit.walk, {section.unscale(tangents.col(j))});
      EXPECT_EQ(varied.obstacle, "");
      const Eigen::VectorXd exact = section.scale(varied.end[0]);
      const Eigen::VectorXd estimate =
          differentiate_walk(loaded.model, section, orbit.state, tangents.col(j));
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
    state = walk(loaded.model, state, 1, {}).run.state;
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
    ASSERT_TRUE(found.orbit) << found.reason;
    const Orbit& orbit = *found.orbit;
    EXPECT_NEAR(orbit.state.v[2], forms.rate(), 1e-11);
    ASSERT_EQ(orbit.multipliers.size(), 1U);
    EXPECT_NEAR(orbit.multipliers[0].real(), forms.beta() * forms.beta(), 1e-9);
    const GaitReport report = make_gait_report(loaded.model, orbit);
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
  EXPECT_THAT(found.reason, HasSubstr("the motion comes to rest at"));
}

TEST(Gait, RoughGuessesLeadToTheSameGait) {
  const Orbit gait = *search(read_model("compass-biped", {})).orbit;
  for (const std::vector<Override>& guess :
       {std::vector<Override>{{"theta1", "-0.2"}, {"theta1_dot", "0.9"}},
        std::vector<Override>{{"theta1", "-0.3"}, {"theta1_dot", "1.2"}, {"theta2_dot", "-0.1"}},
        std::vector<Override>{{"theta1", "-0.12"}, {"theta2_dot", "-0.2"}}}) {
    const OrbitSearch found = search(read_model("compass-biped", guess));
    ASSERT_TRUE(found.orbit) << found.reason;
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
  const OrbitSearch found = find_orbit(loaded.model, loaded.initial, two);
  ASSERT_TRUE(found.orbit) << found.reason;
  EXPECT_NEAR(found.orbit->period(), 2.0 * once.period(), 1e-11);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(std::abs(found.orbit->multipliers[i]), std::norm(once.multipliers[i]), 1e-9);
  }
}

struct BranchCase {
  LoadedModel loaded;
  std::string name;
  double from, to;

  [[nodiscard]] GaitFamily family() const {
    return [this](double value) {
      return make_with_parameters(loaded, {name}, std::vector<double>{value}).model;
    };
  }
  [[nodiscard]] Branch follow() const {
    ContinuationOptions options;
    options.from = from;
    options.to = to;
    const OrbitSearch start = find_orbit(family()(from), loaded.initial, {});
    return continue_orbit(family(), *start.orbit, options);
  }
};

TEST(GaitBranch, ThereAndBack) {
  const BranchCase there{read_model("compass-biped", {}), "alpha", 1.0 * kDegree, 4.0 * kDegree};
  const Branch branch = there.follow();
  EXPECT_EQ(branch.end, "");
  EXPECT_EQ(branch.points.back().parameter, there.to);
  ContinuationOptions back;
  back.from = there.to;
  back.to = there.from;
  const GaitFamily family = there.family();
  const OrbitSearch start = refine_orbit(family(back.from), branch.points.back().state,
                                         search(there.loaded).orbit->walk.shape, {});
  ASSERT_TRUE(start.orbit) << start.reason;
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

TEST(GaitBranch, EndsWithTheReason) {
  const BranchCase lighter{read_model("compass-biped", {}), "m", 4.0, -1.0};
  const Branch branch = lighter.follow();
  EXPECT_THAT(branch.end, HasSubstr("expected"));
  EXPECT_GT(branch.points.size(), 3U);
}

}  // namespace
}  // namespace slipstick
