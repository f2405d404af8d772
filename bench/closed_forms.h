#pragma once

/// Hand-written mode dynamics of the biped and the wheel [Or2014] eqs (23), (35): the floor that
/// the general kernel is measured against. Each returns accelerations and the contact force of the
/// stance foot, from M, the velocity and gravity terms and the constraint, all written out.

#include <array>
#include <cmath>

namespace slipstick::bench {

struct Biped {
  double l = 0.8, m = 4.0, mh = 2.0, Ic = 0.0, g = 9.8;
  double sin_alpha = std::sin(0.017453292519943295), cos_alpha = std::cos(0.017453292519943295);
  double mu = 0.7;
};

/// theta1'', theta2'', x'', y'', f_n, f_t.
using BipedResult = std::array<double, 6>;

/// Terms that both modes share. State: theta1, theta2, x, y, then rates.
struct BipedTerms {
  double S1, C1, S2, C2, m11, m12, m22, m1x, m1y, m2x, m2y, mass, h1, h2, hx, hy;
};

inline BipedTerms eval_biped_terms(const Biped& b, const double* q, const double* v) {
  BipedTerms t;
  t.S1 = std::sin(q[0]);
  t.C1 = std::cos(q[0]);
  t.S2 = std::sin(q[1]);
  t.C2 = std::cos(q[1]);
  const double c12 = t.C1 * t.C2 - t.S1 * t.S2;
  const double s12 = t.S1 * t.C2 + t.C1 * t.S2;
  const double arm1 = (3.0 * b.m + 2.0 * b.mh) * b.l;
  const double arm2 = b.m * b.l;
  const double w1 = v[0] * v[0];
  const double w2 = v[1] * v[1];
  t.mass = 2.0 * b.m + b.mh;
  t.m11 = b.Ic + (5.0 * b.m + 4.0 * b.mh) * b.l * b.l;
  t.m12 = 2.0 * b.m * b.l * b.l * c12;
  t.m22 = b.Ic + b.m * b.l * b.l;
  t.m1x = arm1 * t.C1;
  t.m1y = -arm1 * t.S1;
  t.m2x = arm2 * t.C2;
  t.m2y = arm2 * t.S2;
  t.h1 = -2.0 * b.m * b.l * b.l * s12 * w2 - b.g * arm1 * (t.S1 * b.cos_alpha + t.C1 * b.sin_alpha);
  t.h2 = -2.0 * b.m * b.l * b.l * s12 * w1 - b.g * arm2 * (b.sin_alpha * t.C2 - b.cos_alpha * t.S2);
  t.hx = -arm1 * t.S1 * w1 - arm2 * t.S2 * w2 - t.mass * b.g * b.sin_alpha;
  t.hy = -arm1 * t.C1 * w1 + arm2 * t.C2 * w2 + t.mass * b.g * b.cos_alpha;
  return t;
}

inline BipedResult eval_biped_stick(const Biped& b, const double* q, const double* v) {
  const BipedTerms t = eval_biped_terms(b, q, v);
  const double determinant = t.m11 * t.m22 - t.m12 * t.m12;
  const double a1 = (-t.h1 * t.m22 + t.h2 * t.m12) / determinant;
  const double a2 = (-t.h2 * t.m11 + t.h1 * t.m12) / determinant;
  const double f_t = t.m1x * a1 + t.m2x * a2 + t.hx;
  const double f_n = t.m1y * a1 + t.m2y * a2 + t.hy;
  return {a1, a2, 0.0, 0.0, f_n, f_t};
}

/// Slip along +x: y'' = 0, f_t = -mu f_n. x'' and f_n leave the y and x rows; two angles remain.
inline BipedResult eval_biped_slip(const Biped& b, const double* q, const double* v) {
  const BipedTerms t = eval_biped_terms(b, q, v);
  // f_n = m1y a1 + m2y a2 + hy; mass x'' = -(m1x + mu m1y) a1 - (m2x + mu m2y) a2 - hx - mu hy.
  const double u1 = (t.m1x + b.mu * t.m1y) / t.mass;
  const double u2 = (t.m2x + b.mu * t.m2y) / t.mass;
  const double u0 = (t.hx + b.mu * t.hy) / t.mass;
  const double a11 = t.m11 - t.m1x * u1;
  const double a12 = t.m12 - t.m1x * u2;
  const double a21 = t.m12 - t.m2x * u1;
  const double a22 = t.m22 - t.m2x * u2;
  const double r1 = -t.h1 + t.m1x * u0;
  const double r2 = -t.h2 + t.m2x * u0;
  const double determinant = a11 * a22 - a12 * a21;
  const double a1 = (r1 * a22 - r2 * a12) / determinant;
  const double a2 = (r2 * a11 - r1 * a21) / determinant;
  const double x = -u1 * a1 - u2 * a2 - u0;
  const double f_n = t.m1y * a1 + t.m2y * a2 + t.hy;
  return {a1, a2, x, 0.0, f_n, -b.mu * f_n};
}

struct Wheel {
  double m = 1.0, l = 1.0, kappa = 0.02, g = 1.02, mu = 0.35;
  double sin_alpha = std::sin(0.17453292519943295), cos_alpha = std::cos(0.17453292519943295);
};

/// x'', y'', theta'', f_n, f_t.
using WheelResult = std::array<double, 5>;

inline WheelResult eval_wheel_stick(const Wheel& w, const double* q, const double* v) {
  const double S = std::sin(q[2]);
  const double C = std::cos(q[2]);
  const double ml = w.m * w.l;
  const double rate = v[2] * v[2];
  const double a = w.g * (w.sin_alpha * C + w.cos_alpha * S) / (w.l * (1.0 + w.kappa));
  const double f_t = ml * C * a - ml * S * rate - w.m * w.g * w.sin_alpha;
  const double f_n = -ml * S * a - ml * C * rate + w.m * w.g * w.cos_alpha;
  return {0.0, 0.0, a, f_n, f_t};
}

inline WheelResult eval_wheel_slip(const Wheel& w, const double* q, const double* v) {
  const double S = std::sin(q[2]);
  const double C = std::cos(q[2]);
  const double ml = w.m * w.l;
  const double rate = v[2] * v[2];
  const double hx = -ml * S * rate - w.m * w.g * w.sin_alpha;
  const double hy = -ml * C * rate + w.m * w.g * w.cos_alpha;
  const double h = -w.m * w.g * w.l * (w.sin_alpha * C + w.cos_alpha * S);
  // f_n = -ml S a + hy; m x'' = -ml C a - hx - mu f_n.
  const double u = (ml * C - w.mu * ml * S) / w.m;
  const double u0 = (hx + w.mu * hy) / w.m;
  const double a = (-h + ml * C * u0) / (ml * w.l * (1.0 + w.kappa) - ml * C * u);
  const double x = -u * a - u0;
  const double f_n = -ml * S * a + hy;
  return {x, 0.0, a, f_n, -w.mu * f_n};
}

}  // namespace slipstick::bench
