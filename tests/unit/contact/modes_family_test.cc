/// Redundant contacts and states on a border: families of forces against closed forms and against
/// all corners of their polyhedra, and what is named as marginal.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "slipstick/contact/modes.h"
#include "slipstick/mode_letters.h"
#include "unit/contact/brute_force.h"
#include "unit/contact/contact_laws.h"
#include "unit/contact/random_problems.h"

namespace slipstick {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ModeSolutions solve(const ContactEquations& equations) {
  const ContactProblem problem = make_problem(equations);
  return find_consistent_modes(problem, make_names(problem), Tolerances{});
}

const ModeSolution* find_word(const ModeSolutions& found, const std::string& word) {
  for (const ModeSolution& solution : found.solutions) {
    if (to_letters(solution.modes) == word) return &solution;
  }
  return nullptr;
}

void expect_range(const Range& actual, double least, double greatest) {
  EXPECT_NEAR(actual.first, least, 1e-9);
  EXPECT_NEAR(actual.second, greatest, 1e-9);
}

/// Feet at l = -1 and 2, height 0.5, weight N = 10, pushed by T = 3 along x.
Feet make_table() {
  Feet feet;
  feet.height = 0.5;
  feet.force_x = 3.0;
  feet.positions = {-1.0, 2.0};
  feet.mu = {0.4, 0.8};
  return feet;
}

// Both feet stick: f_1 + f_2 = N, l_1 f_1 + l_2 f_2 = h T (moments about the centre, with the sum
// of the tangential forces -T), hence f_2 = (h T - l_1 N) / (l_2 - l_1) = 11.5 / 3 and
// f_1 = N - f_2 = 18.5 / 3. Of f_t1 + f_t2 = -T only the sum is known:
//   max(-mu_1 f_1, -T - mu_2 f_2) <= f_t1 <= min(mu_1 f_1, -T + mu_2 f_2).
// -mu_1 f_1 = -7.4 / 3, -T - mu_2 f_2 = -18.2 / 3, mu_1 f_1 = 7.4 / 3, -T + mu_2 f_2 = 0.2 / 3.
TEST(ModeFamily, of_a_body_at_rest_on_two_feet) {
  const ModeSolutions found = solve(make_feet(make_table()));
  ASSERT_EQ(list_words(found.solutions), "SS");
  EXPECT_THAT(found.marginal, IsEmpty());
  const ModeSolution& solution = found.solutions[0];
  EXPECT_EQ(solution.family.dimension, 1);
  EXPECT_TRUE(solution.family.acceleration_is_unique);
  EXPECT_TRUE(solution.family.acceleration.empty());
  ASSERT_EQ(solution.family.force_n.size(), 2U);
  ASSERT_EQ(solution.family.force_t.size(), 2U);
  expect_range(solution.family.force_n[0], 18.5 / 3.0, 18.5 / 3.0);
  expect_range(solution.family.force_n[1], 11.5 / 3.0, 11.5 / 3.0);
  expect_range(solution.family.force_t[0], -7.4 / 3.0, 0.2 / 3.0);
  expect_range(solution.family.force_t[1], -9.2 / 3.0, -1.6 / 3.0);  // -T minus the other's
  EXPECT_NEAR(solution.acceleration.cwiseAbs().maxCoeff(), 0.0, 1e-12);
  // A member well inside: strictly between the ends.
  EXPECT_GT(solution.force_t[0], -7.3 / 3.0);
  EXPECT_LT(solution.force_t[0], 0.1 / 3.0);
  EXPECT_EQ(find_class(found.solutions), ContactClass::kConsistent);
}

// The same closed form over random bodies: the interval is not empty exactly if they can stick.
TEST(ModeFamily, of_two_feet_sticks_where_the_interval_is_not_empty) {
  RandomProblems random(11);
  int sticking = 0;
  int slipping = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Feet feet;
    feet.mass = random.draw_number(0.5, 2.0);
    feet.gyration = random.draw_number(0.3, 1.5);
    feet.height = random.draw_number(0.1, 1.5);
    feet.force_x = random.draw_number(-8.0, 8.0);
    feet.force_y = -random.draw_number(1.0, 10.0);
    feet.positions = {random.draw_number(-2.0, 0.0), random.draw_number(0.1, 2.0)};
    feet.mu = {random.draw_number(0.0, 1.0), random.draw_number(0.0, 1.0)};
    const double N = -feet.force_y;
    const double T = feet.force_x;
    const double distance = feet.positions[1] - feet.positions[0];
    const double f_2 = (feet.height * T - feet.positions[0] * N) / distance;
    const double f_1 = N - f_2;
    const double least = std::max(-feet.mu[0] * f_1, -T - feet.mu[1] * f_2);
    const double greatest = std::min(feet.mu[0] * f_1, -T + feet.mu[1] * f_2);
    const double room = std::min({f_1, f_2, greatest - least});
    if (std::abs(room) < 1e-6) continue;
    const ModeSolutions found = solve(make_feet(feet));
    const ModeSolution* solution = find_word(found, "SS");
    ASSERT_EQ(solution != nullptr, room > 0.0) << "trial " << trial;
    ++(room > 0.0 ? sticking : slipping);
    if (solution == nullptr) continue;
    ASSERT_EQ(solution->family.dimension, 1);
    ASSERT_NEAR(solution->family.force_t[0].first, least, 1e-8);
    ASSERT_NEAR(solution->family.force_t[0].second, greatest, 1e-8);
    ASSERT_NEAR(solution->family.force_n[0].first, f_1, 1e-8);
    ASSERT_NEAR(solution->family.force_n[0].second, f_1, 1e-8);
  }
  EXPECT_GT(sticking, 300);
  EXPECT_GT(slipping, 300);
}

