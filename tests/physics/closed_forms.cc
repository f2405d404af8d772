#include "closed_forms.h"

#include <cmath>
#include <numbers>

namespace slipstick::closed_forms {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::cos;
using std::sin;

double sqr(double value) { return value * value; }

/// All zero, for `coordinates` coordinates and `contacts` contacts.
Terms make_terms(Index coordinates, Index contacts) {
  return {.M = MatrixXd::Zero(coordinates, coordinates),
          .h = VectorXd::Zero(coordinates),
          .gap = VectorXd::Zero(contacts),
          .gap_rate = VectorXd::Zero(contacts),
          .slip = VectorXd::Zero(contacts),
          .bias_n = VectorXd::Zero(contacts),
          .bias_t = VectorXd::Zero(contacts),
          .W_n = MatrixXd::Zero(coordinates, contacts),
          .W_t = MatrixXd::Zero(coordinates, contacts)};
}

}  // namespace

// Both rods uniform, length l, mass m; th1, th2 counter-clockwise from the downward vertical.
Terms two_link_rail(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double l = params.at("l");
  const double g = params.at("g");
  const double H = params.at("H");
  const double k = params.at("k");
  const double c = params.at("c");
  const double alpha0 = params.at("alpha0");
  const double rail_speed = params.at("rail_speed");
  const double s1 = sin(q(0));
  const double c1 = cos(q(0));
  const double s2 = sin(q(1));
  const double c2 = cos(q(1));
  const double c12 = cos(q(0) - q(1));
  const double s12 = sin(q(0) - q(1));
  const double ml2 = m * sqr(l);
  Terms terms = make_terms(2, 1);

  // [Zhao2008] eq. (4), M.
  terms.M << 4 * ml2 / 3, ml2 * c12 / 2,  //
      ml2 * c12 / 2, ml2 / 3;

  // [Zhao2008] eqs (20), (21): tau2 is what rod 1 applies to rod 2, so it acts on rod 1 with the
  // opposite sign; the spring is at rest at th1 - th2 = alpha0.
  const double tau1 = -c * v(0);
  const double tau2 = k * (q(0) - q(1) - alpha0) + c * (v(0) - v(1));

  // [Zhao2008] eq. (4), h = R - W. Erratum: R_2 is printed with the sign of R_1; with that sign
  // the velocity terms would do work.
  terms.h << ml2 * sqr(v(1)) * s12 / 2 - (tau1 - tau2 - 3 * m * g * l * s1 / 2),
      -ml2 * sqr(v(0)) * s12 / 2 - (tau2 - m * g * l * s2 / 2);

  // [Zhao2008] eq. (1); the rail is at height -H.
  terms.gap << H - l * (c1 + c2);
  // [Zhao2008] eqs (2), (7) (the dot is missing in (7)).
  terms.gap_rate << l * (s1 * v(0) + s2 * v(1));
  terms.slip << l * (c1 * v(0) + c2 * v(1)) - rail_speed;
  // [Zhao2008] eq. (3): K_2, K_1 and S_2, S_1.
  terms.W_n << l * s1, l * s2;
  terms.W_t << l * c1, l * c2;
  terms.bias_n << l * (sqr(v(0)) * c1 + sqr(v(1)) * c2);
  terms.bias_t << -l * (sqr(v(0)) * s1 + sqr(v(1)) * s2);
  return terms;
}

