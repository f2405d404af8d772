/// Lemke's method against the enumeration of all complementary bases, written here anew, and
/// against the enumeration of modes. What is known beforehand: a P-matrix has exactly one solution
/// for every b; a solution belongs to one of 2^k bases; a ray may miss solutions, but not those of
/// a semidefinite matrix.

#include "slipstick/contact/lemke.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/contact/modes.h"
#include "slipstick/core/linear_program.h"
#include "slipstick/mode_letters.h"

namespace slipstick {
namespace {

using Eigen::Index;
using MatC = BoundedMatrix<kMaxContacts, kMaxContacts>;

constexpr double kClose = 1e-9;  // of what two routes give, relative to the size of the answer

/// Numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] int integer(int least, int greatest) {
    const auto count = static_cast<std::uint64_t>(greatest - least + 1);
    return least + static_cast<int>(engine_() % count);
  }
  [[nodiscard]] double real(double least, double greatest) {
    return least + (greatest - least) * 0x1p-53 * static_cast<double>(engine_() >> 11U);
  }
  [[nodiscard]] Eigen::MatrixXd matrix(Index rows, Index cols) {
    return Eigen::MatrixXd::NullaryExpr(rows, cols, [&] { return real(-1.0, 1.0); });
  }
  [[nodiscard]] int sign() { return 2 * integer(0, 1) - 1; }

 private:
  std::mt19937_64 engine_;
};

bool has(unsigned bits, Index i) { return (bits >> static_cast<unsigned>(i) & 1U) != 0U; }

/// P_aa for the rows and columns whose bits are set.
Eigen::MatrixXd make_principal(const MatC& P, unsigned bits) {
  std::vector<Index> kept;
  for (Index i = 0; i < P.rows(); ++i) {
    if (has(bits, i)) kept.push_back(i);
  }
  return P(kept, kept);
}

double find_least_minor(const MatC& P) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned bits = 1; bits < 1U << static_cast<unsigned>(P.rows()); ++bits) {
    least = std::min(least, make_principal(P, bits).determinant());
  }
  return least;
}

/// All f with f_i = 0 for i outside a set and (b + P f)_i = 0 inside it, f >= 0, b + P f >= 0.
/// `margin` is how far the closest decision was from zero.
struct Enumerated {
  std::vector<VecC> solutions;
  double margin = std::numeric_limits<double>::infinity();
};

Enumerated enumerate_bases(const MatC& P, const VecC& b) {
  Enumerated out;
  const Index k = b.size();
  for (unsigned bits = 0; bits < 1U << static_cast<unsigned>(k); ++bits) {
    // Rows in the set: P f = -b; the others: f = 0.
    Eigen::MatrixXd A = Eigen::MatrixXd::Identity(k, k);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(k);
    for (Index i = 0; i < k; ++i) {
      if (!has(bits, i)) continue;
      A.row(i) = P.row(i);
      right[i] = -b[i];
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    out.margin = std::min(out.margin, lu.matrixLU().diagonal().cwiseAbs().minCoeff());
    if (!lu.isInvertible()) continue;
    const VecC f = lu.solve(right);
    const VecC w = b + P * f;
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < k; ++i) {
      const double value = has(bits, i) ? f[i] : w[i];
      const double scale = has(bits, i) ? f.cwiseAbs().maxCoeff()
                                        : std::abs(b[i]) + P.row(i).cwiseAbs().dot(f.cwiseAbs());
      const double relative = scale > 0.0 ? value / scale : 0.0;
      out.margin = std::min(out.margin, std::abs(relative));
      least = std::min(least, relative);
    }
    constexpr double kZero = 1e-10;
    if (least >= -kZero) out.solutions.push_back(f);
  }
  return out;
}

bool is_close(const VecC& f, const VecC& g) {
  return (f - g).cwiseAbs().maxCoeff() <= kClose * (1.0 + g.cwiseAbs().maxCoeff());
}

bool contains(const std::vector<VecC>& solutions, const VecC& f) {
  return std::any_of(solutions.begin(), solutions.end(),
                     [&](const VecC& solution) { return is_close(f, solution); });
}

