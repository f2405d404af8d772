/// Windows and critical friction against closed forms; the closed forms of M and W are those of
/// closed_forms.cc, which share nothing with the library.

#include "slipstick/paradox.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>

#include "angles.h"
#include "cases.h"
#include "physics/closed_forms.h"
#include "slipstick/critical_friction.h"
#include "slipstick/errors.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

using testkit::kDegree;

ParadoxProblem make_initial_problem(const LoadedModel& loaded,
                                    SlipDirection direction = SlipDirection::kInitial) {
  return make_paradox_problem(*loaded.model, loaded.initial, loaded.closings, direction, {});
}

std::string number(double value) { return std::to_string(value); }

std::vector<Interval> find_along(const char* model, std::vector<Override> overrides,
                                 const char* coordinate, double low, double high) {
  const LoadedModel loaded = read_model(model, overrides);
  const int index = loaded.model->find_coordinate(coordinate);
  return find_paradox_along(make_initial_problem(loaded), {index, low, high}).intervals;
}

/// p of the arm's tip from the closed form of M and W, theta2 > 0 on the rail.
double eval_arm_p(const closed_forms::Params& params, double theta1) {
  Eigen::VectorXd q(2);
  q << theta1, std::acos(params.at("H") / params.at("l") - std::cos(theta1));
  const auto terms = closed_forms::two_link_rail(params, q, Eigen::VectorXd::Zero(2));
  const Eigen::VectorXd n = terms.W_n.col(0);
  return n.dot(terms.M.ldlt().solve(n - params.at("mu") * terms.W_t.col(0)));
}

struct ArmCase {
  double height, low, high;  // m, deg, deg
};

/// [Zhao2008] Table 1 with the true ranges (docs/errata.md), printed digits; every end is also a
/// zero of p by the closed form.
TEST(ParadoxAlong, ArmOnTheRail) {
  for (const ArmCase& expected : {ArmCase{0.3775, 22.713, 34.866}, ArmCase{0.331, 43.27, 49.23},
                                  ArmCase{0.35, 35.33, 44.34}}) {
    const std::vector<Override> overrides{{"H", number(expected.height)},
                                          {"theta1", "acos(H/(2*l))"}};
    const auto intervals = find_along("two-link-rail", overrides, "theta1", -1.5, 1.5);
    ASSERT_EQ(intervals.size(), 1U);
    EXPECT_NEAR(intervals[0].low / kDegree, expected.low, 0.006);
    EXPECT_NEAR(intervals[0].high / kDegree, expected.high, 0.006);
    closed_forms::Params params;
    for (const Setting& s : read_model("two-link-rail", overrides).parameters) {
      params[s.name] = s.value;
    }
    for (const double end : {intervals[0].low, intervals[0].high}) {
      EXPECT_LT(eval_arm_p(params, end - 1e-11) * eval_arm_p(params, end + 1e-11), 0.0);
    }
  }
  EXPECT_TRUE(
      find_along("two-link-rail", {{"H", "0.21"}, {"theta1", "60*deg"}}, "theta1", -1.5, 1.5)
          .empty());
}

/// The tip reaches the rail for |theta1| < acos(H/l - 1): 37.097 degrees.
TEST(ParadoxAlong, StopsWhereTheContactCannotClose) {
  const LoadedModel loaded = read_model("two-link-rail", {});
  const ParadoxAlong result = find_paradox_along(make_initial_problem(loaded), {0, -1.5, 1.5});
  ASSERT_EQ(result.reachable.size(), 1U);
  const double expected = std::acos(0.3775 / 0.21 - 1.0);
  EXPECT_NEAR(result.reachable[0].low, -expected, 1e-12);
  EXPECT_NEAR(result.reachable[0].high, expected, 1e-12);
  EXPECT_NEAR(expected / kDegree, 37.097, 5e-4);
}

