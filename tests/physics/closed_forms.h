// Closed forms of every built-in mechanism, derived by hand in the coordinates of the model table.
//
// This is an oracle: it shares no code with the library (Eigen and the standard library only) and
// uses no general multibody algorithm. Each function writes out, for one mechanism,
//
//   M(q) v' + h(q, v) = W_n f_n + W_t f_t
//   gap_rate = W_n^T v                       d(gap_rate)/dt = W_n^T v' + bias_n
//   slip     = W_t^T v - surface speed       d(slip)/dt     = W_t^T v' + bias_t
//
// h holds velocity terms, gravity, springs, dampers, applied forces and torques, all with the sign
// that puts them on the left side. t is n turned by -90 degrees: n up means t = +x. On a slope, x
// points downhill and y (or z) along the outward normal, so gravity is g (sin alpha, -cos alpha).
// Printed formulas are corrected where they are wrong; the comments name each correction.
//
// Derivation rules used throughout, for a point r(q) of a body:
//   M   = sum of m (dr/dq)^T (dr/dq) + I (d angle/dq)^T (d angle/dq) over centres of mass,
//   h   = sum of m (dr/dq)^T (r'' at v' = 0) - (dr/dq)^T F over applied forces F,
//   W_n = (dr/dq)^T n,  W_t = (dr/dq)^T t,  bias = (r'' at v' = 0) . n or t.
// With u = (sin a, cos a), a clockwise from the normal:          u'' = -a'^2 u at a'' = 0,
// with u = (cos a, sin a), a counter-clockwise from the surface: u'' = -a'^2 u at a'' = 0.

#pragma once

#include <Eigen/Core>
#include <map>
#include <string>

namespace slipstick::closed_forms {

/// Parameter values by the names of the model table [SI units, radians].
using Params = std::map<std::string, double>;

/// The equations of motion and the contact kinematics at one state. Vectors over contacts, and the
/// columns of W_n and W_t, follow the model's contact order.
struct Terms {
  Eigen::MatrixXd M;         ///< inertia matrix, coordinates in the model's order
  Eigen::VectorXd h;         ///< everything but M v' and the contact forces, on the left side
  Eigen::VectorXd gap;       ///< [m], positive when open
  Eigen::VectorXd gap_rate;  ///< [m/s]
  Eigen::VectorXd slip;      ///< along +t, relative to the surface [m/s]
  Eigen::VectorXd bias_n;    ///< normal acceleration at v' = 0 [m/s^2]
  Eigen::VectorXd bias_t;    ///< tangential acceleration at v' = 0 [m/s^2]
  Eigen::MatrixXd W_n;       ///< generalized directions of unit normal forces
  Eigen::MatrixXd W_t;       ///< generalized directions of unit tangential forces
};

/// theta1, theta2; contact: tip on the moving rail. Params: m l g H k c alpha0 rail_speed.
[[nodiscard]] Terms two_link_rail(const Params& params, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);

/// x, z, theta; contacts 1, 2. phi_i turns the normal of surface i counter-clockwise from the
/// upward normal. Params: m g alpha rho l1 l2 h phi1 phi2 torque (counter-clockwise).
[[nodiscard]] Terms two_contact_body(const Params& params, const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& v);

/// x, y, psi, theta (angles clockwise, absolute); contacts rear, front. y is the height of the
/// plate's origin, on its middle line below the hinge. Params: m1 m2 rho1 rho2 r1 r2 thickness
/// height length rear alpha g.
[[nodiscard]] Terms jamming_chain(const Params& params, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);

/// x, y, theta; contact: the plate, held level. Params: m1 m2 rho2 r2 thickness alpha g.
[[nodiscard]] Terms jamming_chain_level(const Params& params, const Eigen::VectorXd& q,
                                        const Eigen::VectorXd& v);

/// x, y, theta (clockwise from the normal); contacts tip, top. Params: m length rho g.
[[nodiscard]] Terms sliding_rod(const Params& params, const Eigen::VectorXd& q,
                                const Eigen::VectorXd& v);

/// x, y, theta; contacts lower, upper (bilateral, both normals up). Params: m l force arm torque,
/// and theta, the initial angle, which fixes the height of the upper slide.
[[nodiscard]] Terms klein_bar(const Params& params, const Eigen::VectorXd& q,
                              const Eigen::VectorXd& v);

/// x, y, theta; contacts A, B. Params: m l I weight (a force).
[[nodiscard]] Terms painleve_bar(const Params& params, const Eigen::VectorXd& q,
                                 const Eigen::VectorXd& v);

/// x, y (stance tip), theta; contacts stance, next (downhill), previous. Params: n kappa alpha m l
/// g.
[[nodiscard]] Terms rimless_wheel(const Params& params, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);

/// theta1, theta2, x, y (stance foot); contacts stance, swing. Params: l m mh Ic g alpha.
[[nodiscard]] Terms compass_biped(const Params& params, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);

/// y; one contact, which has no tangential direction: W_t and slip are zero. Unit mass. Params: g.
[[nodiscard]] Terms bouncing_ball(const Params& params, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);

/// x, y; one contact. Unit mass, level ground. Params: g.
[[nodiscard]] Terms sliding_block(const Params& params, const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& v);

}  // namespace slipstick::closed_forms
