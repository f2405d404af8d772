/// The friction for an unbounded force where two angles decide: mu_jam = mu_min
/// (docs/theory/paradox.md). The theorem is checked by a search among all states with p = b = 0 at
/// a friction slightly above mu_min, and by following a motion into the state found, in stretched
/// time.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/critical_friction.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

CriticalFriction find_critical(const LoadedModel& loaded, std::vector<CoordinateRange> over = {}) {
  const ParadoxProblem problem = make_paradox_problem(*loaded.model, loaded.initial,
                                                      loaded.closings, SlipDirection::kInitial, {});
  return *find_critical_friction(problem, over);
}

/// A leg on a point foot with a body hinged to its top: two angles.
LoadedModel make_torso_walker(const std::string& loads = "") {
  return parse_model("torso.toml", R"(
gravity = [1, -9.8]
[[bodies]]
name = "leg"
mass = 3
gyration = 0.1
com = [0, 0.5]
joint = { type = "free", coordinates = ["x", "y", "leg"], sense = "clockwise" }
[[bodies]]
name = "torso"
mass = 5
gyration = 0.15
com = [0, 0.3]
joint = { type = "revolute", parent = "leg", at = [0, 0.9], coordinate = "torso", measured = "absolute" }
[[surfaces]]
name = "ground"
[[contacts]]
name = "foot"
body = "leg"
surface = "ground"
mu = 0.6
[initial]
y = { close = "foot" }
leg = -0.2
)" + loads,
                     {});
}

/// A single sliding contact at a foot whose translations are coordinates: p, b and what drives
/// them, at a given friction and slip sign.
struct Foot {
  const Model& model;
  double friction;  ///< s mu

  [[nodiscard]] ContactDynamics eval(const VecQ& q, const VecQ& v) const {
    return eval_contact_dynamics(model, {0.0, q, v}, std::array{0});
  }
  [[nodiscard]] double p(const VecQ& q) const {
    const ContactDynamics at = eval(q, VecQ::Zero(q.size()));
    return at.G(0, 0) - friction * at.G(0, 1);
  }
  [[nodiscard]] double b(const VecQ& q, const VecQ& v) const { return eval(q, v).a_free[0]; }
  /// Acceleration per unit normal force.
  [[nodiscard]] VecQ u(const VecQ& q) const {
    const ContactDynamics at = eval(q, VecQ::Zero(q.size()));
    return at.M_inverse_W.col(0) - friction * at.M_inverse_W.col(1);
  }
  [[nodiscard]] double alpha(const VecQ& q, const VecQ& v) const {
    const double step = 1e-5 / v.norm();
    return (p(q + step * v) - p(q - step * v)) / (2.0 * step);
  }
  /// b is quadratic in v, so the difference is exact for any step.
  [[nodiscard]] double beta(const VecQ& q, const VecQ& v) const {
    const VecQ w = u(q);
    return -0.5 * (b(q, v + w) - b(q, v - w));
  }
};

struct SingularPoint {
  VecQ q, v;
  double alpha, beta;
};

VecQ turn(const VecQ& like, const std::array<int, 2>& angles, double direction) {
  VecQ out = VecQ::Zero(like.size());
  out[angles[0]] = std::cos(direction);
  out[angles[1]] = std::sin(direction);
  return out;
}

/// Every direction from the minimum to the curve p = 0 around it, every direction of velocity
/// there, with the speed that makes b = 0: the point with alpha < beta < 0 and their ratio nearest
/// to 1/2.
std::optional<SingularPoint> search_jam(const Foot& foot, const VecQ& minimum,
                                        const std::array<int, 2>& angles) {
  constexpr int kDirections = 60;
  constexpr int kVelocities = 720;
  std::optional<SingularPoint> best;
  for (int i = 0; i < kDirections; ++i) {
    const VecQ ray = turn(minimum, angles, 2.0 * std::numbers::pi * i / kDirections);
    double inside = 0.0;
    double outside = 0.5;
    if (foot.p(minimum + outside * ray) < 0.0) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (inside + outside);
      (foot.p(minimum + middle * ray) < 0.0 ? inside : outside) = middle;
    }
    const VecQ q = minimum + outside * ray;
    const double rest = foot.b(q, VecQ::Zero(q.size()));
    for (int k = 0; k < kVelocities; ++k) {
      VecQ v = turn(minimum, angles, 2.0 * std::numbers::pi * k / kVelocities);
      const double square = foot.b(q, v) - rest;
      if (square * rest >= 0.0) continue;
      v *= std::sqrt(-rest / square);
      const SingularPoint point{q, v, foot.alpha(q, v), foot.beta(q, v)};
      if (!(point.alpha < point.beta && point.beta < 0.0)) continue;
      const auto distance = [](const SingularPoint& a) { return std::abs(a.beta / a.alpha - 0.5); };
      if (!best || distance(point) < distance(*best)) best = point;
    }
  }
  return best;
}