/// Wheel [Or2014], corrected eq. (32): kappa + (1 + kappa) T^2 + s mu T < 0 with T = tan(theta).
TEST(ParadoxAlong, WheelForRandomData) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 50; ++i) {
    const double kappa = std::uniform_real_distribution<double>(0.005, 0.3)(random);
    const double mu = std::uniform_real_distribution<double>(0.1, 2.0)(random);
    const int spokes = std::uniform_int_distribution<int>(4, 20)(random);
    const LoadedModel loaded = read_model(
        "rimless-wheel",
        std::vector<Override>{{"kappa", number(kappa)}, {"mu", number(mu)}, {"n", number(spokes)}});
    const auto value = [&](const char* name) {
      return std::find_if(loaded.parameters.begin(), loaded.parameters.end(),
                          [&](const Setting& s) { return s.name == name; })
          ->value;
    };
    const double k = value("kappa");
    const double discriminant = std::pow(value("mu"), 2) - 4.0 * k * (1.0 + k);
    for (const auto direction : {SlipDirection::kPlus, SlipDirection::kMinus}) {
      const double s = direction == SlipDirection::kPlus ? 1.0 : -1.0;
      const auto result =
          find_paradox_along(make_initial_problem(loaded, direction), {2, -1.5, 1.5});
      if (discriminant < 0.0) {
        EXPECT_TRUE(result.intervals.empty());
        continue;
      }
      ASSERT_EQ(result.intervals.size(), 1U);
      const double root = std::sqrt(discriminant);
      const double low = std::atan((-s * value("mu") - root) / (2.0 * (1.0 + k)));
      const double high = std::atan((-s * value("mu") + root) / (2.0 * (1.0 + k)));
      EXPECT_NEAR(result.intervals[0].low, low, 1e-12);
      EXPECT_NEAR(result.intervals[0].high, high, 1e-12);
    }
  }
}

/// Level chain [Meltz2007] eq. (2): a - cos^2 + mu sin cos = 0; -21.180 and -11.439 degrees.
TEST(ParadoxAlong, LevelChain) {
  const auto intervals = find_along("jamming-chain-level", {}, "theta", -1.5, 1.5);
  ASSERT_EQ(intervals.size(), 1U);
  EXPECT_NEAR(intervals[0].low / kDegree, -21.180, 5e-4);
  EXPECT_NEAR(intervals[0].high / kDegree, -11.439, 5e-4);
  const double a = (1.0 + 0.23 / 4.65) * (1.0 + std::pow(0.0385 / 0.209, 2));
  for (const double end : {intervals[0].low, intervals[0].high}) {
    EXPECT_NEAR(a - std::pow(std::cos(end), 2) + 0.64 * std::sin(end) * std::cos(end), 0.0, 1e-12);
  }
}

TEST(ParadoxAlong, NeedsAClosedContact) {
  const LoadedModel ball = read_model("bouncing-ball", {});
  EXPECT_THROW((void)make_initial_problem(ball), InputError);
}

double find_mu_min(const LoadedModel& loaded, std::vector<CoordinateRange> over = {}) {
  const auto critical = find_critical_friction(make_initial_problem(loaded), over);
  EXPECT_TRUE(critical.has_value());
  const int contact = make_initial_problem(loaded).sliding[0].contact;
  return critical->scale * loaded.model->contacts[static_cast<std::size_t>(contact)].mu;
}

TEST(CriticalFriction, WheelForRandomKappa) {
  for (const double kappa : {0.001, 0.02, 0.2, 1.0}) {
    const LoadedModel loaded =
        read_model("rimless-wheel", std::vector<Override>{{"kappa", number(kappa)}});
    EXPECT_NEAR(find_mu_min(loaded), 2.0 * std::sqrt(kappa + kappa * kappa), 1e-10);
  }
}

