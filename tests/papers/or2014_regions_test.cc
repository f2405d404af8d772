/// Region maps of [Or2014]: Fig. 3.2(a), the wheel in the plane (theta, theta_dot), and Fig. 4.2(a,
/// e, f), the biped in the plane (theta1, theta2). The figures' curves are given by closed forms
/// (paper, corrected in docs/errata.md; docs/theory/paradox.md), which are written out again here;
/// case numbers, printed angles and thresholds are the paper's.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "angles.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

using testkit::kPi;

/// A range of a map's axis, named by coordinate or rate.
struct Axis {
  std::string name;
  double low, high;
};

/// The map for forward slip (sigma = +1), as in the paper.
ParadoxMap find_map(const std::string& model, const std::vector<Override>& overrides,
                    const Axis& first, const Axis& second, int count) {
  const LoadedModel loaded = read_model(model, overrides);
  const auto make_axis = [&](const Axis& axis) {
    const bool is_rate = axis.name.ends_with("_dot");
    const std::string name = is_rate ? axis.name.substr(0, axis.name.size() - 4) : axis.name;
    return MapAxis{loaded.model->find_coordinate(name), is_rate, axis.low, axis.high, count};
  };
  const ParadoxProblem problem = make_paradox_problem(*loaded.model, loaded.initial,
                                                      loaded.closings, SlipDirection::kPlus, {});
  return find_paradox_map(problem, make_axis(first), make_axis(second));
}

double grid_value(const Axis& axis, std::size_t index, int count) {
  return axis.low + (axis.high - axis.low) * static_cast<double>(index) / (count - 1);
}

/// Number of connected pieces of a case, joined across edges of pixels.
int count_pieces(std::vector<std::vector<int>> regions, int which) {
  const auto rows = regions.size();
  const auto columns = regions.front().size();
  int pieces = 0;
  for (std::size_t j = 0; j < rows; ++j) {
    for (std::size_t i = 0; i < columns; ++i) {
      if (regions[j][i] != which) continue;
      ++pieces;
      std::vector<std::pair<std::size_t, std::size_t>> waiting{{j, i}};
      while (!waiting.empty()) {
        const auto [y, x] = waiting.back();
        waiting.pop_back();
        if (regions[y][x] != which) continue;
        regions[y][x] = -1;
        if (y > 0) waiting.emplace_back(y - 1, x);
        if (x > 0) waiting.emplace_back(y, x - 1);
        if (y + 1 < rows) waiting.emplace_back(y + 1, x);
        if (x + 1 < columns) waiting.emplace_back(y, x + 1);
      }
    }
  }
  return pieces;
}

long count_pixels(const ParadoxMap& map, int which) {
  long out = 0;
  for (const auto& row : map.regions) out += std::count(row.begin(), row.end(), which);
  return out;
}

// --- Fig. 3.2(a): the wheel, kappa = 0.02, alpha = 10 deg, n = 10, mu = 0.35 ---

constexpr double kKappa = 0.02;
constexpr double kSlope = 10.0 * kPi / 180.0;
const Axis kTheta{"theta", -kPi / 10.0, kPi / 10.0};
const Axis kRate{"theta_dot", -1.4, 1.4};

/// Corrected eq. (34): the ends of the window of p < 0.
double eval_window_end(double sign) {
  const double half = 0.5 * std::acos((1.0 + 2.0 * kKappa) / std::sqrt(1.0 + 0.35 * 0.35));
  return -0.5 * std::atan(0.35) + sign * half;
}

/// Eq. (31), A = 0: the rate at which b vanishes, with g = 1 + kappa and l = 1.
double eval_critical_rate(double theta) {
  return std::sqrt((1.0 + kKappa) * std::cos(kSlope) / std::cos(theta));
}

/// Case at one state of the wheel.
int find_wheel_case(double theta, double rate) {
  const Axis x{"theta", theta, theta + 1e-9};
  const Axis y{"theta_dot", rate, rate + 1e-9};
  return find_map("rimless-wheel", {}, x, y, 2).regions[0][0];
}

/// The window, a vertical strip, and the two curves b = 0 cut the plane into R4 in the middle, R3
/// above and below it, R1 on both sides, and R2 in the four corners.
TEST(Or2014Wheel, RegionsOfFigure32a) {
  const ParadoxMap map = find_map("rimless-wheel", {}, kTheta, kRate, 81);
  EXPECT_EQ(count_pieces(map.regions, 4), 1);
  EXPECT_EQ(count_pieces(map.regions, 3), 2);
  EXPECT_EQ(count_pieces(map.regions, 1), 2);
  EXPECT_EQ(count_pieces(map.regions, 2), 4);
  EXPECT_EQ(count_pixels(map, 0), 0);
}