// Sticking feet differ in forces only (A x = 0 implies W x = 0): whatever the numbers, there is one
// motion, and rounding must not open it.
TEST(ModeFamily, of_two_sticking_feet_has_one_acceleration) {
  int sticking = 0;
  for (const double gyration : {1.0, 0.5, 0.3}) {
    for (const double height : {1.0, 0.5, 0.3, 0.7}) {
      for (const double left : {-1.0, -0.5, -0.3, -0.7}) {
        for (const double right : {1.0, 0.5, 0.6, 0.8}) {
          Feet feet;
          feet.gyration = gyration;
          feet.height = height;
          feet.force_x = 1.0;
          feet.positions = {left, right};
          feet.mu = {0.8, 0.8};
          const ModeSolutions found = solve(make_feet(feet));
          const ModeSolution* solution = find_word(found, "SS");
          if (solution == nullptr) continue;
          ++sticking;
          EXPECT_TRUE(solution->family.acceleration_is_unique)
              << "gyration " << gyration << ", height " << height << ", feet at " << left << " and "
              << right;
        }
      }
    }
  }
  EXPECT_GT(sticking, 150);
}

Feet make_three_feet(const std::vector<double>& mu) {
  Feet feet;
  feet.mass = 2.0;
  feet.height = 1.0;
  feet.force_x = 1.0;
  feet.positions = {-1.0, 0.2, 1.0};
  feet.mu = mu;
  feet.slip_sign = 1;
  return feet;
}