/// Closed form of mu_min for the biped (docs/theory/paradox.md).
double eval_biped_mu_min(double j, double r) {
  const double numerator =
      2.0 + 10.0 * r + 4.0 * r * r + j * (14.0 + 16.0 * r + 4.0 * r * r) + j * j * (4.0 + 2.0 * r);
  const double denominator = 2.0 + 8.0 * r + 4.0 * r * r + j * (10.0 + 12.0 * r + 4.0 * r * r);
  return std::sqrt(std::pow(numerator / denominator, 2) - 1.0);
}

TEST(CriticalFriction, RandomBipeds) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> uniform(0.05, 1.5);
  for (int i = 0; i < testkit::cases(10); ++i) {
    const std::string m = number(uniform(random));
    const std::string mh = number(uniform(random));
    const std::string inertia = number(uniform(random));
    const LoadedModel loaded =
        read_model("compass-biped", std::vector<Override>{{"m", m}, {"mh", mh}, {"Ic", inertia}});
    const double j = std::stod(inertia) / (std::stod(m) * 0.64);
    EXPECT_NEAR(find_mu_min(loaded), eval_biped_mu_min(j, std::stod(mh) / std::stod(m)), 1e-9);
  }
}

/// [Or2014]: mu_min = 0.5533 of its biped, and at mu = 0.8 the paradox ends at rho = 0.4617.
TEST(CriticalFriction, BipedOfThePaper) {
  EXPECT_NEAR(find_mu_min(read_model("compass-biped", {})), 0.553283335172, 1e-12);
  const LoadedModel heavy =
      read_model("compass-biped", std::vector<Override>{{"Ic", "m*0.461732237564^2"}});
  EXPECT_NEAR(find_mu_min(heavy), 0.8, 1e-10);
}

/// Any box that contains the minimiser gives the same answer.
TEST(CriticalFriction, DoesNotDependOnTheBox) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const double theta = std::atan(0.553283335172) / 2.0;
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> margin(0.01, 1.5);
  for (int i = 0; i < 10; ++i) {
    const std::vector<CoordinateRange> box{{0, -theta - margin(random), -theta + margin(random)},
                                           {1, theta - margin(random), theta + margin(random)}};
    EXPECT_NEAR(find_mu_min(loaded, box), 0.553283335172, 1e-10);
  }
}

/// Thresholds of the level chain and of the wheel: existence, and unbounded force.
TEST(CriticalFriction, UnboundedForceNeedsMore) {
  const auto find = [](const char* model) {
    const LoadedModel loaded = read_model(model, {});
    auto critical = *find_critical_friction(make_initial_problem(loaded), {});
    const double mu = loaded.model->contacts[0].mu;
    return std::pair(critical.scale * mu, critical.jam_scale.value_or(0.0) * mu);
  };
  const auto [chain, chain_jam] = find("jamming-chain-level");
  EXPECT_NEAR(chain, 0.60766, 5e-6);
  EXPECT_NEAR(chain_jam, 0.70166, 5e-6);
  const auto [wheel, wheel_jam] = find("rimless-wheel");
  EXPECT_NEAR(wheel, 2.0 * std::sqrt(0.0204), 1e-12);
  EXPECT_NEAR(wheel_jam, 2.0 / std::sqrt(3.0) * wheel, 1e-9);
}

/// A base that slides along a tilted belt closes the contact in every shape, so the search covers
/// all of them whatever the base's initial place: the same answer from two places.
TEST(CriticalFriction, ATranslationLeavesEveryShapeFree) {
  const auto find = [](const char* place) {
    const std::string text = R"(
gravity = [0, -9.81]
[parameters]
place = 0
[[bodies]]
name = "cart"
mass = 2
inertia = 1
joint = { type = "prismatic", axis = [1, 0], coordinate = "s" }
[[bodies]]
name = "upper"
mass = 1
gyration = 0.1
com = [0, -0.3]
joint = { type = "revolute", parent = "cart", coordinate = "q1" }
[[bodies]]
name = "lower"
mass = 1
gyration = 0.1
com = [0, -0.3]
joint = { type = "revolute", parent = "upper", at = [0, -0.6], coordinate = "q2" }
[[surfaces]]
name = "belt"
point = [0, -1.0]
normal = [0.1, 1]
[[contacts]]
name = "foot"
body = "lower"
point = [0, -0.6]
surface = "belt"
mu = 0.8
[initial]
s = "place"
q1 = 0.4
q2 = { close = "foot", between = [-2, -0.4] }
)";
    return find_mu_min(parse_model("cart.toml", text, std::vector<Override>{{"place", place}}));
  };
  EXPECT_NEAR(find("0"), find("0.5"), 1e-9);
}

