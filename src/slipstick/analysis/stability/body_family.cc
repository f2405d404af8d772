#include "slipstick/analysis/stability/body_family.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// Chebyshev points of the second kind in [-1, 1], the ends included.
double find_node(int i, int points) { return -std::cos(std::numbers::pi * i / (points - 1)); }

/// Weights of the values at the nodes for the interpolant at x: barycentric formula.
Eigen::VectorXd find_weights(double x, int points) {
  Eigen::VectorXd out(points);
  for (int i = 0; i < points; ++i) {
    const double away = x - find_node(i, points);
    if (away == 0.0) return Eigen::VectorXd::Unit(points, i);
    const bool at_end = i == 0 || i == points - 1;
    out[i] = (i % 2 == 0 ? 1.0 : -1.0) * (at_end ? 0.5 : 1.0) / away;
  }
  return out / out.sum();
}

}  // namespace

BodyFamily::BodyFamily(MakeBody make_body, std::span<const Interval> box)
    : make_body_(std::move(make_body)), box_(box.begin(), box.end()) {
  for (const int points : {13, 25}) {
    sample(points);
    if (is_accurate()) return;
  }
  points_ = 0;
}

BodyFamily::Numbers BodyFamily::list_numbers(const TwoContactBody& body) {
  Numbers out;
  out << body.mass, body.inertia, body.lever[0], body.lever[1], body.normal[0], body.normal[1],
      body.mu[0], body.mu[1], body.force, body.torque;
  return out;
}

void BodyFamily::sample(int points) {
  points_ = points;
  const bool plane = box_.size() == 2;
  values_.resize(kNumbers, plane ? points * points : points);
  std::vector<double> at(box_.size());
  const auto place = [&](std::size_t axis, int i) {
    const Interval& range = box_[axis];
    const double node = find_node(i, points);
    at[axis] = 0.5 * ((1.0 - node) * range.low + (1.0 + node) * range.high);
  };
  for (int j = 0; j < (plane ? points : 1); ++j) {
    for (int i = 0; i < points; ++i) {
      place(0, i);
      if (plane) place(1, j);
      const TwoContactBody body = make_body_(at);
      if (i == 0 && j == 0) first_ = body;
      values_.col(j * points + i) = list_numbers(body);
    }
  }
}

/// Compared at points between the nodes, spread over the box.
bool BodyFamily::is_accurate() const {
  constexpr int kLooks = 12;
  Numbers scale = values_.cwiseAbs().rowwise().maxCoeff();
  // Components of one vector are compared on one scale, and a moment with that of its forces,
  // because a component that is zero except for rounding need not be interpolated to its last
  // digit.
  const double lever = scale.segment<4>(2).maxCoeff();
  const double force = scale.segment<2>(12).maxCoeff();
  scale.segment<4>(2).setConstant(lever);
  scale.segment<4>(6).setOnes();
  scale.segment<2>(12).setConstant(force);
  scale[14] = std::max(scale[14], force * lever);
  std::vector<double> at(box_.size());
  for (int k = 1; k <= kLooks; ++k) {
    // Multiples of irrational numbers fill the box evenly.
    constexpr std::array<double, 2> kSteps{0.7548776662466927, 0.5698402909980532};
    for (std::size_t axis = 0; axis < box_.size(); ++axis) {
      const double part = std::fmod(k * kSteps[axis], 1.0);
      at[axis] = box_[axis].low + part * (box_[axis].high - box_[axis].low);
    }
    const Numbers error = list_numbers(make_body_(at)) - list_numbers(interpolate(at));
    if ((error.cwiseAbs().array() > kSolveRounding * scale.array() + 1e-300).any()) return false;
  }
  return true;
}

TwoContactBody BodyFamily::make(std::span<const double> values) const {
  return is_interpolated() ? interpolate(values) : make_body_(values);
}

TwoContactBody BodyFamily::interpolate(std::span<const double> values) const {
  const auto weigh = [&](std::size_t axis) {
    const Interval& range = box_[axis];
    const double x = (2.0 * values[axis] - range.low - range.high) / (range.high - range.low);
    return find_weights(x, points_);
  };
  const Eigen::VectorXd first = weigh(0);
  Numbers n = Numbers::Zero();
  if (box_.size() == 1) {
    n = values_ * first;
  } else {
    const Eigen::VectorXd second = weigh(1);
    for (int j = 0; j < points_; ++j) {
      n += second[j] * (values_.middleCols(j * points_, points_) * first);
    }
  }
  TwoContactBody out = first_;
  out.mass = n[0];
  out.inertia = n[1];
  out.lever = {Vec2(n[2], n[3]), Vec2(n[4], n[5])};
  out.normal = {Vec2(n[6], n[7]), Vec2(n[8], n[9])};
  out.mu = {n[10], n[11]};
  out.force = {n[12], n[13]};
  out.torque = n[14];
  return out;
}

}  // namespace slipstick