// Sliding with f_t = -mu f_n: sum f = N = 10, sum (l_i - mu h) f_i = 0, that is sum l_i f_i = 3 for
// mu = 0.3. The total friction is 0.3 * 10 whatever the split, so x'' = (1 - 3) / 2 = -1.
// With f_2 as parameter: f_3 - f_1 = 3 - 0.2 f_2, f_3 + f_1 = 10 - f_2, so
// f_1 = 3.5 - 0.4 f_2, f_3 = 6.5 - 0.6 f_2: all are >= 0 for 0 <= f_2 <= 8.75.
TEST(ModeFamily, of_three_sliding_feet_with_equal_friction_has_one_acceleration) {
  const ModeSolutions found = solve(make_feet(make_three_feet({0.3, 0.3, 0.3})));
  ASSERT_EQ(list_words(found.solutions), "PPP");
  const ModeSolution& solution = found.solutions[0];
  EXPECT_EQ(solution.family.dimension, 1);
  EXPECT_TRUE(solution.family.acceleration_is_unique);
  EXPECT_NEAR(solution.acceleration[0], -1.0, 1e-12);
  EXPECT_NEAR(solution.acceleration[1], 0.0, 1e-12);
  EXPECT_NEAR(solution.acceleration[2], 0.0, 1e-12);
  expect_range(solution.family.force_n[0], 0.0, 3.5);
  expect_range(solution.family.force_n[1], 0.0, 8.75);
  expect_range(solution.family.force_n[2], 1.25, 6.5);
  expect_range(solution.family.force_t[2], -0.3 * 6.5, -0.3 * 1.25);
  EXPECT_EQ(find_class(found.solutions), ContactClass::kConsistent);
}

// mu = 0.1 + 0.1 l is affine in l: sum mu_i f_i is fixed by the two equations
// sum f_i = 10, sum (l_i - 0.1 - 0.1 l_i) f_i = 0, so sum l_i f_i = 1 / 0.9 and
// sum mu_i f_i = 1 + 0.1 / 0.9 = 10 / 9: x'' = (1 - 10 / 9) / 2 = -1 / 18.
TEST(ModeFamily, of_three_sliding_feet_with_affine_friction_has_one_acceleration) {
  const ModeSolutions found = solve(make_feet(make_three_feet({0.0, 0.12, 0.2})));
  ASSERT_EQ(list_words(found.solutions), "PPP");
  EXPECT_EQ(found.solutions[0].family.dimension, 1);
  EXPECT_TRUE(found.solutions[0].family.acceleration_is_unique);
  EXPECT_NEAR(found.solutions[0].acceleration[0], -1.0 / 18.0, 1e-12);
}

// Only the middle foot has friction, mu_2 = 0.5: c = l - mu h = (-1, -0.3, 1), sum f = 10,
// sum c_i f_i = 0. With f_2 as parameter f_3 - f_1 = 0.3 f_2, f_3 + f_1 = 10 - f_2, so
// f_1 = 5 - 0.65 f_2, f_3 = 5 - 0.35 f_2 and 0 <= f_2 <= 5 / 0.65 = 100 / 13. The friction 0.5 f_2
// goes with it: x'' = (1 - 0.5 f_2) / 2 from (1 - 50 / 13) / 2 = -37 / 26 to 1 / 2.
TEST(ModeFamily, of_three_sliding_feet_with_unequal_friction_leaves_the_motion_open) {
  const ModeSolutions found = solve(make_feet(make_three_feet({0.0, 0.5, 0.0})));
  const ModeSolution* solution = find_word(found, "PPP");
  ASSERT_NE(solution, nullptr);
  EXPECT_EQ(solution->family.dimension, 1);
  EXPECT_FALSE(solution->family.acceleration_is_unique);
  expect_range(solution->family.force_n[0], 0.0, 5.0);
  expect_range(solution->family.force_n[1], 0.0, 100.0 / 13.0);
  expect_range(solution->family.force_n[2], 30.0 / 13.0, 5.0);
  ASSERT_EQ(solution->family.acceleration.size(), 3U);
  expect_range(solution->family.acceleration[0], -37.0 / 26.0, 0.5);
  expect_range(solution->family.acceleration[1], 0.0, 0.0);
  expect_range(solution->family.acceleration[2], 0.0, 0.0);
  EXPECT_EQ(find_class(found.solutions), ContactClass::kIndeterminate);
}

// The ends of that family, where a foot carries nothing, are members of it and not solutions of
// their own: lifting the foot changes neither forces nor motion.
TEST(ModeFamily, holds_its_ends_where_the_motion_is_open) {
  const ModeSolutions found = solve(make_feet(make_three_feet({0.0, 0.5, 0.0})));
  EXPECT_EQ(list_words(found.solutions), "PPP");
}

