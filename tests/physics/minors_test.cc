/// Several sliding contacts: a principal minor of P changes its sign while its determinant does
/// not. A rod slides down between floor and wall, its centre of mass at a from the foot and c from
/// the top, theta clockwise from the vertical. In closed form, times the mass,
///   p(foot) = 1 + (a/rho)^2 (sin^2 + mu sin cos),
/// zero where (1 + k) T^2 + mu T + k = 0, T = tan(theta), k = (rho/a)^2.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "physics/campaign.h"
#include "physics/runs.h"
#include "slipstick/classify.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testkit::list_types;

struct Rod {
  double a, c, rho, mu_foot, mu_top, theta, theta_dot;
};

LoadedModel load(const Rod& rod) {
  return parse_model(
      "rod.toml",
      fmt::format(R"toml(
gravity = [0, -9.81]
[parameters]
a = {}
c = {}
[[bodies]]
name = "rod"
mass = 1
gyration = {}
com = [0, "a"]
joint = {{ type = "free", coordinates = ["x", "y", "theta"], sense = "clockwise" }}
[[surfaces]]
name = "floor"
[[surfaces]]
name = "wall"
normal = [1, 0]
[[contacts]]
name = "foot"
body = "rod"
surface = "floor"
mu = {}
[[contacts]]
name = "top"
body = "rod"
point = [0, "a + c"]
surface = "wall"
mu = {}
[initial]
theta = {}
theta_dot = {}
x = "-(a + c)*sin(theta)"
x_dot = "-(a + c)*cos(theta)*theta_dot"
)toml",
                  rod.a, rod.c, rod.rho, rod.mu_foot, rod.mu_top, rod.theta, rod.theta_dot),
      {});
}

/// Into the window of p(foot) < 0 from above, and out of it below.
const Rod kInto{0.95, 0.05, 0.375, 1.13, 0.75, -0.12, -3.0};
const Rod kOut{1.0, 0.02, 0.25, 1.0, 0.9, -0.7, -2.0};

/// End of the window: side +1 the upper, -1 the lower one.
double find_angle(const Rod& rod, double side) {
  const double k = std::pow(rod.rho / rod.a, 2);
  const double root = std::sqrt(rod.mu_foot * rod.mu_foot - 4.0 * k * (1.0 + k));
  return std::atan((-rod.mu_foot + side * root) / (2.0 * (1.0 + k)));
}

Run simulate_rod(const LoadedModel& loaded, SimulationOptions options = {}) {
  options.until = 0.3;
  return simulate(*loaded.model, loaded.initial, options);
}

/// First time at which the rod has turned to an angle, by halving along the trajectory.
double find_time(const Run& run, double angle, double until) {
  double low = 0.0;
  double high = until;
  while (std::nextafter(low, high) < high) {
    const double middle = 0.5 * (low + high);
    (run.trajectory.eval(middle).state.q[2] > angle ? low : high) = middle;
  }
  return high;
}

/// At an angle little beyond that of the event.
Classification classify_beside(Rod rod, const TrajectorySample& event, double beyond) {
  rod.theta = event.state.q[2] + beyond;
  rod.theta_dot = event.state.v[2];
  const LoadedModel loaded = load(rod);
  return classify(*loaded.model, loaded.initial, {});
}

TEST(Minors, RodSlidesIntoTheParadox) {
  const LoadedModel loaded = load(kInto);
  const auto run = simulate_rod(loaded);
  ASSERT_THAT(list_types(run), ElementsAre("paradox", "stick", "rest"));
  const Event& event = run.events[0];
  EXPECT_NEAR(event.time, find_time(run, find_angle(kInto, 1.0), run.events[1].time), 1e-12);
  EXPECT_THAT(event.contacts, ElementsAre(0));
  EXPECT_EQ(to_letters(event.modes_before), "PP");
  EXPECT_EQ(to_letters(event.modes_after), "PP");
  EXPECT_THAT(event.notes, ElementsAre(HasSubstr("no longer a P-matrix")));
  EXPECT_EQ(event.policy, "");
  // The foot, pressed on without the top (b < 0), can be struck; no other mode is admissible.
  EXPECT_THAT(event.alternatives, ElementsAre("impact"));
  const TrajectorySample at = run.trajectory.eval(event.time);
  EXPECT_EQ(classify_beside(kInto, at, 1e-6).sliding.p_matrix, true);
  const Classification after = classify_beside(kInto, at, -1e-6);
  EXPECT_EQ(after.sliding.p_matrix, false);
  ASSERT_EQ(after.solutions.size(), 1U);
  EXPECT_EQ(to_letters(after.solutions[0].modes), "PP");
}

/// No step ends there: the run is the same as without the event.
TEST(Minors, LeaveTheStepsAlone) {
  const auto run = simulate_rod(load(kInto));
  const double time = run.events.at(0).time;
  int around = 0;
  for (const Segment& step : run.trajectory->segments) {
    if (!(step.from < time && time < step.to)) continue;
    ++around;
    EXPECT_EQ(step.theta_end, 1.0);
  }
  EXPECT_EQ(around, 1);
}

