#pragma once

/// The data of a body as functions of parameters, fast enough for millions of points.

#include <span>
#include <vector>

#include "slipstick/analysis/stability/box.h"

namespace slipstick {

/// Interpolates the body between Chebyshev points of a box with one or two axes. Lengths, masses
/// and directions are usually analytic in a model's parameters, so that a few points give them to
/// rounding. This is checked; where it does not hold, every body is made from its model.
class BodyFamily {
 public:
  BodyFamily(MakeBody make_body, std::span<const Interval> box);

  [[nodiscard]] bool is_interpolated() const { return points_ > 0; }
  [[nodiscard]] TwoContactBody make(std::span<const double> values) const;

 private:
  static constexpr int kNumbers = 15;  ///< that a body is made of
  using Numbers = Eigen::Matrix<double, kNumbers, 1>;

  static Numbers list_numbers(const TwoContactBody& body);
  [[nodiscard]] TwoContactBody interpolate(std::span<const double> values) const;
  void sample(int points);
  [[nodiscard]] bool is_accurate() const;

  MakeBody make_body_;
  std::vector<Interval> box_;
  TwoContactBody first_;    ///< of the first point, for members that are not numbers
  int points_ = 0;          ///< per axis; 0: not interpolated
  Eigen::MatrixXd values_;  ///< a column per point, the first axis fastest
};

}  // namespace slipstick
