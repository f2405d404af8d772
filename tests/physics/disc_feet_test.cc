/// Disc feet: the table of docs/theory/disc-feet.md against the tool, and the tool against closed
/// forms of the wheel and of the biped's mass matrix ([Or2014] eq. 35), written out here.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "angles.h"
#include "slipstick/critical_friction.h"
#include "slipstick/model/model.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

using testkit::kPi;

LoadedModel read(const char* model, const std::vector<Override>& overrides) {
  return read_model(model, overrides);
}

ParadoxProblem make_disc_problem(const LoadedModel& loaded) {
  return make_paradox_problem(*loaded.model, loaded.initial, loaded.closings, SlipDirection::kPlus,
                              {});
}

CriticalFriction find_critical_disc(const LoadedModel& loaded,
                                    std::vector<CoordinateRange> over = {}) {
  CriticalFriction out = *find_critical_friction(make_disc_problem(loaded), over);
  out.scale *= loaded.model->contacts[0].mu;
  return out;
}

CriticalFriction find_wheel(double kappa, double radius) {
  return find_critical_disc(read("rimless-wheel", {{"kappa", std::to_string(kappa)},
                                                   {"foot_radius", std::to_string(radius)}}));
}

/// `part` of the leg's length 2 l = 1.6 m; the foot touches with its lower half.
CriticalFriction find_biped(double part) {
  return find_critical_disc(read("compass-biped", {{"foot_radius", std::to_string(1.6 * part)}}),
                            {{0, -kPi / 2.0, kPi / 2.0}});
}

/// p of the wheel times kappa m for forward slip at a backward angle of this size, l = 1.
double eval_wheel_p(double kappa, double radius, double mu, double angle) {
  const double c = 1.0 - radius;
  const double n = c * std::sin(angle);
  return kappa + n * n - mu * n * (c * std::cos(angle) + radius);
}

/// Least mu_P of the wheel: the only positive root C = cos(theta) of the cubic.
double eval_wheel_mu_min(double kappa, double radius) {
  const double c = 1.0 - radius;
  const auto cubic = [&](double C) {
    return ((c * c * radius * C + c * (2.0 * kappa + c * c)) * C - radius * (c * c - kappa)) * C -
           c * (kappa + c * c);
  };
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (cubic(middle) < 0.0 ? low : high) = middle;
  }
  const double n = c * std::sqrt(1.0 - low * low);
  return (kappa + n * n) / (n * (c * low + radius));
}

TEST(DiscFeet, WheelAgainstTheCubic) {
  for (const double kappa : {0.001, 0.02, 0.1, 1.0 / 3.0, 1.0}) {
    for (const double radius : {0.0, 0.05, 0.3, 0.6, 0.85, 0.95}) {
      const std::string number = std::to_string(kappa);
      EXPECT_NEAR(find_wheel(kappa, radius).scale, eval_wheel_mu_min(std::stod(number), radius),
                  1e-9)
          << kappa << " " << radius;
    }
  }
}

/// To first order mu_min grows by the factor 1 + (w^2 - w) r/l with w^2 = (1 + 2 kappa)/(1 +
/// kappa).
TEST(DiscFeet, WheelWithSmallFeet) {
  for (const double kappa : {0.02, 0.2}) {
    const double w = std::sqrt((1.0 + 2.0 * kappa) / (1.0 + kappa));
    constexpr double kSmall = 1e-3;
    const double slope = (eval_wheel_mu_min(kappa, kSmall) - eval_wheel_mu_min(kappa, 0.0)) /
                         (kSmall * eval_wheel_mu_min(kappa, 0.0));
    EXPECT_NEAR(slope, w * w - w, 2.0 * kSmall);
  }
}

/// The near end of the wheel's window at mu = 0.35 leaves the angles of a gait, pi/n, at 0.763 l.
TEST(DiscFeet, LargeFeetProtectTheGait) {
  EXPECT_LT(eval_wheel_p(0.02, 0.762, 0.35, kPi / 10.0), 0.0);
  EXPECT_GT(eval_wheel_p(0.02, 0.763, 0.35, kPi / 10.0), 0.0);
}