/// The biped with its swing leg below the hip: near mu_min no motion jams.
CriticalFriction find_hanging(const LoadedModel& biped) {
  const double right = std::numbers::pi / 2.0;
  return find_critical(biped, {{0, -right, right}, {1, -right, right}});
}

TEST(JamFriction, OfTheBipedBetweenTwoFrictions) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const CriticalFriction critical = find_hanging(loaded);
  ASSERT_TRUE(critical.jam_scale.has_value()) << critical.no_jam.sentence;
  const double signed_mu = critical.slip_signs[0] * *critical.jam_scale * 0.7;
  EXPECT_FALSE(search_jam({*loaded.model, 0.98 * signed_mu}, critical.at, {0, 1}).has_value());
  EXPECT_TRUE(search_jam({*loaded.model, 1.02 * signed_mu}, critical.at, {0, 1}).has_value());
}

/// If some velocity at the minimum has b = beta = 0 and heads for it, mu_jam = mu_min: a torso that
/// stands on a leg, and the biped with its swing leg on top, in line with the other one.
TEST(JamFriction, IsMuMinWhereAMotionHeadsForTheMinimum) {
  struct Case {
    LoadedModel loaded;
    std::array<int, 2> angles;
    double turn;  ///< of the second angle, to another minimum
  };
  for (const Case& test : {Case{read_model("compass-biped", {}), {0, 1}, std::numbers::pi},
                           Case{make_torso_walker(), {2, 3}, 0.0}}) {
    const CriticalFriction critical = find_critical(test.loaded);
    ASSERT_TRUE(critical.jam_scale.has_value()) << critical.no_jam.sentence;
    EXPECT_NEAR(*critical.jam_scale, critical.scale, 1e-6 * critical.scale);
    const double mu_min = critical.scale * test.loaded.model->contacts[0].mu;
    VecQ minimum = critical.at;
    minimum[test.angles[1]] += test.turn;
    for (const double above : {1e-2, 1e-3}) {
      const Foot foot{*test.loaded.model, critical.slip_signs[0] * mu_min * (1.0 + above)};
      EXPECT_TRUE(search_jam(foot, minimum, test.angles).has_value()) << above;
    }
  }
}

/// One step of the equations in stretched time, dt = p d(tau), by the classical Runge-Kutta method.
void step(const Foot& foot, VecQ& q, VecQ& v, double size) {
  const auto rate = [&](const VecQ& at, const VecQ& speed) {
    const ContactDynamics here = foot.eval(at, speed);
    const double p = foot.p(at);
    return std::pair<VecQ, VecQ>(p * speed,
                                 p * here.free_acceleration - here.a_free[0] * foot.u(at));
  };
  const auto [q1, v1] = rate(q, v);
  const auto [q2, v2] = rate(q + 0.5 * size * q1, v + 0.5 * size * v1);
  const auto [q3, v3] = rate(q + 0.5 * size * q2, v + 0.5 * size * v2);
  const auto [q4, v4] = rate(q + size * q3, v + size * v3);
  q += size / 6.0 * (q1 + 2.0 * q2 + 2.0 * q3 + q4);
  v += size / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
}

