/// The simplex method against programs solved by hand, and against all vertices of random ones.

#include "slipstick/core/linear_program.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

namespace slipstick {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd make_vector(const std::vector<double>& values) {
  return VectorXd::Map(values.data(), static_cast<Index>(values.size()));
}

/// Rows a_i . x <= b_i from {a_i..., b_i}.
struct Program {
  MatrixXd A;
  VectorXd b;

  explicit Program(const std::vector<std::vector<double>>& rows)
      : A(rows.size(), rows.front().size() - 1), b(rows.size()) {
    for (Index i = 0; i < A.rows(); ++i) {
      const VectorXd row = make_vector(rows[static_cast<std::size_t>(i)]);
      A.row(i) = row.head(A.cols()).transpose();
      b[i] = row[A.cols()];
    }
  }
  [[nodiscard]] LinearProgramResult maximise(const std::vector<double>& c) const {
    return solve_linear_program(A, b, make_vector(c));
  }
};

// Maximise 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18, x, y >= 0. The corner y = 6, 3x = 6 has both
// gradients (0, 2) and (3, 2) with multipliers 1.5 and 1, so it is the optimum: 3*2 + 5*6 = 36.
TEST(LinearProgram, finds_a_corner_solved_by_hand) {
  const Program program({{1, 0, 4}, {0, 2, 12}, {3, 2, 18}, {-1, 0, 0}, {0, -1, 0}});
  const auto result = program.maximise({3, 5});
  ASSERT_EQ(result.status, LinearProgramStatus::kOptimal);
  EXPECT_NEAR(result.value, 36.0, 1e-12);
  EXPECT_NEAR(result.x[0], 2.0, 1e-12);
  EXPECT_NEAR(result.x[1], 6.0, 1e-12);
}

// Maximise -x - y over x + y >= 3, x >= -1, y <= 2: the whole edge x + y = 3 attains -3. Unknowns
// may be negative: over -5 <= x <= -2 the greatest x is -2 and the least -5.
TEST(LinearProgram, takes_unknowns_of_any_sign) {
  const Program edge({{-1, -1, -3}, {-1, 0, 1}, {0, 1, 2}});
  const auto result = edge.maximise({-1, -1});
  ASSERT_EQ(result.status, LinearProgramStatus::kOptimal);
  EXPECT_NEAR(result.value, -3.0, 1e-12);
  EXPECT_NEAR(result.x.sum(), 3.0, 1e-12);

  const Program interval({{1, -2}, {-1, 5}});
  EXPECT_NEAR(interval.maximise({1}).value, -2.0, 1e-12);
  EXPECT_NEAR(interval.maximise({-1}).value, 5.0, 1e-12);
}

// x >= 1 and x <= 0; three half-planes that leave no common point: x >= 0, y >= 0, x + y <= -1.
TEST(LinearProgram, tells_that_nothing_is_feasible) {
  EXPECT_EQ(Program({{-1, -1}, {1, 0}}).maximise({1}).status, LinearProgramStatus::kInfeasible);
  EXPECT_EQ(Program({{-1, 0, 0}, {0, -1, 0}, {1, 1, -1}}).maximise({1, 2}).status,
            LinearProgramStatus::kInfeasible);
  // Infeasible by 1e-6 only, with rows of order 1.
  EXPECT_EQ(Program({{1, 0, 1}, {-1, 0, -1 - 1e-6}, {0, 1, 1}}).maximise({0, 1}).status,
            LinearProgramStatus::kInfeasible);
}

// The quadrant x, y >= 0 is unbounded along (1, 1) but not along (-1, -1); a line is unbounded both
// ways; without any row everything but c = 0 is unbounded.
TEST(LinearProgram, tells_that_the_objective_is_unbounded) {
  const Program quadrant({{-1, 0, 0}, {0, -1, 0}});
  EXPECT_EQ(quadrant.maximise({1, 1}).status, LinearProgramStatus::kUnbounded);
  EXPECT_EQ(quadrant.maximise({-1, 1}).status, LinearProgramStatus::kUnbounded);
  ASSERT_EQ(quadrant.maximise({-1, -1}).status, LinearProgramStatus::kOptimal);
  EXPECT_NEAR(quadrant.maximise({-1, -1}).value, 0.0, 1e-12);

  const Program line({{1, 1, 1}, {-1, -1, -1}});
  EXPECT_EQ(line.maximise({1, -1}).status, LinearProgramStatus::kUnbounded);
  EXPECT_EQ(line.maximise({-1, 1}).status, LinearProgramStatus::kUnbounded);
  EXPECT_NEAR(line.maximise({2, 2}).value, 2.0, 1e-12);

  const MatrixXd none(0, 2);
  EXPECT_EQ(solve_linear_program(none, VectorXd(0), make_vector({1, 0})).status,
            LinearProgramStatus::kUnbounded);
  EXPECT_EQ(solve_linear_program(none, VectorXd(0), make_vector({0, 0})).status,
            LinearProgramStatus::kOptimal);
}

// Twelve half-planes through the one point (1, 2), which is therefore the optimum of every c inside
// their gradients' cone: c = (1, 1) is, as the gradients go all around. A point given by two
// equations, each twice: the only feasible x.
TEST(LinearProgram, solves_degenerate_programs) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 12; ++i) {
    const double angle = std::numbers::pi * i / 6.0;
    const double x = std::cos(angle);
    const double y = std::sin(angle);
    rows.push_back({x, y, x * 1.0 + y * 2.0});
  }
  const auto fan = Program(rows).maximise({1, 1});
  ASSERT_EQ(fan.status, LinearProgramStatus::kOptimal);
  EXPECT_NEAR(fan.value, 3.0, 1e-9);

  const Program point({{1, 1, 3}, {-1, -1, -3}, {1, -1, -1}, {-1, 1, 1}, {2, 2, 6}, {-2, -2, -6}});
  const auto result = point.maximise({5, -7});
  ASSERT_EQ(result.status, LinearProgramStatus::kOptimal);
  EXPECT_NEAR(result.x[0], 1.0, 1e-12);  // x + y = 3, x - y = -1
  EXPECT_NEAR(result.x[1], 2.0, 1e-12);
}