// phi_i is positive counter-clockwise: n_i = (-sin phi_i, cos phi_i), t_i = (cos phi_i, sin phi_i),
// as [Or2021] eqs (12)-(14) have it. Surface i passes through (l_i, -h).
Terms two_contact_body(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double g = params.at("g");
  const double alpha = params.at("alpha");
  const double rho = params.at("rho");
  const double h = params.at("h");
  const double l[2] = {params.at("l1"), params.at("l2")};
  const double phi[2] = {params.at("phi1"), params.at("phi2")};
  const double torque = params.at("torque");
  const double s = sin(q(2));
  const double c = cos(q(2));
  const double rate = v(2);
  Terms terms = make_terms(3, 2);

  // [Or2021] eq. (1), the load being the weight, f_ex = m g.
  terms.M.diagonal() << m, m, m * sqr(rho);
  terms.h << -m * g * sin(alpha), m * g * cos(alpha), -torque;

  for (Index i = 0; i < 2; ++i) {
    const double sin_phi = sin(phi[i]);
    const double cos_phi = cos(phi[i]);
    // [Or2021] appendix A: (eta, -xi) are the components of (l_i, -h) along t_i, n_i at theta = 0,
    // (zeta, -psi) those after the turn by theta.
    const double eta = l[i] * cos_phi - h * sin_phi;
    const double xi = h * cos_phi + l[i] * sin_phi;
    const double zeta = xi * s + eta * c;
    const double psi = xi * c - eta * s;
    // [Or2021] eqs (12), (13) and (14); zeta' = psi theta', psi' = -zeta theta'.
    terms.gap(i) = -q(0) * sin_phi + q(1) * cos_phi + xi - psi;
    terms.gap_rate(i) = -v(0) * sin_phi + v(1) * cos_phi + zeta * rate;
    terms.slip(i) = v(0) * cos_phi + v(1) * sin_phi + psi * rate;
    terms.W_n.col(i) << -sin_phi, cos_phi, zeta;
    terms.W_t.col(i) << cos_phi, sin_phi, psi;
    // [Or2021] eq. (15), the term in theta'^2.
    terms.bias_n(i) = psi * sqr(rate);
    terms.bias_t(i) = -zeta * sqr(rate);
  }
  return terms;
}

// psi and theta clockwise and absolute. A point (a, b) of the plate lies at
// (x + a cos psi + b sin psi, y - a sin psi + b cos psi); the hinge is (0, l), the plate's centre
// of mass (r1, 0), and the cylinder's centre of mass is r2 (sin theta, cos theta) from the hinge.
Terms jamming_chain(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m1 = params.at("m1");
  const double m2 = params.at("m2");
  const double rho1 = params.at("rho1");
  const double rho2 = params.at("rho2");
  const double r1 = params.at("r1");
  const double r2 = params.at("r2");
  const double thickness = params.at("thickness");
  const double l = params.at("height") - thickness / 2;  // hinge above the origin
  const double alpha = params.at("alpha");
  const double g = params.at("g");
  const double s_psi = sin(q(2));
  const double c_psi = cos(q(2));
  const double s_th = sin(q(3));
  const double c_th = cos(q(3));
  const double psi_rate2 = sqr(v(2));
  const double th_rate2 = sqr(v(3));
  Terms terms = make_terms(4, 2);

  // [Meltz2007] sec. 3.2 prints M for psi = 0 only; this is M at any psi.
  const double m13 = m2 * l * c_psi - m1 * r1 * s_psi;
  const double m23 = -m1 * r1 * c_psi - m2 * l * s_psi;
  const double m14 = m2 * r2 * c_th;
  const double m24 = -m2 * r2 * s_th;
  const double m34 = m2 * l * r2 * cos(q(3) - q(2));
  terms.M << m1 + m2, 0, m13, m14,                              //
      0, m1 + m2, m23, m24,                                     //
      m13, m23, m1 * (sqr(r1) + sqr(rho1)) + m2 * sqr(l), m34,  //
      m14, m24, m34, m2 * (sqr(r2) + sqr(rho2));

  // [Meltz2007] sec. 2 leaves h and f_g general; written out here.
  const double coupling = m2 * l * r2 * sin(q(3) - q(2));
  terms.h << -(m1 * r1 * c_psi + m2 * l * s_psi) * psi_rate2 - m2 * r2 * s_th * th_rate2 -
                 (m1 + m2) * g * sin(alpha),
      (m1 * r1 * s_psi - m2 * l * c_psi) * psi_rate2 - m2 * r2 * c_th * th_rate2 +
          (m1 + m2) * g * cos(alpha),
      -coupling * th_rate2 - m1 * g * r1 * cos(alpha + q(2)) - m2 * g * l * sin(alpha + q(2)),
      coupling * psi_rate2 - m2 * g * r2 * sin(alpha + q(3));

  // The corners. [Meltz2007] sec. 3.2, errata: for clockwise psi a normal force at distance xi
  // ahead of the origin gives (0, 1, -xi, 0), and a force along +x gives (1, 0, -e/2, 0).
  const double ahead[2] = {-params.at("rear"), params.at("length") - params.at("rear")};
  const double above = -thickness / 2;
  for (Index i = 0; i < 2; ++i) {
    const double along = ahead[i] * c_psi + above * s_psi;    // from the origin, along t
    const double normal = -ahead[i] * s_psi + above * c_psi;  // from the origin, along n
    terms.gap(i) = q(1) + normal;
    terms.gap_rate(i) = v(1) - along * v(2);
    terms.slip(i) = v(0) + normal * v(2);
    terms.W_n.col(i) << 0, 1, -along, 0;
    terms.W_t.col(i) << 1, 0, normal, 0;
    terms.bias_n(i) = -normal * psi_rate2;
    terms.bias_t(i) = -along * psi_rate2;
  }
  return terms;
}