/// mu_P of the biped's disc foot from M.
double eval_biped_mu(double theta1, double theta2, double radius) {
  const double l = 0.8;
  const double m = 4.0;
  const double mh = 2.0;
  const double arm = (3.0 * m + 2.0 * mh) * l;
  Eigen::Matrix4d M;
  M << (5.0 * m + 4.0 * mh) * l * l, 2.0 * m * l * l * std::cos(theta1 + theta2),
      arm * std::cos(theta1), -arm * std::sin(theta1),                                   //
      2.0 * m * l * l * std::cos(theta1 + theta2), m * l * l, m * l * std::cos(theta2),  //
      m * l * std::sin(theta2),                                                          //
      arm * std::cos(theta1), m * l * std::cos(theta2), 2.0 * m + mh, 0.0,               //
      -arm * std::sin(theta1), m * l * std::sin(theta2), 0.0, 2.0 * m + mh;
  const Eigen::Vector4d W_n(-radius * std::sin(theta1), 0.0, 0.0, 1.0);
  const Eigen::Vector4d W_t(radius * std::cos(theta1) - radius, 0.0, 1.0, 0.0);
  const Eigen::Vector4d response = M.inverse() * W_n;
  return response.dot(W_n) / std::abs(response.dot(W_t));
}

/// The tool's minimum has the value of the closed form there, and no point of a grid lies below.
TEST(DiscFeet, BipedAgainstTheMassMatrix) {
  for (const double part : {0.0, 0.2, 0.5}) {
    const CriticalFriction critical = find_biped(part);
    EXPECT_NEAR(critical.scale, eval_biped_mu(critical.at[0], critical.at[1], 1.6 * part), 1e-9);
    for (int i = 0; i < 91; ++i) {
      for (int j = 0; j < 91; ++j) {
        const double mu = eval_biped_mu(-kPi / 2.0 + kPi * i / 90.0 + 1e-3,
                                        -kPi / 2.0 + kPi * j / 90.0 + 2e-3, 1.6 * part);
        EXPECT_GT(mu, critical.scale - 1e-12);
      }
    }
  }
}

/// The rows of the page's table, as numbers.
std::vector<std::vector<double>> read_table() {
  std::ifstream file(std::string(SLIPSTICK_SOURCE_DIR) + "/docs/theory/disc-feet.md");
  std::vector<std::vector<double>> out;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| 0")) continue;
    std::vector<double> row;
    std::istringstream cells(line.substr(1));
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(std::stod(cell));
    out.push_back(row);
  }
  return out;
}

/// Columns: radius, wheel mu_min and theta, window at mu = 0.35 (two), spokes mu_min, biped mu_min,
/// theta1, theta2. All to the printed digits.
TEST(DiscFeet, TableOfThePage) {
  const auto table = read_table();
  ASSERT_EQ(table.size(), 7U);
  for (const std::vector<double>& row : table) {
    ASSERT_EQ(row.size(), 9U);
    const CriticalFriction wheel = find_wheel(0.02, row[0]);
    EXPECT_NEAR(wheel.scale, row[1], 5.1e-7);
    EXPECT_NEAR(std::abs(wheel.at[2]), row[2], 5.1e-5);
    const LoadedModel loaded =
        read("rimless-wheel", {{"foot_radius", std::to_string(row[0])}, {"mu", "0.35"}});
    const auto along = find_paradox_along(make_disc_problem(loaded), {2, -1.5, 0.0}).intervals;
    ASSERT_EQ(along.size(), 1U);
    EXPECT_NEAR(along[0].low, row[3], 5.1e-5);
    EXPECT_NEAR(along[0].high, row[4], 5.1e-5);
    for (const double end : {along[0].low, along[0].high}) {
      EXPECT_NEAR(eval_wheel_p(0.02, row[0], 0.35, -end), 0.0, 1e-12);
    }
    EXPECT_NEAR(eval_wheel_mu_min(1.0 / 3.0, row[0]), row[5], 5.1e-7);
    const CriticalFriction biped = find_biped(row[0]);
    EXPECT_NEAR(biped.scale, row[6], 5.1e-7);
    EXPECT_NEAR(std::abs(biped.at[0]), row[7], 5.1e-5);
    EXPECT_NEAR(std::abs(std::remainder(biped.at[1], kPi)), row[8], 5.1e-5);
  }
}

}  // namespace
}  // namespace slipstick