// Beale's program, on which the simplex method with the largest coefficient cycles forever. In the
// form max 3/4 x1 - 150 x2 + 1/50 x3 - 6 x4 its optimum is 1/20 at (1/25, 0, 1, 0): there the
// second row (1/2*1/25 - 1/50 = 0) and x3 <= 1 hold with equality.
TEST(LinearProgram, does_not_cycle_on_beales_program) {
  const Program program({{0.25, -60, -1.0 / 25, 9, 0},
                         {0.5, -90, -1.0 / 50, 3, 0},
                         {0, 0, 1, 0, 1},
                         {-1, 0, 0, 0, 0},
                         {0, -1, 0, 0, 0},
                         {0, 0, -1, 0, 0},
                         {0, 0, 0, -1, 0}});
  const auto result = program.maximise({0.75, -150, 0.02, -6});
  ASSERT_EQ(result.status, LinearProgramStatus::kOptimal);
  EXPECT_NEAR(result.value, 0.05, 1e-12);
}

/// The greatest c . x over all vertices; nothing if there is none.
class VertexSearch {
 public:
  VertexSearch(const MatrixXd& A, const VectorXd& b) : A_(A), b_(b) { search(0); }

  [[nodiscard]] std::optional<double> find_greatest(const VectorXd& c) const {
    std::optional<double> greatest;
    for (const VectorXd& x : vertices_) greatest = std::max(greatest.value_or(c.dot(x)), c.dot(x));
    return greatest;
  }

 private:
  void search(Index from) {
    if (static_cast<Index>(rows_.size()) == A_.cols()) {
      const MatrixXd A = A_(rows_, Eigen::all);
      const Eigen::FullPivLU<MatrixXd> lu(A);
      if (!lu.isInvertible()) return;
      const VectorXd x = lu.solve(VectorXd(b_(rows_)));
      if ((A_ * x - b_).maxCoeff() <= 1e-9 * (1.0 + x.cwiseAbs().maxCoeff()))
        vertices_.push_back(x);
      return;
    }
    for (Index i = from; i < A_.rows(); ++i) {
      rows_.push_back(i);
      search(i + 1);
      rows_.pop_back();
    }
  }

  const MatrixXd& A_;
  const VectorXd& b_;
  std::vector<Index> rows_;
  std::vector<VectorXd> vertices_;
};

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : random_(seed) {}
  double draw(double least, double greatest) {
    return least + (greatest - least) * static_cast<double>(random_() >> 11U) * 0x1.0p-53;
  }
  /// Small integers, so that many rows meet in one point.
  double draw_integer(int least, int greatest) { return std::floor(draw(least, greatest + 1)); }

 private:
  std::mt19937_64 random_;
};

// A bounded program (a box is part of it) is feasible if and only if it has a vertex, and then one
// of its vertices is optimal: the second method is to look at all of them.
TEST(LinearProgram, agrees_with_all_vertices_of_random_programs) {
  RandomNumbers random(20240501);
  int feasible = 0;
  int infeasible = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const auto n = static_cast<Index>(random.draw_integer(1, 4));
    const auto extra = static_cast<Index>(random.draw_integer(1, 5));
    const bool degenerate = trial % 2 == 1;
    const auto number = [&] {
      return degenerate ? random.draw_integer(-2, 2) : random.draw(-1.0, 1.0);
    };
    MatrixXd A = MatrixXd::Zero(2 * n + extra, n);
    VectorXd b(A.rows());
    for (Index i = 0; i < n; ++i) {
      A(2 * i, i) = 1.0;
      A(2 * i + 1, i) = -1.0;
      b[2 * i] = b[2 * i + 1] = 2.0;
    }
    for (Index i = 2 * n; i < A.rows(); ++i) {
      for (Index j = 0; j < n; ++j) A(i, j) = number();
      b[i] = number();
    }
    VectorXd c(n);
    for (Index j = 0; j < n; ++j) c[j] = number();

    const std::optional<double> expected = VertexSearch(A, b).find_greatest(c);
    const LinearProgramResult result = solve_linear_program(A, b, c);
    if (!expected) {
      ++infeasible;
      ASSERT_EQ(result.status, LinearProgramStatus::kInfeasible) << "trial " << trial;
      continue;
    }
    ++feasible;
    ASSERT_EQ(result.status, LinearProgramStatus::kOptimal) << "trial " << trial;
    ASSERT_NEAR(result.value, *expected, 1e-9) << "trial " << trial;
    ASSERT_NEAR(c.dot(result.x), result.value, 1e-12) << "trial " << trial;
    ASSERT_LE((A * result.x - b).maxCoeff(), 1e-9) << "trial " << trial;
  }
  EXPECT_GT(feasible, 1000);
  EXPECT_GT(infeasible, 300);
}

/// Models with numbers near the end of the range of doubles lead here; the method must still end.
TEST(LinearProgram, EndsWhereNumbersAreNone) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e308}) {
    MatrixXd A(3, 2);
    A << bad, -1.0, -bad, 1.0, 1.0, bad;
    const VectorXd b = VectorXd::Constant(3, -bad);
    const LinearProgramResult result = solve_linear_program(A, b, VectorXd::Ones(2));
    EXPECT_NE(result.status, LinearProgramStatus::kOptimal);
  }
}

}  // namespace
}  // namespace slipstick