TEST(Or2014Wheel, CurvesOfFigure32a) {
  const ParadoxMap map = find_map("rimless-wheel", {}, kTheta, kRate, 41);
  std::vector<double> lines;
  int b_curves = 0;
  for (const Boundary& boundary : map.boundaries) {
    if (boundary.what == "p = 0") {
      lines.push_back(boundary.points.front().x());
      for (const Vec2& point : boundary.points) EXPECT_NEAR(point.x(), lines.back(), 1e-11);
    } else {
      ++b_curves;
      for (const Vec2& point : boundary.points) {
        EXPECT_NEAR(std::abs(point.y()), eval_critical_rate(point.x()), 1e-10);
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NEAR(lines[0], eval_window_end(-1.0), 1e-11);
  EXPECT_NEAR(lines[1], eval_window_end(1.0), 1e-11);
  EXPECT_NEAR(lines[0], -0.2644, 5e-5);  // as printed
  EXPECT_NEAR(lines[1], -0.0723, 5e-5);
  EXPECT_EQ(b_curves, 2);
}

/// All four regions meet at p_1, where A = B = 0.
TEST(Or2014Wheel, RegionsMeetAtP1) {
  const double theta = eval_window_end(-1.0);
  const double rate = eval_critical_rate(theta);
  constexpr double kNear = 1e-6;
  EXPECT_EQ(find_wheel_case(theta - kNear, rate - kNear), 1);
  EXPECT_EQ(find_wheel_case(theta - kNear, rate + kNear), 2);
  EXPECT_EQ(find_wheel_case(theta + kNear, rate + kNear), 3);
  EXPECT_EQ(find_wheel_case(theta + kNear, rate - kNear), 4);
}

/// The periodic solution with sticking runs through R4 inside the window and through R1 elsewhere.
/// Its rate follows from energy: theta'' = sin(theta + alpha) in the model's time unit; just after
/// impact theta' = 0.646326425671 (the fixed point of eq. 27).
TEST(Or2014Wheel, GaitRunsThroughTheInconsistentRegion) {
  const double start = 0.646326425671;
  for (const double theta : {-0.31, -0.3, -0.27, -0.26, -0.15, -0.08, -0.07, 0.0, 0.2, 0.31}) {
    const double square =
        start * start + 2.0 * (std::cos(-kPi / 10.0 + kSlope) - std::cos(theta + kSlope));
    const bool inside = theta > eval_window_end(-1.0) && theta < eval_window_end(1.0);
    EXPECT_EQ(find_wheel_case(theta, std::sqrt(square)), inside ? 4 : 1) << theta;
  }
  EXPECT_EQ(find_wheel_case(-0.3, 0.643), 1);  // where the jamming motion of the figure starts
}

// --- Fig. 4.2: the biped, l = 0.8, m = 4, m_h = 2 ---

const Axis kTheta1{"theta1", -kPi / 2.0, kPi / 2.0};
const Axis kTheta2{"theta2", -kPi / 2.0, kPi / 2.0};
constexpr int kCount = 61;

/// p of the stance foot for forward slip up to a positive factor, from the effective mass at the
/// foot in units m = l = 1, j = I_c/(m l^2), r = m_h/m = 1/2.
double eval_biped_p(double theta1, double theta2, double mu, double j) {
  const double r = 0.5;
  Eigen::Matrix2d inner;
  const double coupling = 2.0 * std::cos(theta1 + theta2);
  inner << j + 5.0 + 4.0 * r, coupling, coupling, j + 1.0;
  Eigen::Matrix2d arms;
  arms << (3.0 + 2.0 * r) * std::cos(theta1), std::cos(theta2), -(3.0 + 2.0 * r) * std::sin(theta1),
      std::sin(theta2);
  const Eigen::Matrix2d mass =
      (2.0 + r) * Eigen::Matrix2d::Identity() - arms * inner.inverse() * arms.transpose();
  const Eigen::Matrix2d mobility = mass.inverse();  // (x, y) is (t, n)
  return mobility(1, 1) - mu * mobility(1, 0);
}

/// The plane of the figures, at rest: b < 0 everywhere, so p < 0 is case 4 and the rest case 1.
ParadoxMap find_biped_map(double mu, double gyration, const Axis& theta1 = kTheta1,
                          const Axis& theta2 = kTheta2) {
  return find_map("compass-biped",
                  {{"mu", std::to_string(mu)},
                   {"Ic", "m*(" + std::to_string(gyration) + ")^2"},
                   {"theta1_dot", "0"},
                   {"theta2_dot", "0"}},
                  theta1, theta2, kCount);
}

bool contains(const ParadoxMap& outer, const ParadoxMap& inner) {
  for (std::size_t j = 0; j < outer.regions.size(); ++j) {
    for (std::size_t i = 0; i < outer.regions[j].size(); ++i) {
      if (inner.regions[j][i] == 4 && outer.regions[j][i] != 4) return false;
    }
  }
  return true;
}

TEST(Or2014Biped, RegionOfFigure42a) {
  const ParadoxMap map = find_biped_map(0.7, 0.0);
  for (std::size_t j = 0; j < kCount; ++j) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const double p =
          eval_biped_p(grid_value(kTheta1, i, kCount), grid_value(kTheta2, j, kCount), 0.7, 0.0);
      EXPECT_EQ(map.regions[j][i], p < 0.0 ? 4 : 1);
    }
  }
  EXPECT_EQ(count_pieces(map.regions, 4), 1);
  EXPECT_EQ(count_pieces(map.regions, 1), 1);
}

/// Its border is one closed curve. It reaches as far from legs in line, phi = theta1 + theta2 = 0,
/// as the best orientation of a shape allows: (12 - 4 X)/sqrt(81 - 32 X) = sqrt(1 + mu^2), X =
/// cos^2 phi (docs/theory/paradox.md with j = 0, r = 1/2).
TEST(Or2014Biped, BorderOfFigure42a) {
  const ParadoxMap map = find_biped_map(0.7, 0.0);
  std::vector<Boundary> borders;
  std::copy_if(map.boundaries.begin(), map.boundaries.end(), std::back_inserter(borders),
               [](const Boundary& boundary) { return boundary.what == "p = 0"; });
  ASSERT_EQ(borders.size(), 1U);
  const std::vector<Vec2>& points = borders[0].points;
  EXPECT_EQ(points.front(), points.back());
  // 16 X^2 - 96 X + 144 = (1 + mu^2)(81 - 32 X), the root in [0, 1].
  const double c = 1.0 + 0.7 * 0.7;
  const double half = (96.0 - 32.0 * c) / 32.0;
  const double X = half - std::sqrt(half * half - (144.0 - 81.0 * c) / 16.0);
  const double widest = std::acos(std::sqrt(X));
  double reached = 0.0;
  for (const Vec2& point : points) {
    EXPECT_NEAR(eval_biped_p(point.x(), point.y(), 0.7, 0.0), 0.0, 1e-9);
    reached = std::max(reached, std::abs(point.x() + point.y()));
  }
  EXPECT_LE(reached, widest + 1e-9);
  EXPECT_GT(reached, widest - kPi / kCount);  // a pixel
}

/// The gait starts inside (case 4: A > 0 along all of it) and ends outside; S1 and S2 start
/// outside, to the left.
TEST(Or2014Biped, StatesOfFigure42) {
  const auto find_case = [](double theta1, double theta2, const char* rate1, const char* rate2) {
    return find_map("compass-biped", {{"theta1_dot", rate1}, {"theta2_dot", rate2}},
                    {"theta1", theta1, theta1 + 1e-9}, {"theta2", theta2, theta2 + 1e-9}, 2)
        .regions[0][0];
  };
  EXPECT_EQ(find_case(-0.148, -0.148, "0.733", "-0.501"), 4);
  EXPECT_EQ(find_case(0.148, 0.148, "0.733", "-0.501"), 1);
  EXPECT_EQ(find_case(-0.2953, -0.5247, "0", "0"), 1);
  EXPECT_EQ(find_case(-0.5461, 0.6860, "0", "0"), 1);
}

/// Small maps around the last point of the region, legs in line at half the friction angle.
bool exists_near_the_end(double mu, double gyration) {
  const double theta = 0.5 * std::atan(mu);
  const ParadoxMap map = find_biped_map(mu, gyration, {"theta1", -theta - 0.03, -theta + 0.03},
                                        {"theta2", theta - 0.03, theta + 0.03});
  return count_pixels(map, 4) > 0;
}

struct BipedData {
  double mu, gyration;
};

/// Each region lies within the one before, is smaller, and in one piece.
void expect_shrinking(const std::vector<BipedData>& data) {
  ParadoxMap larger = find_biped_map(0.8, 0.0);
  for (const BipedData& at : data) {
    SCOPED_TRACE(::testing::Message() << at.mu << " " << at.gyration);
    ParadoxMap smaller = find_biped_map(at.mu, at.gyration);
    EXPECT_TRUE(contains(larger, smaller));
    EXPECT_LT(count_pixels(smaller, 4), count_pixels(larger, 4));
    EXPECT_EQ(count_pieces(smaller.regions, 4), 1);
    larger = std::move(smaller);
  }
}

TEST(Or2014Biped, RegionShrinksWithFriction) {
  expect_shrinking({{0.75, 0.0}, {0.7, 0.0}, {0.65, 0.0}, {0.6, 0.0}});
  EXPECT_EQ(count_pixels(find_biped_map(0.5532, 0.0), 4), 0);
  EXPECT_FALSE(exists_near_the_end(0.5532, 0.0));  // printed: vanishes at 0.5533
  EXPECT_TRUE(exists_near_the_end(0.5534, 0.0));
}

TEST(Or2014Biped, RegionShrinksWithTheRadiusOfGyration) {
  expect_shrinking({{0.8, 0.1}, {0.8, 0.2}, {0.8, 0.3}, {0.8, 0.4}});
  EXPECT_EQ(count_pixels(find_biped_map(0.8, 0.4618), 4), 0);
  EXPECT_FALSE(exists_near_the_end(0.8, 0.4618));  // printed: vanishes at 0.4617
  EXPECT_TRUE(exists_near_the_end(0.8, 0.4616));
}

}  // namespace
}  // namespace slipstick