// The chain with psi = psi' = psi'' = 0: the idealisation under which [Meltz2007] eq. (2) is exact.
Terms jamming_chain_level(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m1 = params.at("m1");
  const double m2 = params.at("m2");
  const double r2 = params.at("r2");
  const double alpha = params.at("alpha");
  const double g = params.at("g");
  const double s = sin(q(2));
  const double c = cos(q(2));
  const double rate2 = sqr(v(2));
  Terms terms = make_terms(3, 1);

  // [Meltz2007] sec. 3.2, M without its psi row and column.
  terms.M << m1 + m2, 0, m2 * r2 * c,  //
      0, m1 + m2, -m2 * r2 * s,        //
      m2 * r2 * c, -m2 * r2 * s, m2 * (sqr(r2) + sqr(params.at("rho2")));
  terms.h << -m2 * r2 * s * rate2 - (m1 + m2) * g * sin(alpha),
      -m2 * r2 * c * rate2 + (m1 + m2) * g * cos(alpha), -m2 * g * r2 * sin(alpha + q(2));

  terms.gap << q(1) - params.at("thickness") / 2;
  terms.gap_rate << v(1);
  terms.slip << v(0);
  terms.W_n << 0, 1, 0;
  terms.W_t << 1, 0, 0;
  return terms;
}

// [Meltz2007] sec. 5, example; theta clockwise, tip and top at -+ a (sin theta, cos theta) from
// the centre, a = length / 2.
Terms sliding_rod(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double a = params.at("length") / 2;
  const double s = sin(q(2));
  const double c = cos(q(2));
  const double rate = v(2);
  Terms terms = make_terms(3, 2);

  terms.M.diagonal() << m, m, m * sqr(params.at("rho"));
  terms.h << 0, m * params.at("g"), 0;

  terms.gap << q(1) - a * c, q(1) + a * c;
  terms.gap_rate << v(1) + a * s * rate, v(1) - a * s * rate;
  terms.slip << v(0) - a * c * rate, v(0) + a * c * rate;
  terms.W_n << 0, 0,  //
      1, 1,           //
      a * s, -a * s;
  terms.W_t << 1, 1,  //
      0, 0,           //
      -a * c, a * c;
  terms.bias_n << a * c * sqr(rate), -a * c * sqr(rate);
  terms.bias_t << a * s * sqr(rate), -a * s * sqr(rate);
  return terms;
}