/// The biped at five per cent above mu_jam slides into p = b = 0, and f_n = -b/p grows like
/// p^(beta/alpha - 1).
TEST(JamFriction, TheForceIsUnboundedThere) {
  const LoadedModel loaded = read_model("compass-biped", {});
  const CriticalFriction critical = find_hanging(loaded);
  const double sign = critical.slip_signs[0];
  const Foot foot{*loaded.model, sign * *critical.jam_scale * 0.7 * 1.05};
  const auto jam = search_jam(foot, critical.at, {0, 1});
  ASSERT_TRUE(jam.has_value());
  // A little before: back along v, and pushed back along u so that f_n = -b/p is large: the growth
  // differs from its limit by a term like 1/f_n.
  constexpr double kBefore = 1e-8;
  constexpr double kForce = 1e6;
  VecQ q = jam->q - kBefore * jam->v;
  VecQ v = jam->v - kForce * jam->alpha / jam->beta * kBefore * foot.u(q);
  v[2] = sign * 10.0;  // the slip, which p and b do not see
  std::vector<double> log_p;
  std::vector<double> log_f;
  const double start = foot.p(q);
  const double size = 0.02 / std::abs(jam->alpha);
  while (foot.p(q) > 1e-5 * start) {
    ASSERT_GT(foot.p(q), 0.0);
    ASSERT_LT(foot.b(q, v), 0.0);
    ASSERT_GT(sign * v[2], 0.0);
    ASSERT_LT(log_p.size(), 10000U);
    log_p.push_back(std::log(foot.p(q)));
    log_f.push_back(std::log(-foot.b(q, v) / foot.p(q)));
    step(foot, q, v, size);
  }
  EXPECT_GT(log_f.back() - log_f.front(), std::log(10.0));
  const std::size_t late = log_p.size() - 20;
  const double slope = (log_f.back() - log_f[late]) / (log_p.back() - log_p[late]);
  EXPECT_NEAR(slope, foot.beta(q, v) / foot.alpha(q, v) - 1.0, 1e-3);
}

/// A flywheel on the wheel's hub is a second angle, on which p and b do not depend. So one angle
/// decides, and mu_jam = 2/sqrt(3) mu_min with kappa = 0.2^2/2 (the flywheel's mass counts, its
/// inertia does not).
TEST(JamFriction, AFlywheelChangesNothing) {
  const LoadedModel wheel = parse_model("flywheel.toml", R"(
gravity = [0, -1]
[[bodies]]
name = "leg"
mass = 1
gyration = 0.2
com = [0, 1]
joint = { type = "free", coordinates = ["x", "y", "theta"], sense = "clockwise" }
[[bodies]]
name = "flywheel"
mass = 1
gyration = 0.2
joint = { type = "revolute", parent = "leg", at = [0, 1], coordinate = "spin", measured = "absolute" }
[[surfaces]]
name = "ground"
[[contacts]]
name = "foot"
body = "leg"
surface = "ground"
mu = 1
[initial]
theta = -0.1
y = { close = "foot" }
)",
                                        {});
  const CriticalFriction critical = find_critical(wheel);
  EXPECT_NEAR(critical.scale, 2.0 * std::sqrt(0.02 * 1.02), 1e-10);
  EXPECT_NEAR(critical.jam_scale.value_or(0.0), 4.0 * std::sqrt(0.02 * 1.02 / 3.0), 1e-9);
}

/// Two links hang from a hinge, and the tip is on a surface. The first angle turns back where the
/// elbow is straight, so its curve of configurations has two branches.
constexpr double kUpper = 0.6;  // [m]
constexpr double kLower = 0.9;
constexpr double kDepth = 0.9;  // of the surface below the hinge [m]

LoadedModel make_arm(double elbow) {
  return parse_model("arm.toml",
                     R"(
gravity = [0, -9.81]
[[bodies]]
name = "upper"
mass = 0.45
gyration = 0.02
com = [0.02, -0.6]
joint = { type = "revolute", coordinate = "upper" }
[[bodies]]
name = "lower"
mass = 1.65
gyration = 0.15
com = [0.11, -0.24]
joint = { type = "revolute", parent = "upper", at = [0, -0.6], coordinate = "lower", measured = "absolute" }
[[surfaces]]
name = "rail"
point = [0, -0.9]
speed = -1
[[contacts]]
name = "tip"
body = "lower"
point = [0, -0.9]
surface = "rail"
mu = 0.7
[initial]
upper = -0.2
lower = { close = "tip", near = )" +
                         std::to_string(elbow) + " }\n",
                     {});
}