/// f >= 0, b + P f >= 0 and their products vanish, relative to the size of the problem.
void expect_solves(const MatC& P, const VecC& b, const VecC& f) {
  ASSERT_EQ(f.size(), b.size());
  const VecC w = b + P * f;
  const double size = b.cwiseAbs().maxCoeff() + P.cwiseAbs().maxCoeff() * f.maxCoeff();
  for (Index i = 0; i < b.size(); ++i) {
    EXPECT_GE(f[i], 0.0);
    EXPECT_GE(w[i], -kClose * size);
    EXPECT_LE(f[i] * w[i], kClose * f.maxCoeff() * size);
  }
}

LemkeResult solve(const MatC& P, const VecC& b) { return solve_lemke(P, b, Tolerances{}); }

LemkeResult solve(double p, double b) {
  return solve(MatC::Constant(1, 1, p), VecC::Constant(1, b));
}

/// The rows and columns of a matrix in another order: minors stay.
MatC shuffle(Random& random, const MatC& P) {
  std::vector<Index> order(static_cast<std::size_t>(P.rows()));
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<Index>(i);
    std::swap(order[i], order[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
  }
  return P(order, order);
}

/// Sliding contacts of a random mechanism with n coordinates.
struct Mechanism {
  Eigen::MatrixXd M_inverse, W_n, W_t;
  Eigen::VectorXd signed_mu;

  [[nodiscard]] MatC make_matrix() const {
    return W_n.transpose() * M_inverse * (W_n - W_t * signed_mu.asDiagonal());
  }
};

Mechanism make_mechanism(Random& random, Index k, double largest_mu) {
  const Index n = k + random.integer(0, 4);
  const Eigen::MatrixXd A = random.matrix(n, n);
  const Eigen::MatrixXd M = A * A.transpose() + 0.3 * Eigen::MatrixXd::Identity(n, n);
  Mechanism out{M.inverse(), random.matrix(n, k), random.matrix(n, k), Eigen::VectorXd(k)};
  for (Index i = 0; i < k; ++i) out.signed_mu[i] = random.sign() * random.real(0.0, largest_mu);
  return out;
}

/// P-matrices of four kinds; none but the second is positive definite in general.
MatC make_p_matrix(Random& random, Index k) {
  const Eigen::MatrixXd A = random.matrix(k, k);
  switch (random.integer(0, 3)) {
    case 0: {  // rows dominated by their diagonals
      MatC P = A;
      for (Index i = 0; i < k; ++i) P(i, i) = 0.1 + A.row(i).cwiseAbs().sum();
      return P;
    }
    case 1: {  // positive definite plus skew
      const Eigen::MatrixXd B = random.matrix(k, k);
      return A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(k, k) + 3.0 * (B - B.transpose());
    }
    case 2: {  // triangular, far from copositive
      MatC P = Eigen::MatrixXd(3.0 * A).triangularView<Eigen::StrictlyUpper>();
      for (Index i = 0; i < k; ++i) P(i, i) = random.real(0.2, 1.0);
      return shuffle(random, P);
    }
    default:  // contacts with little friction; the caller checks the minors
      return make_mechanism(random, k, 0.3).make_matrix();
  }
}

TEST(Lemke, FindsTheOnlySolutionOfAPMatrix) {
  Random random(1);
  for (Index k = 1; k <= kMaxContacts; ++k) {
    int solved = 0;
    int pivoted = 0;
    while (solved < 300) {
      const MatC P = make_p_matrix(random, k);
      if (!(find_least_minor(P) > 1e-6)) continue;
      const VecC b = random.matrix(k, 1);
      const Enumerated enumerated = enumerate_bases(P, b);
      ASSERT_EQ(enumerated.solutions.size(), 1U) << "k = " << k;
      const LemkeResult result = solve(P, b);
      ASSERT_EQ(result.status, LemkeStatus::kSolved) << "k = " << k;
      expect_solves(P, b, result.f);
      EXPECT_TRUE(is_close(result.f, enumerated.solutions[0])) << result.f.transpose();
      EXPECT_EQ(result.pivots == 0, b.minCoeff() >= 0.0);
      ++solved;
      pivoted += result.pivots > 0 ? 1 : 0;
    }
    EXPECT_GT(pivoted, 100) << "k = " << k;
  }
}

struct Counts {
  int solved = 0, rays = 0, missed = 0, unsolvable = 0;
};

/// Compares one problem; counts rays beside which solutions exist, and problems without solution.
void compare(const MatC& P, const VecC& b, Counts& counts) {
  const Enumerated enumerated = enumerate_bases(P, b);
  if (enumerated.margin < 1e-6) return;  // decided by rounding: no second route can confirm it
  const LemkeResult result = solve(P, b);
  if (enumerated.solutions.empty()) ++counts.unsolvable;
  if (result.status == LemkeStatus::kSolved) {
    ++counts.solved;
    expect_solves(P, b, result.f);
    EXPECT_TRUE(contains(enumerated.solutions, result.f)) << result.f.transpose();
  } else {
    ASSERT_EQ(result.status, LemkeStatus::kRay);
    ++counts.rays;
    counts.missed += enumerated.solutions.empty() ? 0 : 1;
    EXPECT_EQ(result.f.size(), 0);
  }
}

TEST(Lemke, FindsOneOfTheSolutionsOrARayOfAnyMatrix) {
  Random random(2);
  Counts counts;
  for (int i = 0; i < 2000; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    const MatC P = random.matrix(k, k);
    const VecC b = random.matrix(k, 1);
    compare(P, b, counts);
  }
  EXPECT_GT(counts.solved, 200);
  EXPECT_GT(counts.rays, 200);
  EXPECT_GT(counts.missed, 50);  // a ray does not prove that there is no solution
  EXPECT_GT(counts.unsolvable, 50);
}

TEST(Lemke, FindsOneOfTheSolutionsOrARayBeyondTheParadox) {
  Random random(3);
  Counts counts;
  for (int i = 0; i < 2000; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    const MatC P = make_mechanism(random, k, 5.0).make_matrix();
    if (find_least_minor(P) > 0.0) continue;
    compare(P, random.matrix(k, 1), counts);
  }
  EXPECT_GT(counts.solved, 200);
  EXPECT_GT(counts.rays, 200);
  EXPECT_GT(counts.missed, 50);
  EXPECT_GT(counts.unsolvable, 50);
}

// P = A A^T is copositive-plus, where a ray is a proof: the linear program finds no f at all with
// f >= 0 and b + P f >= 0. Fewer columns than rows make P singular, so that both happen.
TEST(Lemke, ProvesByARayThatASemidefiniteMatrixHasNoSolution) {
  Random random(9);
  Counts counts;
  for (int i = 0; i < 3000; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    const auto entry = [&] { return random.integer(-1, 1); };
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(k, random.integer(1, 4), entry);
    const MatC P = A * A.transpose();
    const VecC b = VecC::NullaryExpr(k, entry);
    Eigen::MatrixXd sides(2 * k, k);
    sides << -P, -Eigen::MatrixXd::Identity(k, k);
    Eigen::VectorXd bounds = Eigen::VectorXd::Zero(2 * k);
    bounds.head(k) = b;
    const auto feasible = solve_linear_program(sides, bounds, Eigen::VectorXd::Zero(k)).status;
    const LemkeResult result = solve(P, b);
    if (feasible == LinearProgramStatus::kInfeasible) {
      ++counts.rays;
      EXPECT_EQ(result.status, LemkeStatus::kRay);
    } else {
      ++counts.solved;
      ASSERT_EQ(result.status, LemkeStatus::kSolved);
      expect_solves(P, b, result.f);
    }
  }
  EXPECT_GT(counts.solved, 200);
  EXPECT_GT(counts.rays, 200);
}

// Small integers: ties everywhere, and no rounding in the triangular problem, whose only solution
// follows by substitution from the last row up.
TEST(Lemke, GetsThroughDegenerateProblems) {
  Random random(4);
  for (int i = 0; i < 6000; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    MatC U = MatC::Identity(k, k);
    VecC f = VecC::Zero(k);
    VecC b(k);
    for (Index row = k - 1; row >= 0; --row) {
      for (Index col = row + 1; col < k; ++col) U(row, col) = random.integer(-2, 2);
      b[row] = random.integer(-1, 1);
      f[row] = std::max(0.0, -b[row] - U.row(row).tail(k - 1 - row).dot(f.tail(k - 1 - row)));
    }
    const LemkeResult result = solve(U, b);
    ASSERT_EQ(result.status, LemkeStatus::kSolved);
    EXPECT_TRUE(is_close(result.f, f)) << result.f.transpose() << " for " << f.transpose();
    // The same contacts in the opposite order.
    const LemkeResult reversed = solve(U.reverse(), b.reverse());
    ASSERT_EQ(reversed.status, LemkeStatus::kSolved);
    EXPECT_TRUE(is_close(reversed.f, f.reverse()));
  }
}

TEST(Lemke, DoesNotCycleOnAnyDegenerateMatrix) {
  Random random(5);
  Counts counts;
  for (int i = 0; i < 20000; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    const int span = random.integer(1, 3);
    const MatC P = MatC::NullaryExpr(k, k, [&] { return random.integer(-span, span); });
    const VecC b = VecC::NullaryExpr(k, [&] { return random.integer(-1, 1); });
    const LemkeResult result = solve(P, b);
    ASSERT_NE(result.status, LemkeStatus::kCycle);
    if (result.status == LemkeStatus::kSolved) expect_solves(P, b, result.f);
    counts.solved += result.status == LemkeStatus::kSolved ? 1 : 0;
    counts.rays += result.status == LemkeStatus::kRay ? 1 : 0;
  }
  EXPECT_GT(counts.solved, 1000);
  EXPECT_GT(counts.rays, 1000);
}

TEST(Lemke, LeavesContactsThatOpenAlone) {
  Random random(6);
  for (Index k = 0; k <= kMaxContacts; ++k) {
    const VecC b = random.matrix(k, 1).cwiseAbs();
    for (const VecC& right : {b, VecC(VecC::Zero(k))}) {
      const LemkeResult result = solve(random.matrix(k, k), right);
      EXPECT_EQ(result.status, LemkeStatus::kSolved);
      EXPECT_EQ(result.pivots, 0);
      EXPECT_EQ(result.f, VecC::Zero(k));
    }
  }
}

// docs/theory/contact-problem.md, one sliding contact: the four cases, and p = 0.
TEST(Lemke, KnowsTheFourCasesOfOneContact) {
  const LemkeResult slides = solve(2.0, -3.0);
  ASSERT_EQ(slides.status, LemkeStatus::kSolved);
  EXPECT_DOUBLE_EQ(slides.f[0], 1.5);
  EXPECT_EQ(slides.pivots, 2);

  const LemkeResult lifts_off = solve(2.0, 3.0);
  ASSERT_EQ(lifts_off.status, LemkeStatus::kSolved);
  EXPECT_EQ(lifts_off.f[0], 0.0);
  EXPECT_EQ(lifts_off.pivots, 0);

  // Indeterminate: f = 0 and f = 1.5. It finds the first and says nothing of the other.
  const LemkeResult indeterminate = solve(-2.0, 3.0);
  ASSERT_EQ(indeterminate.status, LemkeStatus::kSolved);
  EXPECT_EQ(indeterminate.f[0], 0.0);
  const Enumerated both = enumerate_bases(MatC::Constant(1, 1, -2.0), VecC::Constant(1, 3.0));
  ASSERT_EQ(both.solutions.size(), 2U);
  EXPECT_DOUBLE_EQ(both.solutions[1][0], 1.5);

  EXPECT_EQ(solve(-2.0, -3.0).status, LemkeStatus::kRay);
  EXPECT_EQ(solve(0.0, -3.0).status, LemkeStatus::kRay);
  EXPECT_EQ(solve(0.0, 0.0).status, LemkeStatus::kSolved);
}

TEST(Lemke, DoesNotDependOnUnits) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    const MatC P = random.matrix(k, k);
    const VecC b = random.matrix(k, 1);
    const LemkeResult result = solve(P, b);
    const LemkeResult scaled = solve(0x1p40 * P, 0x1p-30 * b);  // powers of 2: exact
    EXPECT_EQ(scaled.status, result.status);
    EXPECT_EQ(scaled.pivots, result.pivots);
    EXPECT_EQ(scaled.f, 0x1p-70 * result.f);
  }
}