/// A body of weight 10 held between two bilateral contacts at (-1, 0) and (1, 0) that face each
/// other: n_1 = (1, 0), t_1 = (0, -1), n_2 = (-1, 0), t_2 = (0, 1).
ContactEquations make_clamped_body(double mu) {
  ContactEquations out;
  out.M = Eigen::Vector3d(1.0, 1.0, 1.0).asDiagonal();
  out.h = Eigen::Vector3d(0.0, 10.0, 0.0);
  out.W_n.resize(3, 2);
  out.W_t.resize(3, 2);
  out.W_n << 1.0, -1.0, 0.0, 0.0, 0.0, 0.0;
  out.W_t << 0.0, 0.0, -1.0, 1.0, 1.0, 1.0;
  out.bias_n = VectorXd::Zero(2);
  out.bias_t = VectorXd::Zero(2);
  out.contacts = {{0, mu, mu, 0, true}, {1, mu, mu, 0, true}};
  return out;
}

// f_n1 = f_n2 = f and a_t1 = 2 f_t1 + 10 = -a_t2. At rest f_t1 = -5, so 5 <= mu |f|: with mu = 0.5
// every f >= 10 (pressed) and every f <= -10 (pulled). With |f| < 10 it starts to fall.
TEST(ModeFamily, of_a_body_between_two_slides_has_both_signs_of_force) {
  const ModeSolutions found = solve(make_clamped_body(0.5));
  std::map<std::string, Range> ranges;
  for (const ModeSolution& solution : found.solutions) {
    EXPECT_EQ(solution.family.dimension, 1);
    ASSERT_EQ(solution.family.force_n.size(), 2U);
    const Range range = solution.family.force_n[0];
    const auto [place, is_new] = ranges.emplace(to_letters(solution.modes), range);
    if (is_new) continue;
    place->second.first = std::min(place->second.first, range.first);
    place->second.second = std::max(place->second.second, range.second);
  }
  EXPECT_EQ(ranges["SS"], Range(-kInfinity, kInfinity));
  expect_range(ranges["PN"], -10.0, 10.0);
}

// No friction, so neither sign is preferred: only f_n1 = f_n2 is known, and the body falls.
TEST(ModeFamily, of_frictionless_slides_is_a_whole_line) {
  const ModeSolutions found = solve(make_clamped_body(0.0));
  ASSERT_EQ(found.solutions.size(), 1U);
  const ModeSolution& solution = found.solutions[0];
  EXPECT_EQ(to_letters(solution.modes), "PN");  // downward is +t at the first and -t at the second
  EXPECT_EQ(solution.family.dimension, 1);
  EXPECT_TRUE(solution.family.acceleration_is_unique);
  EXPECT_NEAR(solution.acceleration[1], -10.0, 1e-12);
  EXPECT_EQ(solution.family.force_n[0], Range(-kInfinity, kInfinity));
  EXPECT_EQ(solution.family.force_n[1], Range(-kInfinity, kInfinity));
}

// A ball on a rail: W_t = 0, so it is at rest along the surface with any friction in the cone.
TEST(ModeFamily, of_a_contact_without_tangent_has_any_friction_in_the_cone) {
  ContactEquations ball;
  ball.M = Eigen::MatrixXd::Identity(1, 1);
  ball.h = VectorXd::Constant(1, 10.0);
  ball.W_n = Eigen::MatrixXd::Ones(1, 1);
  ball.W_t = Eigen::MatrixXd::Zero(1, 1);
  ball.bias_n = VectorXd::Zero(1);
  ball.bias_t = VectorXd::Zero(1);
  ball.contacts = {{0, 0.3, 0.3, 0, false}};
  const ModeSolutions found = solve(ball);
  ASSERT_EQ(list_words(found.solutions), "S");
  const ForceFamily& family = found.solutions[0].family;
  EXPECT_EQ(family.dimension, 1);
  EXPECT_TRUE(family.acceleration_is_unique);
  expect_range(family.force_n[0], 10.0, 10.0);
  expect_range(family.force_t[0], -3.0, 3.0);
  EXPECT_EQ(find_class(found.solutions), ContactClass::kConsistent);
}

