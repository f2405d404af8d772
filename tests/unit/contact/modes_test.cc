/// Every consistent mode of random problems: the laws checked one by one, a second solver, and
/// changes of name, scale and direction that must not matter.

#include "slipstick/contact/modes.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "cases.h"
#include "slipstick/contact/sliding.h"
#include "unit/contact/brute_force.h"
#include "unit/contact/contact_laws.h"
#include "unit/contact/random_problems.h"

namespace slipstick {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ModeSolutions solve(const ContactProblem& problem) {
  return find_consistent_modes(problem, make_names(problem), Tolerances{});
}

/// Solutions that only the library or only the brute force has.
std::string find_disagreement(const ModeList& solutions,
                              const std::vector<BruteForceSolution>& expected) {
  std::string words;
  for (const BruteForceSolution& solution : expected) {
    words += (words.empty() ? "" : " ") + solution.word;
  }
  if (list_words(solutions) != words) {
    return "words '" + list_words(solutions) + "' instead of '" + words + "'";
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const BruteForceSolution& by_force = expected[i];
    const ModeSolution& solution = solutions[i];
    if (solution.family.dimension != 0) return "a family in " + by_force.word;
    const double size =
        std::max(by_force.force_n.cwiseAbs().maxCoeff(), by_force.force_t.cwiseAbs().maxCoeff());
    const double error = std::max((solution.force_n - by_force.force_n).cwiseAbs().maxCoeff(),
                                  (solution.force_t - by_force.force_t).cwiseAbs().maxCoeff());
    constexpr double kRounding = 1e-14;  // of the brute force's zeros
    if (error > 1e-8 * size + kRounding) return "forces in " + by_force.word;
  }
  return "";
}

// Laws: the definition of the problem. Solutions of the generic ones: the full
// equations solved for every pattern of signs.
TEST(Modes, keep_every_law_and_are_all_there_is) {
  constexpr int kProblems = testkit::cases(130000);
  RandomProblems random(1);
  int generic = 0;
  int compared = 0;
  int near_marginal = 0;
  int with_none = 0;
  int with_several = 0;
  for (int trial = 0; trial < kProblems; ++trial) {
    const RandomProblem drawn = random.draw();
    const ContactProblem problem = make_problem(drawn.equations);
    const ModeSolutions found = solve(problem);
    for (const ModeSolution& solution : found.solutions) {
      ASSERT_EQ(find_broken_law(problem, solution, 1e-8), "") << "problem " << trial;
    }
    if (drawn.kind != ProblemKind::kGeneric) continue;
    ++generic;
    const BruteForceResult expected = find_by_brute_force(drawn.equations);
    ASSERT_FALSE(expected.degenerate) << "problem " << trial;
    if (expected.near_marginal) {
      ++near_marginal;
      continue;
    }
    ++compared;
    with_none += expected.solutions.empty() ? 1 : 0;
    with_several += expected.solutions.size() > 1 ? 1 : 0;
    ASSERT_EQ(find_disagreement(found.solutions, expected.solutions), "") << "problem " << trial;
    ASSERT_TRUE(found.marginal.empty()) << "problem " << trial;
  }
  RecordProperty("compared", compared);
  RecordProperty("near_marginal", near_marginal);
  RecordProperty("without_solution", with_none);
  RecordProperty("with_several_solutions", with_several);
  EXPECT_GE(compared, testkit::cases(100000));
  EXPECT_LT(near_marginal, generic / 100);
  EXPECT_GT(with_none, testkit::cases(1000));
  EXPECT_GT(with_several, testkit::cases(1000));
}

// A block of mass 2 under its weight 20, pushed by 3 along t. Its contact is the second of three in
// the model, the others are open: F in the word and no force. Stick: f_n = 20, f_t = -3.
TEST(Modes, of_open_contacts_are_free_and_without_force) {
  ContactEquations block;
  block.M = 2.0 * MatrixXd::Identity(2, 2);
  block.h = Eigen::Vector2d(-3.0, 20.0);
  block.W_n = Eigen::Vector2d(0.0, 1.0);
  block.W_t = Eigen::Vector2d(1.0, 0.0);
  block.bias_n = VectorXd::Zero(1);
  block.bias_t = VectorXd::Zero(1);
  block.contacts = {{1, 0.5, 0.5, 0, false}};
  ContactProblem problem = make_problem(block);
  problem.status = {ContactStatus::kOpen, ContactStatus::kClosed, ContactStatus::kInactive};
  const ModeSolutions found = solve(problem);
  ASSERT_EQ(list_words(found.solutions), "FSF");
  EXPECT_NEAR((found.solutions[0].force_n - Eigen::Vector3d(0.0, 20.0, 0.0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((found.solutions[0].force_t - Eigen::Vector3d(0.0, -3.0, 0.0)).norm(), 0.0, 1e-12);
}

// Nothing closed: one solution, the motion without contact forces.
TEST(Modes, of_a_free_flight_are_its_own_acceleration) {
  ContactProblem problem;
  problem.status = {ContactStatus::kOpen, ContactStatus::kOpen};
  problem.free_acceleration = Eigen::Vector2d(1.0, -10.0);
  problem.M_inverse_W.resize(2, 0);
  problem.G.resize(0, 0);
  problem.lock_G.resize(0, 0);
  const ModeSolutions found = solve(problem);
  ASSERT_EQ(list_words(found.solutions), "FF");
  EXPECT_EQ(found.solutions[0].acceleration, problem.free_acceleration);
  EXPECT_EQ(find_class(found.solutions), ContactClass::kConsistent);
  EXPECT_TRUE(found.marginal.empty());
}

// None: inconsistent; one: consistent; one with an open motion, or several: indeterminate.
TEST(FindClass, counts_motions_and_sets_of_forces) {
  ModeSolution solution;
  EXPECT_EQ(find_class({}), ContactClass::kInconsistent);
  EXPECT_EQ(find_class({solution}), ContactClass::kConsistent);
  EXPECT_EQ(find_class({solution, solution}), ContactClass::kIndeterminate);
  solution.family.dimension = 1;
  EXPECT_EQ(find_class({solution}), ContactClass::kConsistent);
  solution.family.acceleration_is_unique = false;
  EXPECT_EQ(find_class({solution}), ContactClass::kIndeterminate);
}

/// All principal minors by Leibniz' expansion along the first row.
double eval_determinant(const MatrixXd& A) {
  if (A.rows() == 0) return 1.0;
  double sum = 0.0;
  for (Index j = 0; j < A.cols(); ++j) {
    MatrixXd rest(A.rows() - 1, A.cols() - 1);
    rest << A.bottomLeftCorner(A.rows() - 1, j),
        A.bottomRightCorner(A.rows() - 1, A.cols() - 1 - j);
    sum += (j % 2 == 0 ? 1.0 : -1.0) * A(0, j) * eval_determinant(rest);
  }
  return sum;
}

double find_least_minor(const MatrixXd& P) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned bits = 1; bits < 1U << static_cast<unsigned>(P.rows()); ++bits) {
    std::vector<Index> kept;
    for (Index i = 0; i < P.rows(); ++i) {
      if ((bits >> static_cast<unsigned>(i) & 1U) != 0U) kept.push_back(i);
    }
    least = std::min(least, eval_determinant(P(kept, kept)));
  }
  return least;
}

MatrixXd make_sliding_matrix(const ContactEquations& equations) {
  VectorXd friction(equations.contact_count());
  for (Index i = 0; i < friction.size(); ++i) {
    const ClosedContact& contact = equations.contacts[static_cast<std::size_t>(i)];
    friction[i] = contact.slip_sign * contact.mu;
  }
  const MatrixXd inverse = equations.M.inverse();
  return equations.W_n.transpose() * inverse *
         (equations.W_n - equations.W_t * friction.asDiagonal());
}

// The theorem of [Samelson1958]: a P-matrix gives exactly one solution whatever b is.
TEST(Modes, are_unique_where_sliding_contacts_have_a_p_matrix) {
  RandomProblems random(2);
  int p_matrices = 0;
  int others = 0;
  for (int trial = 0; trial < testkit::cases(20000); ++trial) {
    const ContactEquations equations = random.draw_sliding();
    const ContactProblem problem = make_problem(equations);
    const double least = find_least_minor(make_sliding_matrix(equations));
    if (std::abs(least) < 1e-9) continue;
    const Sliding sliding = eval_sliding(problem, make_names(problem), Tolerances{});
    ASSERT_TRUE(sliding.p_matrix.has_value());
    ASSERT_EQ(*sliding.p_matrix, least > 0.0) << "problem " << trial;
    ++(least > 0.0 ? p_matrices : others);
    if (least < 0.0) continue;
    const ModeSolutions found = solve(problem);
    ASSERT_EQ(found.solutions.size(), 1U) << "problem " << trial;
    ASSERT_EQ(find_class(found.solutions), ContactClass::kConsistent);
  }
  EXPECT_GT(p_matrices, testkit::cases(3000));
  EXPECT_GT(others, testkit::cases(3000));
}

void sort_solutions(ModeList& solutions) {
  std::sort(solutions.begin(), solutions.end(), [](const ModeSolution& a, const ModeSolution& b) {
    if (a.modes != b.modes) return a.modes < b.modes;
    return std::lexicographical_compare(a.force_n.begin(), a.force_n.end(), b.force_n.begin(),
                                        b.force_n.end());
  });
}

/// Applies `transform` to problems of every kind and compares the solutions with `map` of the old.
template <class Transform, class Map>
void expect_covariant(std::uint64_t seed, const Transform& transform, const Map& map) {
  RandomProblems random(seed);
  int compared = 0;
  int marginal = 0;
  int families = 0;
  for (int trial = 0; trial < testkit::cases(4000); ++trial) {
    const bool generic = trial % 2 == 0;
    const RandomProblem drawn = generic ? random.draw(ProblemKind::kGeneric)
                                        : random.draw(static_cast<ProblemKind>(1 + trial / 2 % 4));
    const ModeSolutions before = solve(make_problem(drawn.equations));
    const ModeSolutions after = solve(transform(drawn.equations));
    if (!before.marginal.empty() || !after.marginal.empty()) {
      ++marginal;  // rounding may choose either name for what is at zero
      continue;
    }
    ++compared;
    ModeList expected = before.solutions;
    for (ModeSolution& solution : expected) {
      families += solution.family.dimension > 0 ? 1 : 0;
      map(drawn.equations, solution);
    }
    sort_solutions(expected);
    ASSERT_EQ(find_difference(expected, after.solutions, 1e-7), "") << "problem " << trial;
  }
  EXPECT_GT(compared, testkit::cases(3000));
  EXPECT_GT(families, testkit::cases(300));
  EXPECT_LT(marginal, testkit::cases(400));
}

std::vector<Index> make_reversed_order(Index k) {
  std::vector<Index> order(static_cast<std::size_t>(k));
  std::iota(order.rbegin(), order.rend(), Index{0});
  return order;
}

template <class T>
std::vector<T> reversed(std::vector<T> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

TEST(Modes, do_not_depend_on_the_order_of_the_contacts) {
  const auto reverse = [](const ContactEquations& from) {
    ContactEquations to = from;
    const std::vector<Index> order = make_reversed_order(from.contact_count());
    to.W_n = from.W_n(Eigen::all, order);
    to.W_t = from.W_t(Eigen::all, order);
    to.bias_n = from.bias_n(order);
    to.bias_t = from.bias_t(order);
    to.contacts = reversed(from.contacts);
    for (std::size_t i = 0; i < to.contacts.size(); ++i) to.contacts[i].index = static_cast<int>(i);
    return make_problem(to);
  };
  expect_covariant(3, reverse, [](const ContactEquations&, ModeSolution& solution) {
    const ModeWord word = solution.modes;
    for (std::size_t i = 0; i < word.size(); ++i) solution.modes.set(word.size() - 1 - i, word[i]);
    solution.force_n.reverseInPlace();
    solution.force_t.reverseInPlace();
    solution.family.force_n = reversed(solution.family.force_n);
    solution.family.force_t = reversed(solution.family.force_t);
  });
}

TEST(Modes, of_the_mirror_image_swap_their_directions) {
  const auto mirror = [](const ContactEquations& from) {
    ContactEquations to = from;
    to.W_t = -from.W_t;
    to.bias_t = -from.bias_t;
    for (ClosedContact& contact : to.contacts) contact.slip_sign = -contact.slip_sign;
    return make_problem(to);
  };
  expect_covariant(4, mirror, [](const ContactEquations&, ModeSolution& solution) {
    for (std::size_t i = 0; i < solution.modes.size(); ++i) {
      const ContactMode mode = solution.modes[i];
      if (is_sliding(mode)) solution.modes.set(i, make_slip_mode(-eval_slip_sign(mode)));
    }
    solution.force_t = -solution.force_t;
    for (Range& range : solution.family.force_t) range = {-range.second, -range.first};
  });
}

/// Masses divided by `mobility`, accelerations multiplied by `acceleration`.
void expect_scaled(std::uint64_t seed, double mobility, double acceleration) {
  SCOPED_TRACE(::testing::Message()
               << "mobility " << mobility << ", acceleration " << acceleration);
  const auto scale = [&](const ContactEquations& from) {
    ContactProblem problem = make_problem(from);
    problem.M_inverse_W *= mobility;
    problem.G *= mobility;
    problem.free_acceleration *= acceleration;
    problem.a_free *= acceleration;
    problem.a_scale *= acceleration;
    return problem;
  };
  const double force = acceleration / mobility;
  expect_covariant(seed, scale, [&](const ContactEquations&, ModeSolution& solution) {
    solution.force_n *= force;
    solution.force_t *= force;
    for (auto* ranges : {&solution.family.force_n, &solution.family.force_t}) {
      for (Range& range : *ranges) range = {range.first * force, range.second * force};
    }
  });
}

// The laws are homogeneous: words do not depend on units, forces go with mass times acceleration.
// Powers of four scale without any rounding, so nothing may change.
TEST(Modes, do_not_depend_on_the_scale_of_masses_and_accelerations) {
  expect_scaled(5, 0x1p2, 0x1p-1);
  expect_scaled(6, 0x1p-10, 0x1p3);
}

TEST(Modes, do_not_depend_on_extreme_scales) {
  expect_scaled(7, 0x1p20, 0x1p-10);
  expect_scaled(8, 0x1p-20, 0x1p13);
  expect_scaled(9, 0x1p30, 0x1p-20);
  expect_scaled(10, 0x1p-30, 0x1p20);
}

}  // namespace
}  // namespace slipstick