TEST(Lemke, RefusesSizesThatDoNotMatch) {
  EXPECT_THROW((void)solve(MatC::Identity(2, 2), VecC::Ones(3)), std::invalid_argument);
}

/// All contacts of the mechanism closed and sliding, with given normal accelerations without force.
ContactProblem make_problem(const Mechanism& mechanism, const VecC& b) {
  const Index k = b.size();
  ContactProblem out;
  Eigen::MatrixXd W(mechanism.W_n.rows(), 2 * k);
  for (Index i = 0; i < k; ++i) {
    const double signed_mu = mechanism.signed_mu[i];
    const double mu = std::abs(signed_mu);
    out.closed.push_back({static_cast<int>(i), mu, mu, signed_mu > 0.0 ? 1 : -1, false});
    out.status.push_back(ContactStatus::kClosed);
    W.col(2 * i) = mechanism.W_n.col(i);
    W.col(2 * i + 1) = mechanism.W_t.col(i);
  }
  out.free_acceleration = VecQ::Zero(W.rows());
  out.M_inverse_W = mechanism.M_inverse * W;
  out.G = W.transpose() * out.M_inverse_W;
  out.a_free = Vec2C::Zero(2 * k);
  for (Index i = 0; i < k; ++i) out.a_free[2 * i] = b[i];
  out.a_scale = Vec2C::Ones(2 * k);
  out.lock_free.resize(0);
  out.lock_G.resize(0, 2 * k);
  return out;
}