TEST(Minors, RodSlidesOutOfTheParadox) {
  const auto run = simulate_rod(load(kOut));
  ASSERT_THAT(list_types(run), ElementsAre("paradox"));
  EXPECT_NEAR(run.events[0].time, find_time(run, find_angle(kOut, -1.0), 0.3), 1e-12);
  EXPECT_THAT(run.events[0].notes, ElementsAre(HasSubstr("P-matrix again")));
  EXPECT_TRUE(run.events[0].alternatives.empty());
}

/// P and b of some contacts by M and W themselves.
struct MinorTerms {
  Eigen::MatrixXd P;
  Eigen::VectorXd b;
};

MinorTerms eval_terms(const Model& model, const std::vector<int>& contacts, const ModeWord& word,
                      const State& state) {
  const Dynamics dynamics = eval_dynamics(model, state);
  const Eigen::MatrixXd M = dynamics.M;
  const auto size = static_cast<Eigen::Index>(contacts.size());
  MinorTerms out{Eigen::MatrixXd(size, size), Eigen::VectorXd(size)};
  for (Eigen::Index i = 0; i < size; ++i) {
    const int row = contacts[static_cast<std::size_t>(i)];
    const Eigen::VectorXd normal = dynamics.contacts.W_n.col(row);
    out.b[i] = dynamics.contacts.bias_n[row] - normal.dot(M.lu().solve(dynamics.h));
    for (Eigen::Index j = 0; j < size; ++j) {
      const int column = contacts[static_cast<std::size_t>(j)];
      const double sign = eval_slip_sign(word[static_cast<std::size_t>(column)]);
      const double mu = model.contacts[static_cast<std::size_t>(column)].mu;
      const Eigen::VectorXd force =
          dynamics.contacts.W_n.col(column) - sign * mu * dynamics.contacts.W_t.col(column);
      out.P(i, j) = normal.dot(M.lu().solve(force));
    }
  }
  return out;
}

/// Random mechanisms of the campaign: the minor of each event, halved along the trajectory.
TEST(Minors, AreLocatedInRandomMechanisms) {
  int events = 0;
  for (const std::uint64_t seed : {3428U, 4178U, 7268U, 10544U}) {
    const LoadedModel loaded = parse_model("random.toml", testkit::make_random_model(seed), {});
    SimulationOptions options;
    options.until = 2.0;
    const auto run = simulate(*loaded.model, loaded.initial, options);
    for (const Event& event : run.events) {
      if (event.type != EventType::kParadox) continue;
      ++events;
      const auto eval = [&](double time) {
        const State state = run.trajectory.eval(time).state;
        return eval_terms(*loaded.model, event.contacts, event.modes_after, state).P.determinant();
      };
      double low = event.time - 1e-6;
      double high = event.time + 1e-6;
      const bool falls = eval(low) > 0.0;
      ASSERT_NE(falls, eval(high) > 0.0) << seed;
      while (std::nextafter(low, high) < high) {
        const double middle = 0.5 * (low + high);
        ((eval(middle) > 0.0) == falls ? low : high) = middle;
      }
      EXPECT_NEAR(event.time, high, 1e-11) << seed;
      EXPECT_THAT(event.notes, ElementsAre(HasSubstr(falls ? "no longer" : "again")));
    }
  }
  EXPECT_EQ(events, 5);
}

/// With p < 0 < b the second contact can slide alone, and then lifts the third.
TEST(Minors, OtherModesAreListed) {
  const LoadedModel loaded = parse_model("random.toml", testkit::make_random_model(10544), {});
  SimulationOptions options;
  options.until = 1.0;
  const auto run = simulate(*loaded.model, loaded.initial, options);
  const Event& event = testkit::find_event(run, EventType::kParadox);
  EXPECT_THAT(event.contacts, ElementsAre(1));
  EXPECT_THAT(event.alternatives, ElementsAre("FPF", "impact"));
  const MinorTerms after = eval_terms(*loaded.model, {1, 2}, event.modes_after,
                                      run.trajectory.eval(event.time + 1e-6).state);
  const double force = -after.b[0] / after.P(0, 0);
  EXPECT_LT(after.P(0, 0), 0.0);
  EXPECT_GT(force, 0.0);
  EXPECT_GT(after.b[1] + after.P(1, 0) * force, 0.0);
}

/// The event limit counts it, and ends the run there.
TEST(Minors, AreEventsLikeOthers) {
  const LoadedModel loaded = load(kInto);
  SimulationOptions options;
  options.max_events = 1;
  const auto run = simulate_rod(loaded, options);
  EXPECT_EQ(run.end.reason, EndReason::kEventLimit);
  EXPECT_EQ(run.end.time, run.events.at(0).time);
  EXPECT_EQ(run.state.time, run.end.time);
  EXPECT_EQ(run.trajectory->segments.back().to, run.end.time);
  EXPECT_NEAR(run.state.q[2], find_angle(kInto, 1.0), 1e-13);
}

}  // namespace
}  // namespace slipstick