/// The word with the signs of those bilateral forces whose sign matters to friction: "SP+.".
template <class Sign>
std::string make_key(const ContactEquations& equations, const std::string& word, const Sign& sign) {
  std::string key = word;
  for (std::size_t i = 0; i < equations.contacts.size(); ++i) {
    const ClosedContact& contact = equations.contacts[i];
    const bool has_sign = contact.bilateral && contact.mu_s > 0.0;
    key += !has_sign ? '.' : (sign(i) > 0.0 ? '+' : '-');
  }
  return key;
}

std::string make_key(const ContactEquations& equations, const BruteForceFamily& family) {
  return make_key(equations, family.word,
                  [&](std::size_t i) { return family.pattern[i].force_sign; });
}

std::string make_key(const ContactEquations& equations, const ModeSolution& solution) {
  return make_key(equations, to_letters(solution.modes),
                  [&](std::size_t i) { return solution.force_n[static_cast<Index>(i)]; });
}

bool is_near(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= 1e-7 * (1.0 + std::abs(a) + std::abs(b));
}

bool has_range(const BruteForceFamily& family, Index entry, const Range& range) {
  return is_near(family.least[entry], range.first) && is_near(family.greatest[entry], range.second);
}

bool is_point(const BruteForceFamily& family, Index entry) {
  return is_near(family.least[entry], family.greatest[entry]);
}

/// The difference between a solution and the corners of its polyhedron.
std::string find_disagreement(const ModeSolution& solution, const BruteForceFamily& expected) {
  const Index k = solution.force_n.size();
  const Index n = solution.acceleration.size();
  const ForceFamily& family = solution.family;
  if (family.dimension != expected.dimension) return "dimension";
  bool is_unique = true;
  for (Index i = 0; i < n; ++i) {
    is_unique = is_unique && is_point(expected, i);
    if (family.acceleration_is_unique && !is_near(solution.acceleration[i], expected.inside[i])) {
      return "acceleration";
    }
    if (!family.acceleration_is_unique &&
        !has_range(expected, i, family.acceleration[static_cast<std::size_t>(i)])) {
      return "range of acceleration";
    }
  }
  if (is_unique != family.acceleration_is_unique) return "uniqueness of the acceleration";
  for (Index i = 0; i < k; ++i) {
    Range normal(solution.force_n[i], solution.force_n[i]);
    Range tangential(solution.force_t[i], solution.force_t[i]);
    if (family.dimension > 0) {
      const Range inside_n = normal;
      const Range inside_t = tangential;
      normal = family.force_n[static_cast<std::size_t>(i)];
      tangential = family.force_t[static_cast<std::size_t>(i)];
      const auto contains = [](const Range& range, double value) {
        const double room = 1e-9 * (1.0 + std::abs(value));
        return range.first <= value + room && value - room <= range.second;
      };
      if (!contains(normal, inside_n.first)) return "a member outside of its normal range";
      if (!contains(tangential, inside_t.first)) return "a member outside of its tangential range";
    }
    if (!has_range(expected, n + i, normal)) return "normal force";
    if (!has_range(expected, n + k + i, tangential)) return "tangential force";
  }
  return "";
}

bool rests_without_friction(const ContactEquations& equations) {
  return std::any_of(
      equations.contacts.begin(), equations.contacts.end(),
      [](const ClosedContact& contact) { return contact.slip_sign == 0 && contact.mu_s == 0.0; });
}

bool has_open_motion(const std::map<std::string, BruteForceFamily>& families, Index n) {
  return std::any_of(families.begin(), families.end(), [&](const auto& entry) {
    for (Index i = 0; i < n; ++i) {
      if (!is_point(entry.second, i)) return true;
    }
    return false;
  });
}

bool is_marginal(const ModeSolutions& found, const std::string& word) {
  return std::any_of(found.marginal.begin(), found.marginal.end(), [&](const std::string& entry) {
    return entry.find(" in " + word) != std::string::npos;
  });
}