/// One mechanism, both ways: true if the modes have exactly one solution.
bool compare_with_modes(const Mechanism& mechanism, const VecC& b, Counts& counts) {
  const Index k = b.size();
  const std::vector<std::string> names(static_cast<std::size_t>(k), "contact");
  const ModeSolutions modes =
      find_consistent_modes(make_problem(mechanism, b), names, Tolerances{});
  const LemkeResult result = solve(mechanism.make_matrix(), b);
  if (result.status != LemkeStatus::kSolved) {
    EXPECT_EQ(result.status, LemkeStatus::kRay);
    ++counts.rays;
    return modes.solutions.size() == 1;
  }
  ++counts.solved;
  ModeWord word(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) {
    if (result.f[i] <= 0.0) continue;
    const bool forward = mechanism.signed_mu[i] > 0.0;
    word.set(static_cast<std::size_t>(i),
             forward ? ContactMode::kSlipPlus : ContactMode::kSlipMinus);
  }
  const auto found =
      std::find_if(modes.solutions.begin(), modes.solutions.end(),
                   [&](const ModeSolution& solution) { return solution.modes == word; });
  if (found == modes.solutions.end()) {
    ADD_FAILURE() << to_letters(word) << " is not among the modes";
  } else {
    EXPECT_TRUE(is_close(found->force_n, result.f)) << to_letters(word);
  }
  return modes.solutions.size() == 1;
}

TEST(Lemke, AgreesWithTheModesOfSlidingContacts) {
  Random random(8);
  Counts little_friction;
  Counts much_friction;
  int p_matrices = 0;
  for (int i = 0; i < 400; ++i) {
    const Index k = random.integer(1, kMaxContacts);
    const VecC b = random.matrix(k, 1);
    const Mechanism tame = make_mechanism(random, k, 0.3);
    const bool unique = compare_with_modes(tame, b, little_friction);
    if (find_least_minor(tame.make_matrix()) > 1e-6) {
      ++p_matrices;
      EXPECT_TRUE(unique);
    }
    (void)compare_with_modes(make_mechanism(random, k, 5.0), b, much_friction);
  }
  EXPECT_GT(p_matrices, 100);
  EXPECT_GE(little_friction.solved, p_matrices);
  EXPECT_GT(much_friction.solved, 50);
  EXPECT_GT(much_friction.rays, 50);
}

}  // namespace
}  // namespace slipstick