/// Least mu_P of a scan of both branches where some motion has p = b = 0 and alpha < beta < 0.
double scan_arm(const Model& model) {
  constexpr int kPoints = 40000;
  double least = 1e9;
  for (int i = 0; i < kPoints; ++i) {
    const double upper = std::numbers::pi * (2.0 * (i + 0.5) / kPoints - 1.0);
    const double cosine = (kDepth - kUpper * std::cos(upper)) / kLower;
    if (std::abs(cosine) >= 1.0) continue;
    for (const double sign : {1.0, -1.0}) {
      const double lower = sign * std::acos(cosine);
      VecQ q(2);
      q << upper, lower;
      const ContactDynamics at =
          eval_contact_dynamics(model, {0.0, q, VecQ::Zero(2)}, std::array{0});
      const double mu = at.G(0, 0) / at.G(0, 1);
      const Foot foot{model, mu};
      VecQ v(2);  // keeps the tip on the rail
      v << kLower * std::sin(lower), -kUpper * std::sin(upper);
      const double rest = foot.b(q, VecQ::Zero(2));
      if (rest * (foot.b(q, v) - rest) >= 0.0) continue;
      for (const double way : {1.0, -1.0}) {
        const double alpha = foot.alpha(q, way * v);
        const double beta = foot.beta(q, way * v);
        if (alpha < beta && beta < 0.0) least = std::min(least, std::abs(mu));
      }
    }
  }
  return least;
}

/// mu_jam counts all configurations, as mu_min does, not those that one branch reaches from the
/// initial state.
TEST(JamFriction, SearchesEveryBranchOfTheConfigurations) {
  constexpr double kScan = 1e-3;  // what the spacing of the scan leaves, relative
  const double expected = scan_arm(*make_arm(1.0).model);
  for (const double elbow : {1.0, -1.0}) {
    const CriticalFriction critical = find_critical(make_arm(elbow));
    ASSERT_TRUE(critical.jam_scale.has_value()) << critical.no_jam.sentence;
    EXPECT_NEAR(*critical.jam_scale * 0.7, expected, kScan * expected) << elbow;
  }
}

/// Three links from a hinge: the least friction of a jam lies beyond where the last link, which
/// follows, turns back. The number is that of a scan of all configurations, each with 1440
/// directions of velocity, and a random descent from its best points, with M and b by
/// tests/reference/model.py (0.438240; the descent stops above the infimum).
TEST(JamFriction, GoesOnWhereTheFollowerTurnsBack) {
  const LoadedModel arm = parse_model("arm3.toml", R"(
gravity=[0,-9.81]
[[bodies]]
name="b0"
mass=0.4428
gyration=0.3716
com=[-0.0428,-0.8851]
joint={ type="revolute", coordinate="a0" }
[[bodies]]
name="b1"
mass=2.0262
gyration=0.3232
com=[-0.1658,-0.5017]
joint={ type="revolute", coordinate="a1", parent="b0", at=[0,-0.939] }
[[bodies]]
name="b2"
mass=2.541
gyration=0.0877
com=[0.1908,-0.7244]
joint={ type="revolute", coordinate="a2", parent="b1", at=[0,-0.8169] }
[[surfaces]]
name="s"
point=[0,-0.9068]
normal=[0.1103,1]
speed=-1
[[contacts]]
name="c"
body="b2"
point=[-0.0443,-0.9002]
surface="s"
mu=0.5
radius=0
[initial]
a0=0.0235
a2={ close="c", near=0.0873 }
a1=-0.0776
)",
                                      {});
  const CriticalFriction critical = find_critical(arm);
  ASSERT_TRUE(critical.jam_scale.has_value()) << critical.no_jam.sentence;
  constexpr double kDescent = 2e-4;  // relative: steps of the descent
  EXPECT_NEAR(*critical.jam_scale * 0.5, 0.438240, kDescent * 0.438240);
}

TEST(JamFriction, NotDecidedWithDampers) {
  const CriticalFriction damped = find_critical(make_torso_walker(R"(
[[torsion_springs]]
body = "torso"
to = "leg"
damping = 0.1
)"));
  EXPECT_FALSE(damped.jam_scale.has_value());
  EXPECT_EQ(damped.no_jam.code, WhyCode::kSpeedLoads);
  EXPECT_EQ(damped.no_jam.sentence, "not decided where loads depend on speed");
}

}  // namespace
}  // namespace slipstick