// Lower and upper end at -+ l (cos theta, sin theta) from the centre; slides at heights 0 and
// 2 l sin(theta0). [Fremond2007] eqs (1), (2) have the slides' constraints inserted; here the bar
// is free and the slides act through their contact forces: the paper's reactions are
// f_t(lower) = -r_T, f_n(lower) = -r_N, f_n(upper) = r_N, its b is `arm`, its C is `torque`.
Terms klein_bar(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double l = params.at("l");
  const double force = params.at("force");
  const double s = sin(q(2));
  const double c = cos(q(2));
  const double rate = v(2);
  Terms terms = make_terms(3, 2);

  // A uniform bar of length 2 l.
  terms.M.diagonal() << m, m, m * sqr(l) / 3;
  // [Fremond2007] eq. (2): F b sin(theta) + C, from F at the centre - b (cos theta, sin theta).
  terms.h << -force, 0, -(force * params.at("arm") * s + params.at("torque"));

  terms.gap << q(1) - l * s, q(1) + l * s - 2 * l * sin(params.at("theta"));
  terms.gap_rate << v(1) - l * c * rate, v(1) + l * c * rate;
  terms.slip << v(0) + l * s * rate, v(0) - l * s * rate;
  terms.W_n << 0, 0,  //
      1, 1,           //
      -l * c, l * c;
  terms.W_t << 1, 1,  //
      0, 0,           //
      l * s, -l * s;
  terms.bias_n << l * s * sqr(rate), -l * s * sqr(rate);
  terms.bias_t << l * c * sqr(rate), -l * c * sqr(rate);
  return terms;
}

// A and B at -+ l (cos theta, sin theta) from the centre.
Terms painleve_bar(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double l = params.at("l");
  const double s = sin(q(2));
  const double c = cos(q(2));
  const double rate = v(2);
  Terms terms = make_terms(3, 2);

  // [Fremond2007] eq. (7), where g is a weight (a force) and the plane's reaction on the bar is
  // (f_t, f_n) = -(r_T, r_N).
  terms.M.diagonal() << m, m, params.at("I");
  terms.h << 0, params.at("weight"), 0;

  terms.gap << q(1) - l * s, q(1) + l * s;
  // [Fremond2007] sec. 3: (V_T, V_N) = (U_T + omega l sin theta, U_N - omega l cos theta) at A.
  terms.gap_rate << v(1) - l * c * rate, v(1) + l * c * rate;
  terms.slip << v(0) + l * s * rate, v(0) - l * s * rate;
  terms.W_n << 0, 0,  //
      1, 1,           //
      -l * c, l * c;
  terms.W_t << 1, 1,  //
      0, 0,           //
      l * s, -l * s;
  terms.bias_n << l * s * sqr(rate), -l * s * sqr(rate);
  terms.bias_t << l * c * sqr(rate), -l * c * sqr(rate);
  return terms;
}

// The hub is l (sin theta, cos theta) from the stance tip. A spoke that stands at theta + turn from
// the normal has its tip at the hub - l (sin, cos)(theta + turn).
Terms rimless_wheel(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double l = params.at("l");
  const double g = params.at("g");
  const double alpha = params.at("alpha");
  const double kappa = params.at("kappa");  // Ic / (m l^2)
  const double s = sin(q(2));
  const double c = cos(q(2));
  const double rate = v(2);
  Terms terms = make_terms(3, 3);

  // [Or2014] eq. (23): M, and h = B + G (the velocity terms H of eq. (3) are called B there).
  terms.M << m, 0, m * l * c,  //
      0, m, -m * l * s,        //
      m * l * c, -m * l * s, m * sqr(l) * (1 + kappa);
  terms.h << -m * l * sqr(rate) * s - m * g * sin(alpha),
      -m * l * sqr(rate) * c + m * g * cos(alpha), -m * g * l * sin(alpha + q(2));

  // stance; next, which stands at -pi/n when the stance spoke is at pi/n; previous.
  const double spacing = 2 * std::numbers::pi / params.at("n");
  const double turn[3] = {0, -spacing, spacing};
  for (Index i = 0; i < 3; ++i) {
    // The tip seen from the stance tip, along t and n; [Or2014] eq. (23), W and W_c, at any theta.
    const double along = l * (s - sin(q(2) + turn[i]));
    const double normal = l * (c - cos(q(2) + turn[i]));
    terms.gap(i) = q(1) + normal;
    terms.gap_rate(i) = v(1) - along * rate;
    terms.slip(i) = v(0) + normal * rate;
    terms.W_n.col(i) << 0, 1, -along;
    terms.W_t.col(i) << 1, 0, normal;
    terms.bias_n(i) = -normal * sqr(rate);
    terms.bias_t(i) = -along * sqr(rate);
  }
  return terms;
}

