/// Sliding through p = b = 0 with a finite force, beside the power series of the one motion that
/// has a smooth force there. The wheel of docs/theory/paradox.md with a torque on it: theta alone
/// obeys
///   P(theta) (theta'' - w) + (sin(theta) + mu cos(theta))/l b = 0,   w = torque/(m l^2 kappa),
///   P = kappa + sin^2 + mu sin cos,   b = l (theta'^2 cos(theta) + w sin(theta)) - g cos(alpha),
/// with P = b = 0 at the point, whose Taylor coefficients follow one by one.

#include "slipstick/sim/singular/passage.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/runs.h"
#include "slipstick/io/run_rows.h"
#include "slipstick/io/text_file.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using testkit::list_types;

constexpr double kMu = 0.31;
constexpr double kKappa = 0.02;
constexpr double kTorque = -0.02;
constexpr double kTurn = kTorque / kKappa;  // m = l = 1
const double kGravity = 1.02 * std::cos(10.0 * std::numbers::pi / 180.0);

/// A power series in time, cut off.
constexpr std::size_t kTerms = 80;
using Series = std::array<double, kTerms>;

Series operator*(const Series& a, const Series& b) {
  Series out{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t j = 0; i + j < kTerms; ++j) out[i + j] += a[i] * b[j];
  }
  return out;
}

Series differentiate(const Series& a) {
  Series out{};
  for (std::size_t k = 0; k + 1 < kTerms; ++k) out[k] = static_cast<double>(k + 1) * a[k + 1];
  return out;
}

double eval(const Series& a, double t) {
  double out = 0.0;
  for (std::size_t k = kTerms; k-- > 0;) out = out * t + a[k];
  return out;
}

/// s' = c theta', c' = -s theta'.
std::pair<Series, Series> make_sine_and_cosine(const Series& theta) {
  const Series rate = differentiate(theta);
  Series s{};
  Series c{};
  s[0] = std::sin(theta[0]);
  c[0] = std::cos(theta[0]);
  for (std::size_t k = 0; k + 1 < kTerms; ++k) {
    for (std::size_t j = 0; j <= k; ++j) {
      s[k + 1] += c[j] * rate[k - j] / static_cast<double>(k + 1);
      c[k + 1] -= s[j] * rate[k - j] / static_cast<double>(k + 1);
    }
  }
  return {s, c};
}

/// Left side of the equation above.
Series eval_residual(const Series& theta) {
  const auto [s, c] = make_sine_and_cosine(theta);
  const Series rate = differentiate(theta);
  Series turn = differentiate(rate);
  turn[0] -= kTurn;
  Series P = s * s;
  const Series sc = s * c;
  Series lever{};
  Series b = rate * rate * c;
  for (std::size_t k = 0; k < kTerms; ++k) {
    P[k] += kMu * sc[k];
    lever[k] = s[k] + kMu * c[k];
    b[k] += kTurn * s[k];
  }
  P[0] += kKappa;
  b[0] -= kGravity;
  const Series pushed = lever * b;
  Series out = P * turn;
  for (std::size_t k = 0; k < kTerms; ++k) out[k] += pushed[k];
  return out;
}

/// theta(t - t*) of the smooth motion. The last coefficient in the residual's order k is number
/// k + 1, by way of P_1 theta'' and of theta'^2 in b.
Series make_smooth_motion() {
  Series theta{};
  // (1 + kappa) T^2 + mu T + kappa = 0: the lower end of the window.
  const double T =
      (-kMu - std::sqrt(kMu * kMu - 4.0 * kKappa * (1.0 + kKappa))) / (2.0 * (1.0 + kKappa));
  theta[0] = std::atan(T);
  theta[1] = std::sqrt((kGravity - kTurn * std::sin(theta[0])) / std::cos(theta[0]));
  const double s = std::sin(theta[0]);
  const double c = std::cos(theta[0]);
  const double P_1 = theta[1] * (2.0 * s * c + kMu * (c * c - s * s));
  for (std::size_t k = 1; k + 1 < kTerms; ++k) {
    const double without = eval_residual(theta)[k];
    const auto i = static_cast<double>(k);
    theta[k + 1] = -without / ((i + 1.0) * (i * P_1 + 2.0 * (s + kMu * c) * theta[1] * c));
  }
  return theta;
}

/// f_n l (sin + mu cos)/(m l^2 kappa) = theta'' - w.
double eval_force(const Series& theta, double t) {
  const double angle = eval(theta, t);
  const double turn = eval(differentiate(differentiate(theta)), t);
  return kKappa * (turn - kTurn) / (std::sin(angle) + kMu * std::cos(angle));
}

std::string make_wheel(const std::string& beside = "") {
  std::string text = read_text_file(SLIPSTICK_SOURCE_DIR "/models/rimless-wheel.toml");
  const std::string place = "[[relabel]]";
  text.insert(text.find(place), beside + fmt::format("[[forces]]\ncoordinate = \"theta\"\n"
                                                     "value = {}\n\n",
                                                     kTorque));
  return text;
}

