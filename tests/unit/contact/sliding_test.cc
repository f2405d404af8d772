/// p, b and the P-matrix of sliding contacts against matrices computed by hand.

#include "slipstick/contact/sliding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/contact/random_problems.h"

namespace slipstick {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

Sliding eval(const ContactProblem& problem) {
  return eval_sliding(problem, make_names(problem), Tolerances{});
}

Sliding eval(const ContactEquations& equations) { return eval(make_problem(equations)); }

/// A rod of mass 1 and inertia 1/3 that touches at r = (-0.6, -0.8) from its centre:
/// W_n = (0, 1, r_x), W_t = (1, 0, -r_y), so G_nn = 1 + 3 * 0.36 = 2.08 and
/// G_nt = -3 * (-0.6)(-0.8) = -1.44. Weight 10: b = -10.
ContactEquations make_rod(double mu, int slip_sign) {
  ContactEquations out;
  out.M = Eigen::Vector3d(1.0, 1.0, 1.0 / 3.0).asDiagonal();
  out.h = Eigen::Vector3d(0.0, 10.0, 0.0);
  out.W_n = Eigen::Vector3d(0.0, 1.0, -0.6);
  out.W_t = Eigen::Vector3d(1.0, 0.0, 0.8);
  out.bias_n = Eigen::VectorXd::Zero(1);
  out.bias_t = Eigen::VectorXd::Zero(1);
  out.contacts.push_back({0, mu, mu, slip_sign, false});
  return out;
}

// p = G_nn - s mu G_nt.
TEST(EvalSliding, of_a_rod_by_hand) {
  const Sliding forward = eval(make_rod(2.0, 1));  // 2.08 + 2.88
  ASSERT_EQ(forward.contacts.size(), 1U);
  EXPECT_EQ(forward.contacts[0].contact, 0);
  EXPECT_NEAR(forward.contacts[0].p, 4.96, 1e-14);
  EXPECT_NEAR(forward.contacts[0].b, -10.0, 1e-14);
  EXPECT_EQ(forward.p_matrix, true);
  EXPECT_THAT(forward.marginal, IsEmpty());

  const Sliding backward = eval(make_rod(2.0, -1));  // 2.08 - 2.88
  EXPECT_NEAR(backward.contacts[0].p, -0.8, 1e-14);
  EXPECT_EQ(backward.p_matrix, false);

  EXPECT_NEAR(eval(make_rod(0.0, -1)).contacts[0].p, 2.08, 1e-14);
}

// b is the normal acceleration without forces, the bias included: -10 + 3.
TEST(EvalSliding, counts_the_bias_into_b) {
  ContactEquations rod = make_rod(0.5, 1);
  rod.bias_n[0] = 3.0;
  EXPECT_NEAR(eval(rod).contacts[0].b, -7.0, 1e-14);
}

TEST(EvalSliding, has_nothing_to_say_about_rest) {
  const Sliding sliding = eval(make_rod(2.0, 0));
  EXPECT_TRUE(sliding.contacts.empty());
  EXPECT_FALSE(sliding.p_matrix.has_value());
}

// 2.08 = 1.44 mu at mu = 13/9; b = -10 + 10 = 0, where the terms are of size 10.
TEST(EvalSliding, names_a_p_or_b_of_zero) {
  ContactEquations rod = make_rod(13.0 / 9.0, -1);
  EXPECT_THAT(eval(rod).marginal, Contains("p of c0"));
  EXPECT_THAT(eval(rod).marginal, ::testing::Not(Contains("b of c0")));
  rod.bias_n[0] = 10.0;
  EXPECT_THAT(eval(rod).marginal, Contains("b of c0"));
  EXPECT_THAT(eval(make_rod(13.0 / 9.0 + 1e-6, -1)).marginal, IsEmpty());
}

Feet make_two_feet(double left, double right, double height, double mu_left, double mu_right) {
  Feet feet;
  feet.height = height;
  feet.positions = {left, right};
  feet.mu = {mu_left, mu_right};
  feet.slip_sign = 1;
  return feet;
}

// Feet at l_i, unit mass and inertia: P_ij = 1 + l_i (l_j - s mu_j h),
// det P = (l_2 - l_1)((l_2 - mu_2 h) - (l_1 - mu_1 h)).
TEST(EvalSliding, of_two_feet_by_hand) {
  // P = [[1 + 1.5, 1 - 0.5], [1 - 1.5, 1 + 0.5]], det = 4.
  const Sliding low = eval(make_feet(make_two_feet(-1.0, 1.0, 1.0, 0.5, 0.5)));
  ASSERT_EQ(low.contacts.size(), 2U);
  EXPECT_NEAR(low.contacts[0].p, 2.5, 1e-14);
  EXPECT_NEAR(low.contacts[1].p, 1.5, 1e-14);
  EXPECT_NEAR(low.contacts[0].b, -10.0, 1e-14);
  EXPECT_EQ(low.p_matrix, true);

  // P = [[1 + 4, 1 + 2], [1 - 4, 1 - 2]]: the front foot's p is negative, det = 4.
  const Sliding high = eval(make_feet(make_two_feet(-1.0, 1.0, 3.0, 1.0, 1.0)));
  EXPECT_NEAR(high.contacts[0].p, 5.0, 1e-14);
  EXPECT_NEAR(high.contacts[1].p, -1.0, 1e-14);
  EXPECT_EQ(high.p_matrix, false);
}

// P = [[1 + 1/16, 1 + 3/16], [1 - 1/16, 1 - 3/16]]: positive diagonal, det = (1/2)(-1/2) = -1/4.
TEST(EvalSliding, sees_a_negative_minor_behind_a_positive_diagonal) {
  const Sliding sliding = eval(make_feet(make_two_feet(-0.25, 0.25, 1.0, 0.0, 1.0)));
  EXPECT_NEAR(sliding.contacts[0].p, 1.0625, 1e-14);
  EXPECT_NEAR(sliding.contacts[1].p, 0.8125, 1e-14);
  EXPECT_EQ(sliding.p_matrix, false);
  EXPECT_THAT(sliding.marginal, IsEmpty());
}

// mu_2 - mu_1 = (l_2 - l_1) / h makes det P = 0.
TEST(EvalSliding, names_a_minor_of_zero) {
  const Sliding sliding = eval(make_feet(make_two_feet(-0.25, 0.25, 1.0, 0.25, 0.75)));
  EXPECT_THAT(sliding.marginal, Contains("a minor of P"));
}

/// Three contacts with G_nn = I, G_tt = 8 I and G_nt = 2 times a cyclic shift, which is positive
/// definite: 8 I - G_nt' G_nt = 4 I. So P = I - mu G_nt = [[1, -2 mu, 0], [0, 1, -2 mu],
/// [-2 mu, 0, 1]] with diagonal 1, minors of order two 1 and determinant 1 - 8 mu^3.
ContactProblem make_cycle(double mu) {
  ContactProblem out;
  out.G = Mat2C::Zero(6, 6);
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    out.G(2 * i, 2 * i) = 1.0;
    out.G(2 * i + 1, 2 * i + 1) = 8.0;
    out.G(2 * i, 2 * next + 1) = 2.0;
    out.G(2 * next + 1, 2 * i) = 2.0;
    out.closed.push_back({i, mu, mu, 1, false});
    out.status.push_back(ContactStatus::kClosed);
  }
  out.free_acceleration = VecQ::Zero(0);
  out.M_inverse_W = MatQ2C::Zero(0, 6);
  out.a_free = Vec2C::Constant(6, -1.0);
  out.a_scale = Vec2C::Ones(6);
  return out;
}