struct FamilyCounts {
  int compared = 0, families = 0, open_motions = 0, unclear = 0;
};

/// Compares one problem's families; what differs, or nothing.
std::string compare_families(const ContactEquations& equations, FamilyCounts& counts) {
  const ModeSolutions found = solve(equations);
  const BruteForceFamilies by_force = find_families_by_brute_force(equations);
  std::map<std::string, BruteForceFamily> expected;
  for (const BruteForceFamily& family : by_force.families) {
    expected.emplace(make_key(equations, family), family);
  }
  const bool open = has_open_motion(expected, equations.size());
  // Where the motion is open, so is the letter of a contact that rests without friction.
  if (by_force.near_marginal || (open && rests_without_friction(equations))) {
    ++counts.unclear;
    return "";
  }
  ++counts.compared;
  counts.open_motions += open ? 1 : 0;
  std::map<std::string, const ModeSolution*> solutions;
  for (const ModeSolution& solution : found.solutions) {
    const std::string key = make_key(equations, solution);
    if (!solutions.emplace(key, &solution).second) return "twice " + key;
  }
  for (const auto& [key, family] : expected) {
    if (solutions.count(key) == 0) return "missing " + key;
    counts.families += family.dimension > 0 ? 1 : 0;
    const std::string difference = find_disagreement(*solutions.at(key), family);
    if (!difference.empty()) return difference + " of " + key;
  }
  for (const auto& [key, solution] : solutions) {
    if (expected.count(key) > 0 || solution->family.dimension > kMaxBruteForceDimension) continue;
    if (!is_marginal(found, to_letters(solution->modes))) return "beyond the corners: " + key;
  }
  return "";
}

void expect_same_families(std::uint64_t seed, ProblemKind kind, int trials) {
  RandomProblems random(seed);
  FamilyCounts counts;
  for (int trial = 0; trial < trials; ++trial) {
    const ContactEquations equations = random.draw(kind).equations;
    ASSERT_EQ(compare_families(equations, counts), "") << "trial " << trial;
  }
  ::testing::Test::RecordProperty("families", counts.families);
  ::testing::Test::RecordProperty("open_motions", counts.open_motions);
  ::testing::Test::RecordProperty("unclear", counts.unclear);
  EXPECT_GT(counts.families, trials / 20);
  EXPECT_GT(counts.compared, trials / 2);
}

TEST(ModeFamily, has_every_corner_of_feet_on_a_line) {
  expect_same_families(21, ProblemKind::kFeet, 3000);
}

TEST(ModeFamily, has_every_corner_of_a_body_in_a_wedge) {
  expect_same_families(22, ProblemKind::kWedge, 3000);
}

TEST(ModeFamily, has_every_corner_of_dependent_directions) {
  expect_same_families(23, ProblemKind::kRankDeficient, 1500);
}

TEST(ModeFamily, has_every_corner_of_contacts_without_tangent) {
  expect_same_families(24, ProblemKind::kZeroTangent, 3000);
}

// l_2 = mu_2 h: the force of foot 2 goes through the centre of mass, so with foot 1 lifted
// theta'' = 0 and y'' = 0, and the lifted foot's acceleration is exactly zero. Keeping foot 1 down
// gives the same: (l_1 - mu_1 h) f_1 = 0. Lifted or not, the answer is one, on the border.
TEST(Marginal, names_the_foot_that_neither_lifts_nor_presses) {
  Feet feet;
  feet.height = 1.0;
  feet.positions = {-1.0, 0.5};
  feet.mu = {0.3, 0.5};
  for (const int slip_sign : {1, 0}) {
    feet.slip_sign = slip_sign;
    feet.force_x = 8.0;  // more than the friction 5, so that feet at rest start to slip along +x
    const ModeSolutions found = solve(make_feet(feet));
    ASSERT_EQ(found.solutions.size(), 1U) << list_words(found.solutions);
    EXPECT_NEAR(found.solutions[0].force_n[0], 0.0, 1e-9);
    EXPECT_NEAR(found.solutions[0].force_n[1], 10.0, 1e-9);
    EXPECT_NEAR(found.solutions[0].acceleration[0], 3.0, 1e-9);
    EXPECT_THAT(found.marginal, Contains(HasSubstr(" of c0 in ")));
  }
}