TEST(CriticalFriction, NeverWithoutFriction) {
  const LoadedModel loaded = read_model("sliding-block", std::vector<Override>{{"mu", "0"}});
  const auto critical = find_critical_friction(make_initial_problem(loaded), {});
  ASSERT_TRUE(critical.has_value());
  EXPECT_TRUE(std::isinf(critical->scale));
}

/// A slide whose axis is upright up to the rounding of cos(pi/2): friction does not act on the gap.
TEST(CriticalFriction, NeverWhereCouplingIsRounding) {
  const LoadedModel loaded = parse_model("slide.toml", R"toml([[bodies]]
name = "b"
mass = 2
gyration = 0.1
joint = { type = "prismatic", coordinate = "z", axis = ["cos(pi/2)", 1] }
[[surfaces]]
name = "s"
[[contacts]]
name = "foot"
body = "b"
surface = "s"
mu = 0.5
)toml",
                                         {});
  const auto critical = find_critical_friction(make_initial_problem(loaded), {});
  ASSERT_TRUE(critical.has_value());
  EXPECT_TRUE(std::isinf(critical->scale));
}

/// Cases by the signs of p and b at every pixel, from the closed form of the wheel.
TEST(ParadoxMap, WheelRegionsAndCurves) {
  const LoadedModel loaded = read_model("rimless-wheel", {});
  const MapAxis theta{2, false, -0.35, 0.35, 41};
  const MapAxis rate{2, true, -1.2, 1.2, 31};
  const ParadoxMap map = find_paradox_map(make_initial_problem(loaded), theta, rate);
  const double k = 0.02;
  const double g = 1.02;
  const double alpha = 10.0 * kDegree;
  const auto p_at = [&](double th) {
    return (k + std::pow(std::sin(th), 2) + 0.35 * std::sin(th) * std::cos(th)) / k;
  };
  // b: the free wheel falls with g, its tip relative to the hub turns: -g cos(alpha) + rate^2 cos.
  const auto b_at = [&](double th, double w) {
    return -g * std::cos(alpha) + w * w * std::cos(th);
  };
  for (int j = 0; j < rate.count; ++j) {
    for (int i = 0; i < theta.count; ++i) {
      const double th = theta.low + (theta.high - theta.low) * i / (theta.count - 1);
      const double w = rate.low + (rate.high - rate.low) * j / (rate.count - 1);
      const int expected =
          p_at(th) > 0.0 ? (b_at(th, w) < 0.0 ? 1 : 2) : (b_at(th, w) > 0.0 ? 3 : 4);
      EXPECT_EQ(map.regions[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)], expected);
    }
  }
  int p_curves = 0;
  int b_curves = 0;
  for (const Boundary& boundary : map.boundaries) {
    (boundary.what == "p = 0" ? p_curves : b_curves) += 1;
    for (const Vec2& point : boundary.points) {
      const double value = boundary.what == "p = 0" ? p_at(point.x()) : b_at(point.x(), point.y());
      EXPECT_NEAR(value, 0.0, 1e-9) << boundary.what;
    }
  }
  EXPECT_EQ(p_curves, 2);
  EXPECT_EQ(b_curves, 2);
}

}  // namespace
}  // namespace slipstick