LoadedModel load(const std::string& text) {
  return parse_model("wheel.toml", text,
                     std::vector<Override>{{"mu", fmt::format("{}", kMu)},
                                           {"theta", "-0.3"},
                                           {"theta_dot", "0.643"},
                                           {"x_dot", "2"}});
}

Run slide_on(const LoadedModel& loaded, double until) {
  SimulationOptions options;
  options.until = until;
  options.on_indeterminate = OnIndeterminate::kSlip;
  return simulate(*loaded.model, loaded.initial, options);
}

TEST(Passage, SlidesOnAlongTheSmoothMotion) {
  const LoadedModel loaded = load(make_wheel());
  const Series theta = make_smooth_motion();
  const auto run = slide_on(loaded, 0.17);
  ASSERT_THAT(list_types(run), ElementsAre("indeterminate"));
  const Event& event = run.events[0];
  EXPECT_NEAR(event.time, 0.13652, 5e-6);  // docs/theory/paradox.md
  EXPECT_EQ(to_letters(event.modes_after), "PFF");
  EXPECT_THAT(event.alternatives, ElementsAre("impact"));
  EXPECT_EQ(run.end.reason, EndReason::kTime);
  for (const double after : {0.0, 1e-4, 1e-2, 0.02, 0.03}) {
    const TrajectorySample at = run.trajectory.eval(event.time + after);
    EXPECT_NEAR(at.state.q[2], eval(theta, after), 1e-11) << after;
    EXPECT_NEAR(at.state.v[2], eval(differentiate(theta), after), 1e-9) << after;
    const ContactRow row =
        eval_contact_row(*loaded.model, run.trajectory->modes[at.mode], at.state);
    EXPECT_NEAR(row.force_n[0], eval_force(theta, after), 1e-8) << after;
  }
}

/// A contact that is not coupled has no effect.
TEST(Passage, BesideARestingBlock) {
  const LoadedModel alone = load(make_wheel());
  const LoadedModel beside = load(make_wheel(R"(
[[bodies]]
name = "block"
mass = 2
inertia = 1
joint = { type = "translation", coordinates = ["block_x", "block_y"] }

[[contacts]]
name = "block"
body = "block"
surface = "slope"
mu = 0.5

)"));
  const auto expected = slide_on(alone, 0.2);
  const auto run = slide_on(beside, 0.2);
  ASSERT_EQ(list_types(run), list_types(expected));
  EXPECT_NEAR(run.events[0].time, expected.events[0].time, 1e-11);
  EXPECT_NEAR(run.events[1].time, expected.events[1].time, 1e-10);
  EXPECT_NEAR(run.state.v[2], expected.state.v[2], 1e-9);
}

/// Every way on; released, the wheel would sink into the slope: b falls at the rate gamma < 0.
TEST(Passage, BranchesIntoSlidingAndImpact) {
  const LoadedModel loaded = load(make_wheel());
  SimulationOptions options;
  options.until = 0.2;
  options.on_indeterminate = OnIndeterminate::kBranch;
  const RunTree tree = simulate_tree(*loaded.model, loaded.initial, options);
  ASSERT_EQ(tree.runs.size(), 3U);
  EXPECT_EQ(tree.runs[1].choice, "PFF");
  EXPECT_EQ(tree.runs[2].choice, "impact");
  const auto alone = slide_on(loaded, 0.2);
  EXPECT_EQ(tree.runs[1].run.state.q, alone.state.q);
  options.on_indeterminate = OnIndeterminate::kLiftOff;
  EXPECT_EQ(simulate(*loaded.model, loaded.initial, options).state.q, alone.state.q);
}

/// d(b)/dt without contact force in closed form, at the point: gamma = l (3 w theta' cos - theta'^3
/// sin), and f* = gamma/(beta - alpha) with alpha, beta of docs/theory/paradox.md.
TEST(Passage, ForceAtThePointIsTheLimit) {
  const Series theta = make_smooth_motion();
  const double s = std::sin(theta[0]);
  const double c = std::cos(theta[0]);
  const double rate = theta[1];
  const double alpha = rate / kKappa * (2.0 * s * c + kMu * (c * c - s * s));
  const double beta = -2.0 * rate / kKappa * c * (s + kMu * c);
  const double gamma = 3.0 * kTurn * rate * c - std::pow(rate, 3) * s;
  EXPECT_LT(gamma, 0.0);
  EXPECT_NEAR(eval_force(theta, 0.0), gamma / (beta - alpha), 1e-12);
  EXPECT_NEAR(eval_force(theta, 0.0), 0.80008, 5e-6);  // docs/theory/paradox.md
}

}  // namespace
}  // namespace slipstick