ContactEquations make_block(double force_x, double force_y, int slip_sign) {
  ContactEquations out;
  out.M = Eigen::MatrixXd::Identity(2, 2);
  out.h = Eigen::Vector2d(-force_x, -force_y);
  out.W_n = Eigen::Vector2d(0.0, 1.0);
  out.W_t = Eigen::Vector2d(1.0, 0.0);
  out.bias_n = VectorXd::Zero(1);
  out.bias_t = VectorXd::Zero(1);
  out.contacts = {{0, 0.5, 0.5, slip_sign, false}};
  return out;
}

// Pushed with exactly mu N = 5: stick with |f_t| = mu f_n and slip with a_t = 0 are the same.
TEST(Marginal, names_a_force_on_the_friction_cone) {
  const ModeSolutions found = solve(make_block(5.0, -10.0, 0));
  ASSERT_EQ(list_words(found.solutions), "S");
  EXPECT_NEAR(found.solutions[0].force_t[0], -5.0, 1e-12);
  EXPECT_THAT(found.marginal, Contains("friction cone of c0 in S"));
  EXPECT_THAT(solve(make_block(5.0 - 1e-6, -10.0, 0)).marginal, IsEmpty());
  EXPECT_EQ(list_words(solve(make_block(5.0 + 1e-6, -10.0, 0)).solutions), "P");
}

// b = 0, p > 0: lift-off and sliding are the same, with no force and no acceleration.
TEST(Marginal, names_a_contact_that_is_neither_pressed_nor_lifted) {
  ContactEquations block = make_block(0.0, -10.0, 1);
  block.bias_n[0] = 10.0;
  const ModeSolutions found = solve(block);
  ASSERT_EQ(found.solutions.size(), 1U) << list_words(found.solutions);
  EXPECT_NEAR(found.solutions[0].force_n[0], 0.0, 1e-12);
  EXPECT_THAT(found.marginal, Contains(HasSubstr(" of c0 in ")));
}

/// One contact with G_nn = 1, G_nt = 2, which has p = 0 at mu = 0.5, slip +1.
ContactEquations make_jammed(double b) {
  ContactEquations out = make_block(0.0, b, 1);
  out.W_t = Eigen::Vector2d(1.0, 2.0);
  return out;
}

// p = 0: b + 0 f = a_n. No sliding for b < 0; only lift-off for b > 0; any force for b = 0.
TEST(Marginal, at_p_zero_has_no_force_or_any) {
  EXPECT_TRUE(solve(make_jammed(-1.0)).solutions.empty());
  EXPECT_EQ(list_words(solve(make_jammed(1.0)).solutions), "F");
  const ModeSolutions found = solve(make_jammed(0.0));
  const ModeSolution* sliding = find_word(found, "P");
  ASSERT_NE(sliding, nullptr);
  EXPECT_EQ(sliding->family.dimension, 1);
  EXPECT_NEAR(sliding->family.force_n[0].first, 0.0, 1e-9);
  EXPECT_EQ(sliding->family.force_n[0].second, kInfinity);
}

// Static friction above mu: between mu N = 5 and mu_s N = 8 both sticking and slipping satisfy
// every law; below and above only one does.
TEST(Marginal, static_friction_has_a_band_with_two_answers) {
  const auto words = [](double force_x) {
    ContactEquations block = make_block(force_x, -10.0, 0);
    block.contacts[0].mu_s = 0.8;
    return list_words(solve(block).solutions);
  };
  EXPECT_EQ(words(4.9), "S");
  EXPECT_EQ(words(5.1), "P S");
  EXPECT_EQ(words(-7.9), "N S");
  EXPECT_EQ(words(8.1), "P");
}

}  // namespace
}  // namespace slipstick
