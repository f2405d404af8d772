/// Verdicts on random bodies: invariances, partitions, and what full runs do.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cases.h"
#include "physics/random_body.h"
#include "physics/runs.h"
#include "slipstick/analysis/stability/body_family.h"
#include "slipstick/analysis/stability/margins.h"
#include "slipstick/errors.h"
#include "slipstick/families.h"
#include "slipstick/io/ranges.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/stability_map.h"

namespace slipstick::testkit {
namespace {

/// Reflected in the y axis; tangents point the other way then.
TwoContactBody make_mirrored(const TwoContactBody& body) {
  TwoContactBody out = body;
  for (Vec2& lever : out.lever) lever.x() = -lever.x();
  for (Vec2& normal : out.normal) normal.x() = -normal.x();
  out.force.x() = -out.force.x();
  out.torque = -out.torque;
  return out;
}

/// Lengths in units of 1/4 m, masses of 1/8 kg, times of 1/2 s: powers of two change no digit.
TwoContactBody make_rescaled(const TwoContactBody& body) {
  TwoContactBody out = body;
  out.mass *= 8.0;
  out.inertia *= 8.0 * 16.0;
  for (Vec2& lever : out.lever) lever *= 4.0;
  out.force *= 8.0 * 4.0 / 4.0;
  out.torque *= 8.0 * 16.0 / 4.0;
  return out;
}

void expect_same(const Stability& a, const Stability& b, double mirror, int i) {
  EXPECT_EQ(a.verdict, b.verdict) << i;
  EXPECT_EQ(a.theorem, b.theorem) << i;
  EXPECT_EQ(a.persistence, b.persistence) << i;
  ASSERT_EQ(a.fixed_points.size(), b.fixed_points.size()) << i;
  for (std::size_t k = 0; k < a.fixed_points.size(); ++k) {
    const std::size_t other = mirror > 0.0 ? k : a.fixed_points.size() - 1 - k;
    EXPECT_NEAR(a.fixed_points[k].angle, mirror * b.fixed_points[other].angle, 1e-9) << i;
    EXPECT_NEAR(a.fixed_points[k].growth, b.fixed_points[other].growth, 1e-9) << i;
  }
}

TEST(Stability, DoesNotDependOnUnitsOrHandedness) {
  RandomBodies bodies(21);
  for (int i = 0; i < cases(3000); ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability stability = find_stability(body, Tolerances{});
    expect_same(stability, find_stability(make_rescaled(body), Tolerances{}), 1.0, i);
    expect_same(stability, find_stability(make_mirrored(body), Tolerances{}), -1.0, i);
  }
}

/// A foot without friction is the limit of one with little.
TEST(Stability, FrictionlessFootIsALimit) {
  RandomBodies bodies(25);
  int feasible = 0;
  for (int i = 0; i < cases(2000); ++i) {
    TwoContactBody body = bodies.draw_body();
    const std::size_t foot = static_cast<std::size_t>(i) % 2;
    body.mu[foot] = 0.0;
    const Stability none = find_stability(body, Tolerances{});
    body.mu[foot] = 1e-7;
    const Stability little = find_stability(body, Tolerances{});
    EXPECT_EQ(none.verdict, little.verdict) << i;
    EXPECT_EQ(none.theorem, little.theorem) << i;
    EXPECT_EQ(none.persistence, little.persistence) << i;
    feasible += none.verdict == Verdict::kInfeasible ? 0 : 1;
  }
  EXPECT_GT(feasible, cases(2000) / 50);
}

/// Verdicts that are reached before the maps, and instability, do not depend on which contact comes
/// first.
TEST(Stability, DoesNotDependOnLabels) {
  RandomBodies bodies(22);
  int decided = 0;
  for (int i = 0; i < cases(3000); ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability a = find_stability(body, Tolerances{});
    const Stability b = find_stability(make_swapped(body), Tolerances{});
    EXPECT_EQ(a.has_maps(), b.has_maps()) << i;
    if (!a.has_maps()) {
      EXPECT_EQ(a.verdict, b.verdict) << i;
    }
    // With both orders tried, one cannot be stable and the other unstable.
    const bool opposed = (a.verdict == Verdict::kStable && b.verdict == Verdict::kUnstable) ||
                         (a.verdict == Verdict::kUnstable && b.verdict == Verdict::kStable);
    EXPECT_FALSE(opposed) << i;
    if (a.has_maps() && a.verdict == b.verdict) ++decided;
  }
  EXPECT_GT(decided, cases(500));
}

/// [Or2021] Definitions 3-8a, checked by following many points of each interval. Where Theorem 3 or
/// 5 holds a stable partition exists, by their proofs.
TEST(Stability, PartitionsAreStable) {
  RandomBodies bodies(23);
  int partitions = 0;
  for (int i = 0; i < cases(3000); ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability stability = find_stability(body, Tolerances{});
    if (stability.verdict != Verdict::kStable || stability.verdict_swapped) continue;
    ++partitions;
    const ZeroOrder dynamics(stability.maps_swapped ? make_swapped(body) : body, Tolerances{});
    Why missing;
    const std::vector<PartitionInterval> intervals =
        find_stable_partition(dynamics, stability.maps, stability.fixed_points, missing);
    ASSERT_FALSE(intervals.empty()) << i << " " << missing.sentence;
    EXPECT_EQ(intervals.front().low, -std::numbers::pi / 2);
    EXPECT_EQ(intervals.back().high, std::numbers::pi / 2);
    for (std::size_t k = 0; k < intervals.size(); ++k) {
      if (k > 0) {
        EXPECT_EQ(intervals[k].low, intervals[k - 1].high);
      }
      constexpr int kPoints = 20;
      for (int p = 0; p < kPoints; ++p) {
        const double angle =
            intervals[k].low + (intervals[k].high - intervals[k].low) * (p + 0.5) / kPoints;
        const auto value = eval_return(dynamics, angle);
        if (!value) continue;
        EXPECT_LE(value->growth, intervals[k].growth_max * (1.0 + 1e-9)) << i << " " << angle;
        if (intervals[k].safe) {
          EXPECT_LT(value->growth, 1.0) << i << " " << angle;
          continue;
        }
        // A transient interval is left for good.
        double later = value->reduced;
        for (int n = 0; n < 30; ++n) {
          EXPECT_FALSE(later > intervals[k].low && later < intervals[k].high) << i << " " << angle;
          const auto next = eval_return(dynamics, later);
          if (!next) break;
          later = next->reduced;
        }
      }
    }
  }
  EXPECT_GT(partitions, cases(500));
}

/// A stable rest's repeated motions shrink: iterating the maps from anywhere ends small.
TEST(Stability, StableMeansThatIteratedMapsShrink) {
  RandomBodies bodies(24);
  int looked = 0;
  for (int i = 0; i < cases(2000); ++i) {
    const TwoContactBody body = bodies.draw_body();
    const Stability stability = find_stability(body, Tolerances{});
    if (stability.verdict != Verdict::kStable) continue;
    const bool swapped = stability.maps_swapped != stability.verdict_swapped;
    const ZeroOrder dynamics(swapped ? make_swapped(body) : body, Tolerances{});
    Blow blow = make_blow(bodies.draw(-1.5, 1.5));
    bool comes_to_rest = false;
    for (int n = 0; n < 400 && !comes_to_rest; ++n) {
      const BlowReturn next = follow_blow(dynamics, blow);
      comes_to_rest = next.end != PathEnd::kReturns;
      if (comes_to_rest) break;
      blow = next.blow;
    }
    const bool slides = std::abs(blow.slip) > 1e3 * blow.closing;  // a Zeno point with slip
    EXPECT_TRUE(comes_to_rest || blow.closing < 1.0 || slides) << i;
    ++looked;
  }
  EXPECT_GT(looked, cases(300));
}

TEST(Stability, MapIsWhatSinglePointsSay) {
  const auto make_body = [](std::span<const double> at) {
    return reduce(
        read_model("two-contact-body", std::vector<Override>{{"l2", "l1 + 0.06"},
                                                             {"l1", fmt::format("{}", at[0])},
                                                             {"h", fmt::format("{}", at[1])}}));
  };
  const std::vector<Interval> box{{-0.01, 0.05}, {0.08, 0.2}};
  EXPECT_TRUE(BodyFamily(make_body, box).is_interpolated());
  const std::vector<StabilityAxis> axes{{box[0], 11}, {box[1], 7}};
  const StabilityMap map = find_stability_map(make_body, axes, Tolerances{});
  for (std::size_t j = 0; j < 7; ++j) {
    for (std::size_t i = 0; i < 11; ++i) {
      const std::array<double, 2> at{-0.01 + 0.006 * static_cast<double>(i),
                                     0.08 + 0.02 * static_cast<double>(j)};
      EXPECT_EQ(map.verdicts[j][i], find_stability(make_body(at), Tolerances{}).verdict);
    }
  }
  ASSERT_FALSE(map.borders.empty());
  for (const StabilityBorder& border : map.borders) {
    // Where l2 = mu2 h the verdict is marginal on a line without width.
    if (border.from == Verdict::kMarginal || border.to == Verdict::kMarginal) continue;
    for (const Vec2& point : border.points) {
      // On one side or the other of each point lie the two verdicts.
      bool from = false;
      bool to = false;
      for (const Vec2& step : {Vec2(1e-8, 0), Vec2(-1e-8, 0), Vec2(0, 1e-8), Vec2(0, -1e-8)}) {
        const Vec2 at = point + step;
        const Verdict there =
            find_stability(make_body(std::array{at.x(), at.y()}), Tolerances{}).verdict;
        from |= there == border.from;
        to |= there == border.to;
      }
      EXPECT_TRUE(from && to) << point.transpose();
    }
  }
}

/// A kink in a parameter spoils interpolation: then bodies are made one by one.
TEST(Stability, FamiliesThatAreNotSmoothAreNotInterpolated) {
  const auto make_body = [](std::span<const double> at) {
    TwoContactBody body = reduce(read_model("two-contact-body", {}));
    body.mu[0] = 0.3 + std::abs(at[0]);
    return body;
  };
  const BodyFamily family(make_body, std::vector<Interval>{{-0.1, 0.07}});
  EXPECT_FALSE(family.is_interpolated());
  EXPECT_EQ(family.make(std::array{0.01}).mu[0], 0.31);
}

/// A square box of 1 m on level ground with mu = 1/2: two impact modes meet on a whole interval of
/// blows. With slightly less and slightly more friction the rest is stable by Theorem 3, so it must
/// be stable here, too.
TEST(Stability, ImpactsThatMeetOnAnInterval) {
  for (const double mu : {0.49999, 0.5, 0.50001}) {
    TwoContactBody body;
    body.mass = 1.0;
    body.inertia = 1.0 / 6.0;
    body.lever = {Vec2(-0.5, -0.5), Vec2(0.5, -0.5)};
    body.normal = {Vec2(0.0, 1.0), Vec2(0.0, 1.0)};
    body.mu = {mu, mu};
    body.force = {0.0, -9.81};
    const Stability stability = find_stability(body, Tolerances{});
    EXPECT_EQ(stability.verdict, Verdict::kStable) << mu;
    EXPECT_EQ(stability.theorem, Theorem::k3) << mu;
  }
}

/// A body with an arm fixed to it: mass, centre and inertia by the parallel axis theorem, lengths
/// from the centre of mass. The same arm on a hinge would move, and is refused.
TEST(Stability, BodiesFixedToEachOther) {
  const std::string text = R"(
gravity = [0, -10]
[[bodies]]
name = "body"
mass = 2
inertia = 0.3
joint = { type = "free", coordinates = ["x", "y", "theta"] }
[[bodies]]
name = "arm"
mass = 1
inertia = 0.05
com = [0.5, 0]
joint = { type = "fixed", parent = "body", at = [0, 0.4], angle = "30*deg" }
[[surfaces]]
name = "ground"
point = [0, -0.5]
[[contacts]]
name = "left"
body = "body"
point = [-0.3, -0.5]
surface = "ground"
mu = 0.6
[[contacts]]
name = "right"
body = "body"
point = [0.4, -0.5]
surface = "ground"
mu = 0.7
)";
  const LoadedModel loaded = parse_model("arm.toml", text, {});
  const TwoContactBody body = reduce(loaded);
  const Vec2 arm(0.5 * std::cos(std::numbers::pi / 6), 0.4 + 0.5 * std::sin(std::numbers::pi / 6));
  const Vec2 centre = arm / 3.0;
  EXPECT_NEAR(body.mass, 3.0, 1e-14);
  EXPECT_NEAR(body.inertia, 0.3 + 0.05 + 2.0 * centre.squaredNorm() + (arm - centre).squaredNorm(),
              1e-13);
  EXPECT_NEAR((body.lever[0] - (Vec2(-0.3, -0.5) - centre)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((body.lever[1] - (Vec2(0.4, -0.5) - centre)).norm(), 0.0, 1e-14);
  EXPECT_NEAR((body.force - Vec2(0.0, -30.0)).norm(), 0.0, 1e-13);
  EXPECT_NEAR(body.torque, 0.0, 1e-13);
  EXPECT_NE(find_stability(body, Tolerances{}).verdict, Verdict::kInfeasible);

  const std::string fixed = R"(type = "fixed", parent = "body", at = [0, 0.4], angle = "30*deg")";
  const auto with = [&](const std::string& joint, const std::string& more) {
    std::string other = text;
    other.replace(other.find(fixed), fixed.size(), joint);
    return parse_model("arm.toml", other + more, {});
  };
  const auto expect_refused = [](const LoadedModel& model, const char* why) {
    try {
      (void)reduce(model);
      ADD_FAILURE() << "accepted, expected: " << why;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  expect_refused(
      with(R"(type = "revolute", parent = "body", at = [0, 0.4], coordinate = "phi")", ""),
      "expected one body, or bodies fixed to each other, got 4 coordinates");
  expect_refused(with(fixed, "[[forces]]\nbody = \"body\"\ntorque = \"sin(t)\"\n"),
                 "expected loads and surfaces that do not depend on time");
  expect_refused(with(fixed, "active_when = \"x < 1\"\n"),
                 "expected a contact that is always active");
}

/// A ladder of mass 20 and length 5 at 65 degrees against a smooth wall, a climber of mass 80 at s.
/// Falling, it does not turn, so that its top keeps to the wall: marginal for every s. Moments
/// about the foot give the wall's force; the foot holds it up to s = (mu 100 L tan(65 deg) - 20
/// L/2)/80.
TEST(Stability, ClimberOnALadder) {
  const LoadedModel loaded = parse_model("ladder.toml", R"(
gravity = [0, -9.81]
[parameters]
s = 2.5
[[bodies]]
name = "ladder"
mass = 20
inertia = "20*5^2/12"
com = [-2.5, 0]
point_masses = [{ mass = 80, at = ["-s", 0] }]
joint = { type = "free", coordinates = ["x", "y", "phi"], sense = "clockwise" }
[[surfaces]]
name = "floor"
[[surfaces]]
name = "wall"
normal = [1, 0]
[[contacts]]
name = "foot"
body = "ladder"
surface = "floor"
mu = 0.35
[[contacts]]
name = "top"
body = "ladder"
point = [-5, 0]
surface = "wall"
[initial]
phi = "65*deg"
x = { close = "top", near = 2 }
y = { close = "foot" }
)",
                                         {});
  const auto make_body = [&](std::span<const double> values) {
    return reduce(make_with_parameters(loaded, {"s"}, values));
  };
  const double last =
      (0.35 * 100.0 * 5.0 * std::tan(65.0 * std::numbers::pi / 180.0) - 50.0) / 80.0;
  const std::vector<StabilityAxis> axes{{{0.5, 4.9}, 45}};
  const StabilityMap map = find_stability_map(make_body, axes, Tolerances{});
  for (std::size_t i = 0; i < map.verdicts[0].size(); ++i) {
    const Verdict expected = axes[0].value(i) < last ? Verdict::kMarginal : Verdict::kInfeasible;
    EXPECT_EQ(map.verdicts[0][i], expected) << axes[0].value(i);
  }
  ASSERT_EQ(map.borders.size(), 1U);
  EXPECT_EQ(map.borders[0].from, Verdict::kInfeasible);
  EXPECT_EQ(map.borders[0].to, Verdict::kMarginal);
  ASSERT_EQ(map.borders[0].points.size(), 1U);
  EXPECT_NEAR(map.borders[0].points[0].x(), last, 1e-7);  // the laws' tolerance, 1e-10 of the terms

  // Any tilt presses the top to the wall or off it: no margin, not a tiny one.
  for (const Margin& margin : find_margins(reduce(loaded), Tolerances{})) {
    if (margin.name != "slope") continue;
    ASSERT_TRUE(margin.below && margin.above);
    EXPECT_EQ(margin.below->distance, 0.0);
    EXPECT_EQ(margin.above->distance, 0.0);
  }
}

/// No border has the same verdict on both sides, whatever the posture.
TEST(Stability, BordersSeparateVerdicts) {
  const LoadedModel loaded = read_model("two-contact-body", {});
  const auto make_body = [&](std::span<const double> values) {
    return reduce(make_with_parameters(loaded, {"l1", "h"}, values));
  };
  const std::vector<StabilityAxis> axes{{{-0.1, 0.1}, 25}, {{0.05, 0.25}, 21}};
  const StabilityMap map = find_stability_map(make_body, axes, Tolerances{});
  EXPECT_FALSE(map.borders.empty());
  for (const StabilityBorder& border : map.borders) EXPECT_NE(border.from, border.to);
}

/// [Or2021] eq. (5) along a full run of the mechanism itself, not of its zero-order dynamics.
double find_farthest(const LoadedModel& loaded, double speed) {
  State state = loaded.initial;
  state.v[2] = speed;
  state.v[1] = speed * 0.0512;
  SimulationOptions options;
  options.until = 1.0;
  const Run run = simulate(*loaded.model, state, options);
  double farthest = 0.0;
  for (const Segment& step : run.trajectory->segments) {
    for (const double part : {0.0, 0.5, 1.0}) {
      const State at =
          eval_state(step.polynomial, run.trajectory->coordinate_count, part * step.theta_end);
      const ContactKinematics contacts = eval_contact_kinematics(*loaded.model, at);
      for (int i = 0; i < 2; ++i) {
        farthest = std::max({farthest, std::sqrt(std::max(0.0, contacts.gap[i])),
                             std::abs(contacts.gap_rate[i]), std::abs(contacts.slip[i])});
      }
    }
  }
  EXPECT_EQ(run.end.reason, EndReason::kRest);
  return farthest;
}

/// Definition 1: after kicks of size delta a stable posture stays within epsilon(delta), which
/// goes to zero with it; in zero-order dynamics in proportion.
TEST(Stability, FullRunsOfAStablePostureStayNear) {
  const LoadedModel loaded = read_model("two-contact-body", {});
  double last = find_farthest(loaded, 1e-1) / 1e-1;
  for (const double speed : {1e-2, 1e-3, 1e-4}) {
    const double ratio = find_farthest(loaded, speed) / speed;
    EXPECT_NEAR(ratio, last, 0.2 * last) << speed;
    last = ratio;
  }
  EXPECT_LT(last, 10.0);
}

}  // namespace
}  // namespace slipstick::testkit
