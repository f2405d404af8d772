#pragma once

/// Numbers on a path as functions of the blow it starts from: linear forms of (closing, slip, root)
/// and their products, each with its value at one blow.

#include <Eigen/Core>
#include <boost/container/static_vector.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "slipstick/analysis/stability/return_map.h"

namespace slipstick {

struct LinearForm {
  double value = 0.0;
  Eigen::Vector3d k = Eigen::Vector3d::Zero();

  LinearForm operator+(const LinearForm& o) const { return {value + o.value, k + o.k}; }
  LinearForm operator-(const LinearForm& o) const { return {value - o.value, k - o.k}; }
  LinearForm operator-() const { return {-value, -k}; }
  LinearForm operator*(double s) const { return {s * value, s * k}; }
};

struct QuadraticForm {
  double value = 0.0;
  Eigen::Matrix3d k = Eigen::Matrix3d::Zero();

  QuadraticForm operator+(const QuadraticForm& o) const { return {value + o.value, k + o.k}; }
  QuadraticForm operator-(const QuadraticForm& o) const { return {value - o.value, k - o.k}; }
  QuadraticForm operator*(double s) const { return {s * value, s * k}; }
};

inline QuadraticForm operator*(const LinearForm& a, const LinearForm& b) {
  return {a.value * b.value, 0.5 * (a.k * b.k.transpose() + b.k * a.k.transpose())};
}

inline double value_of(double x) { return x; }
inline double value_of(const LinearForm& x) { return x.value; }
inline double value_of(const QuadraticForm& x) { return x.value; }

/// Ratios slip/closing of blows.
using Tangents = boost::container::static_vector<double, 2>;

/// A form at the blow (1, tangent).
inline double eval_form(const BlowForm& form, double tangent) {
  return form[0] + tangent * (form[1] + tangent * form[2]);
}

/// Real zeros of a form in the tangent; equal ones twice.
inline Tangents find_zeros(const BlowForm& form) {
  const auto [first, second] = boost::math::tools::quadratic_roots(form[2], form[1], form[0]);
  return std::isnan(first) ? Tangents{} : Tangents{first, second};
}

/// Tangents at which k0 + k1 t + k2 sqrt(radicand(t)) vanishes.
inline Tangents find_zeros(const Eigen::Vector3d& k, const BlowForm& radicand) {
  const BlowForm line(k[0] * k[0], 2.0 * k[0] * k[1], k[1] * k[1]);
  Tangents out;
  if (k[2] == 0.0) {
    if (k[1] != 0.0) out.push_back(-k[0] / k[1]);
    return out;
  }
  for (const double t : find_zeros(BlowForm(line - k[2] * k[2] * radicand))) {
    if (k[2] * (k[0] + k[1] * t) <= 0.0) out.push_back(t);
  }
  return out;
}

}  // namespace slipstick