TEST(EvalSliding, of_three_contacts_depends_on_the_largest_minor) {
  for (const double mu : {0.25, 0.49, 0.51, 1.0}) {
    const Sliding sliding = eval(make_cycle(mu));
    ASSERT_EQ(sliding.contacts.size(), 3U);
    for (const SlidingTerms& terms : sliding.contacts) {
      EXPECT_NEAR(terms.p, 1.0, 1e-14);
      EXPECT_NEAR(terms.b, -1.0, 1e-14);
    }
    EXPECT_EQ(sliding.p_matrix, mu < 0.5) << mu;
    EXPECT_THAT(sliding.marginal, IsEmpty()) << mu;
  }
  EXPECT_THAT(eval(make_cycle(0.5)).marginal, Contains("a minor of P"));
}

// Three feet on one line: W_n has rank two, so the determinant is zero while P of any two is as
// above.
TEST(EvalSliding, of_three_feet_is_singular) {
  Feet feet;
  feet.positions = {-1.0, 0.25, 1.0};
  feet.mu = {0.5, 0.5, 0.5};
  feet.slip_sign = 1;
  const Sliding sliding = eval(make_feet(feet));
  ASSERT_EQ(sliding.contacts.size(), 3U);
  EXPECT_NEAR(sliding.contacts[0].p, 1.0 + 1.5, 1e-14);          // 1 - 1 (-1 - 0.5)
  EXPECT_NEAR(sliding.contacts[1].p, 1.0 - 0.25 * 0.25, 1e-14);  // 1 + 0.25 (0.25 - 0.5)
  EXPECT_NEAR(sliding.contacts[2].p, 1.0 + 0.5, 1e-14);
  EXPECT_THAT(sliding.marginal, Contains("a minor of P"));
}