// Hip at 2 l (sin th1, cos th1) from the stance foot, swing foot at 2 l (sin th2, -cos th2) from
// the hip; legs of length 2 l with their centres of mass in the middle.
Terms compass_biped(const Params& params, const VectorXd& q, const VectorXd& v) {
  const double m = params.at("m");
  const double mh = params.at("mh");
  const double l = params.at("l");
  const double Ic = params.at("Ic");
  const double g = params.at("g");
  const double alpha = params.at("alpha");
  const double s1 = sin(q(0));
  const double c1 = cos(q(0));
  const double s2 = sin(q(1));
  const double c2 = cos(q(1));
  const double s12 = sin(q(0) + q(1));
  const double c12 = cos(q(0) + q(1));
  const double rate1 = v(0);
  const double rate2 = v(1);
  const double l2 = sqr(l);
  const double m_all = 2 * m + mh;
  const double m_arm = (3 * m + 2 * mh) * l;
  Terms terms = make_terms(4, 2);

  // [Or2014] eq. (35), M.
  terms.M << Ic + (5 * m + 4 * mh) * l2, 2 * m * l2 * c12, m_arm * c1, -m_arm * s1,  //
      2 * m * l2 * c12, Ic + m * l2, m * l * c2, m * l * s2,                         //
      m_arm * c1, m * l * c2, m_all, 0,                                              //
      -m_arm * s1, m * l * s2, 0, m_all;
  // [Or2014] eq. (35), H + G.
  terms.h << -2 * m * l2 * s12 * sqr(rate2) - g * m_arm * sin(q(0) + alpha),
      -2 * m * l2 * s12 * sqr(rate1) - g * m * l * sin(alpha - q(1)),
      -m_arm * s1 * sqr(rate1) - m * l * s2 * sqr(rate2) - g * m_all * sin(alpha),
      -m_arm * c1 * sqr(rate1) + m * l * c2 * sqr(rate2) + g * m_all * cos(alpha);

  terms.gap << q(3), q(3) + 2 * l * (c1 - c2);
  terms.gap_rate << v(3), v(3) - 2 * l * (s1 * rate1 - s2 * rate2);
  terms.slip << v(2), v(2) + 2 * l * (c1 * rate1 + c2 * rate2);
  // [Or2014] eq. (35), the rows of W and of W for the swing foot.
  terms.W_n << 0, -2 * l * s1,  //
      0, 2 * l * s2,            //
      0, 0,                     //
      1, 1;
  terms.W_t << 0, 2 * l * c1,  //
      0, 2 * l * c2,           //
      1, 1,                    //
      0, 0;
  terms.bias_n << 0, 2 * l * (c2 * sqr(rate2) - c1 * sqr(rate1));
  terms.bias_t << 0, -2 * l * (s1 * sqr(rate1) + s2 * sqr(rate2));
  return terms;
}

Terms bouncing_ball(const Params& params, const VectorXd& q, const VectorXd& v) {
  Terms terms = make_terms(1, 1);
  terms.M << 1;
  terms.h << params.at("g");
  terms.gap << q(0);
  terms.gap_rate << v(0);
  terms.W_n << 1;
  return terms;
}

Terms sliding_block(const Params& params, const VectorXd& q, const VectorXd& v) {
  Terms terms = make_terms(2, 1);
  terms.M.diagonal() << 1, 1;
  terms.h << 0, params.at("g");
  terms.gap << q(1);
  terms.gap_rate << v(1);
  terms.slip << v(0);
  terms.W_n << 0, 1;
  terms.W_t << 1, 0;
  return terms;
}

}  // namespace slipstick::closed_forms
