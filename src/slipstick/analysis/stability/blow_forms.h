#pragma once

/// Numbers on a path as functions of the blow from which it starts: linear forms of (closing, slip,
/// root) and their products, each with its value at one blow.

#include <Eigen/Core>
#include <boost/container/static_vector.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "slipstick/analysis/stability/blow.h"

namespace slipstick {

/// A number that is linear in the blow, and its value.
struct LinearBlowForm {
  double value = 0.0;
  Eigen::Vector3d k = Eigen::Vector3d::Zero();

  LinearBlowForm operator+(const LinearBlowForm& o) const { return {value + o.value, k + o.k}; }
  LinearBlowForm operator-(const LinearBlowForm& o) const { return {value - o.value, k - o.k}; }
  LinearBlowForm operator-() const { return {-value, -k}; }
  LinearBlowForm operator*(double s) const { return {s * value, s * k}; }
};

struct QuadraticForm {
  double value = 0.0;
  Eigen::Matrix3d k = Eigen::Matrix3d::Zero();

  QuadraticForm operator+(const QuadraticForm& o) const { return {value + o.value, k + o.k}; }
  QuadraticForm operator-(const QuadraticForm& o) const { return {value - o.value, k - o.k}; }
  QuadraticForm operator*(double s) const { return {s * value, s * k}; }
};

inline QuadraticForm operator*(const LinearBlowForm& a, const LinearBlowForm& b) {
  return {a.value * b.value, 0.5 * (a.k * b.k.transpose() + b.k * a.k.transpose())};
}

inline double value_of(double x) { return x; }
inline double value_of(const LinearBlowForm& x) { return x.value; }
inline double value_of(const QuadraticForm& x) { return x.value; }

/// Ratios slip/closing of blows.
using Tangents = boost::container::static_vector<double, 2>;

/// A form at the blow (1, tangent).
inline double eval_form(const BlowForm& form, double tangent) {
  return form[0] + tangent * (form[1] + tangent * form[2]);
}

/// Real zeros of a form in the tangent; a double zero is listed twice.
inline Tangents find_zeros(const BlowForm& form) {
  const auto [first, second] = boost::math::tools::quadratic_roots(form[2], form[1], form[0]);
  return std::isnan(first) ? Tangents{} : Tangents{first, second};
}

/// Angles at which k0 cos + k1 sin + k2 sqrt(radicand(cos, sin)) vanishes, in the half turn about 0
/// and in the other one. Zeros for the other sign of the root are left out.
inline boost::container::static_vector<double, 4> find_zero_angles(const Eigen::Vector3d& k,
                                                                   const BlowForm& radicand) {
  boost::container::static_vector<double, 4> out;
  if (k[2] == 0.0) {
    if (k[0] == 0.0 && k[1] == 0.0) return out;
    const double angle = std::atan2(-k[0], k[1]);
    return {angle, angle + (angle > 0.0 ? -std::numbers::pi : std::numbers::pi)};
  }
  const BlowForm line(k[0] * k[0], 2.0 * k[0] * k[1], k[1] * k[1]);
  for (const double t : find_zeros(BlowForm(line - k[2] * k[2] * radicand))) {
    const double angle = std::atan(t);
    const double other = angle + (angle > 0.0 ? -std::numbers::pi : std::numbers::pi);
    out.push_back(k[2] * (k[0] + k[1] * t) <= 0.0 ? angle : other);
  }
  return out;
}

}  // namespace slipstick