// A singular P is no P-matrix, whatever sign rounding gives its determinant: for b = 0 every null
// vector is a solution. Feet on one line have rank 2, wherever they are.
TEST(EvalSliding, of_redundant_feet_is_no_p_matrix) {
  for (const double middle : {-0.7, -0.3, -0.1, 0.1, 0.2, 0.3, 0.6}) {
    Feet feet;
    feet.height = 0.5;
    feet.positions = {-1.0, middle, 1.0};
    feet.mu = {0.3, 0.9, 0.4};
    feet.slip_sign = 1;
    const Sliding sliding = eval(make_feet(feet));
    EXPECT_EQ(sliding.p_matrix, false) << middle;
    EXPECT_THAT(sliding.marginal, Contains("a minor of P")) << middle;
  }
}

// A bilateral contact has p for f_n > 0, but no complementarity: it is not part of P.
TEST(EvalSliding, leaves_bilateral_contacts_out_of_the_matrix) {
  ContactEquations rod = make_rod(2.0, -1);
  rod.contacts[0].bilateral = true;
  const Sliding sliding = eval(rod);
  ASSERT_EQ(sliding.contacts.size(), 1U);
  EXPECT_NEAR(sliding.contacts[0].p, -0.8, 1e-14);
  EXPECT_FALSE(sliding.p_matrix.has_value());
}

// Heavier or lighter bodies, longer or shorter units: the same matrix up to a factor.
TEST(EvalSliding, keeps_its_signs_at_any_scale) {
  for (const double factor : {1e-9, 1e-3, 1e3, 1e9}) {
    ContactProblem good = make_problem(make_feet(make_two_feet(-1.0, 1.0, 1.0, 0.5, 0.5)));
    ContactProblem bad = make_problem(make_feet(make_two_feet(-0.25, 0.25, 1.0, 0.0, 1.0)));
    good.G *= factor;
    bad.G *= factor;
    EXPECT_EQ(eval(good).p_matrix, true) << factor;
    EXPECT_EQ(eval(bad).p_matrix, false) << factor;
    EXPECT_THAT(eval(good).marginal, IsEmpty()) << factor;
    EXPECT_THAT(eval(bad).marginal, IsEmpty()) << factor;
  }
}

}  // namespace
}  // namespace slipstick
