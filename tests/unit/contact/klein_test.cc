/// Klein's bar [Fremond2007] over random angles, loads and slip: how many reactions there are, and
/// their closed form.
///
/// With the paper's r = -f, eq. (2): -r_T l sin(theta) + 2 r_N l cos(theta) + F b sin(theta) + C =
/// 0 and eq. (3): r_T = s mu |r_N|, s = sgn(U). Put r_N = -f_n, |f_n| = x, f_n = sigma x and divide
/// by sin(theta): l x (s mu + 2 sigma cot(theta)) = w, w = b F + C / sin(theta). So the sign sigma
/// has a reaction exactly if w (s mu + 2 sigma cot(theta)) > 0.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model_file.h"
#include "unit/contact/random_problems.h"

namespace slipstick {
namespace {

struct KleinBar {
  double m = 1.0, l = 1.0, mu = 1.0, force = -1.0, arm = 0.2, torque = 0.0, x_dot = 1.0;
  double theta = 1.3;
};

Classification classify_bar(const KleinBar& bar, const std::string& theta) {
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  const std::vector<Override> overrides{
      {"m", number(bar.m)},         {"l", number(bar.l)},     {"mu", number(bar.mu)},
      {"force", number(bar.force)}, {"arm", number(bar.arm)}, {"torque", number(bar.torque)},
      {"x_dot", number(bar.x_dot)}, {"theta", theta}};
  const LoadedModel loaded = read_model("klein-bar", overrides);
  return classify(*loaded.model, loaded.initial, Tolerances{});
}

Classification classify_bar(const KleinBar& bar) {
  return classify_bar(bar, fmt::format("{:.17g}", bar.theta));
}

int sign_of(double value) { return value > 0.0 ? 1 : -1; }

double eval_load(const KleinBar& bar) {
  return bar.arm * bar.force + bar.torque / std::sin(bar.theta);
}

/// Normal forces of the lower end that the equations admit, in rising order.
std::vector<double> find_reactions(const KleinBar& bar) {
  const double w = eval_load(bar);
  std::vector<double> out;
  for (const int sigma : {-1, 1}) {
    const double cotangent = std::cos(bar.theta) / std::sin(bar.theta);
    const double bracket = sign_of(bar.x_dot) * bar.mu + 2.0 * sigma * cotangent;
    if (w * bracket > 0.0) out.push_back(sigma * w / (bar.l * bracket));
  }
  std::sort(out.begin(), out.end());
  return out;
}

void expect_reactions(const Classification& found, const KleinBar& bar,
                      const std::vector<double>& normal_forces, double tolerance) {
  SCOPED_TRACE(::testing::Message()
               << "theta " << bar.theta << ", mu " << bar.mu << ", force " << bar.force << ", arm "
               << bar.arm << ", torque " << bar.torque << ", x_dot " << bar.x_dot);
  ASSERT_EQ(found.solutions.size(), normal_forces.size());
  const std::array<ContactClass, 3> classes{ContactClass::kInconsistent, ContactClass::kConsistent,
                                            ContactClass::kIndeterminate};
  EXPECT_EQ(found.contact_class, classes.at(normal_forces.size()));
  EXPECT_TRUE(found.marginal.empty()) << found.marginal.front();
  for (std::size_t i = 0; i < normal_forces.size(); ++i) {
    const ModeSolution& solution = found.solutions[i];
    const double f_n = normal_forces[i];
    const double f_t = -sign_of(bar.x_dot) * bar.mu * std::abs(f_n);
    const double room = tolerance * (1.0 + bar.mu) * std::abs(f_n);
    EXPECT_EQ(to_letters(solution.modes), bar.x_dot > 0.0 ? "PP" : "NN");
    EXPECT_EQ(solution.family.dimension, 0);
    EXPECT_NEAR(solution.force_n[0], f_n, room);
    EXPECT_NEAR(solution.force_t[0], f_t, room);
    EXPECT_NEAR(solution.force_n[1], -f_n, room);  // no other vertical force
    EXPECT_EQ(solution.force_t[1], 0.0);           // no friction there
    // Eq. (1): m U' = F - r_T; the slides keep height and angle.
    const double size = (std::abs(bar.force) + (1.0 + bar.mu) * std::abs(f_n)) / bar.m;
    EXPECT_NEAR(solution.acceleration[0], (bar.force + f_t) / bar.m, tolerance * size);
    EXPECT_NEAR(solution.acceleration[1], 0.0, tolerance * size);
    EXPECT_NEAR(solution.acceleration[2], 0.0, tolerance * size / bar.l);
  }
}

KleinBar draw_bar(RandomProblems& random) {
  KleinBar bar;
  bar.m = random.draw_number(0.2, 5.0);
  bar.l = random.draw_number(0.2, 3.0);
  bar.mu = random.draw_number(0.05, 2.0);
  bar.force = random.draw_number(-5.0, 5.0);
  bar.arm = random.draw_number(-1.0, 1.0);
  bar.torque = random.draw_integer(0, 1) == 0 ? 0.0 : random.draw_number(-2.0, 2.0);
  bar.x_dot = random.draw_number(0.1, 2.0) * (random.draw_integer(0, 1) == 0 ? -1.0 : 1.0);
  bar.theta = random.draw_number(0.05, std::numbers::pi - 0.05);
  return bar;
}

TEST(KleinBar, has_none_two_or_one_reaction_as_klein_says) {
  RandomProblems random(31);
  int none = 0;
  int one = 0;
  int two = 0;
  for (int trial = 0; trial < 600 && !::testing::Test::HasFailure(); ++trial) {
    KleinBar bar = draw_bar(random);
    if (trial % 2 == 0) {  // steep enough for the paradox
      const double turn = std::atan(bar.mu / 2.0);
      bar.theta = std::numbers::pi / 2.0 + turn * random.draw_number(-0.999, 0.999);
    }
    const double w = eval_load(bar);
    const double steepness = std::abs(std::tan(bar.theta)) * bar.mu / 2.0;
    if (std::abs(w) < 1e-3 || std::abs(steepness - 1.0) < 1e-3) continue;
    const std::vector<double> expected = find_reactions(bar);
    // The four classes of the table, from the signs alone.
    const bool same_way = bar.x_dot * w > 0.0;
    ASSERT_EQ(expected.size(), steepness < 1.0 ? 1U : (same_way ? 2U : 0U));
    none += expected.empty() ? 1 : 0;
    one += expected.size() == 1 ? 1 : 0;
    two += expected.size() == 2 ? 1 : 0;
    expect_reactions(classify_bar(bar), bar, expected, 1e-9);
  }
  EXPECT_GT(none, 50);
  EXPECT_GT(one, 50);
  EXPECT_GT(two, 50);
}

// Across the slides the bracket is s mu for both signs: two reactions +-|w| / (l mu) with the same
// friction and motion if U w > 0, none if U w < 0.
TEST(KleinBar, across_the_slides_has_none_or_two) {
  RandomProblems random(32);
  int none = 0;
  int two = 0;
  for (int trial = 0; trial < 100 && !::testing::Test::HasFailure(); ++trial) {
    KleinBar bar = draw_bar(random);
    bar.theta = std::numbers::pi / 2.0;
    const double w = bar.arm * bar.force + bar.torque;
    if (std::abs(w) < 1e-3) continue;
    std::vector<double> expected;
    if (bar.x_dot * w > 0.0) {
      const double f_n = std::abs(w) / (bar.l * bar.mu);
      expected = {-f_n, f_n};
    }
    ++(expected.empty() ? none : two);
    expect_reactions(classify_bar(bar, "pi/2"), bar, expected, 1e-9);
  }
  EXPECT_GT(none, 10);
  EXPECT_GT(two, 10);
}

// Close to that angle the slides' gradients nearly coincide, but the closed form is smooth there.
TEST(KleinBar, close_to_across_the_slides_is_no_special_case) {
  KleinBar bar;
  bar.mu = 0.7;
  bar.torque = 0.3;
  for (const double x_dot : {1.0, -1.0}) {
    bar.x_dot = x_dot;
    for (const double away : {1e-2, -1e-3, 1e-4, -1e-5, 1e-6, -1e-7}) {
      bar.theta = std::numbers::pi / 2.0 + away;
      // Rounding in the gradients is divided by the distance from the special angle.
      const double tolerance = 1e-9 + 1e-14 / std::abs(away);
      expect_reactions(classify_bar(bar), bar, find_reactions(bar), tolerance);
    }
  }
}

// [Fremond2007] sec. 2.3: U > 0, w < 0, |tan theta| > 2 / mu has no reaction; U < 0 has two. The
// model's own values: w = 0.2 * (-1), tan 1.3 = 3.60 > 2.
TEST(KleinBar, as_in_the_file_is_the_papers_example) {
  KleinBar bar;
  EXPECT_EQ(classify_bar(bar).contact_class, ContactClass::kInconsistent);
  bar.x_dot = -1.0;
  EXPECT_EQ(classify_bar(bar).contact_class, ContactClass::kIndeterminate);
}

}  // namespace
}  // namespace slipstick
