#include "slipstick/sim/check/impulse_system.h"

#include <Eigen/QR>
#include <cmath>
#include <limits>

#include "slipstick/core/linear_program.h"
#include "slipstick/sim/check/tolerances.h"

namespace slipstick::check {

ImpulseSystem make_impulse_system(const Placed& placed, int coordinates,
                                  const std::vector<int>& contacts) {
  ImpulseSystem out;
  out.A.resize(coordinates, static_cast<Eigen::Index>(2 * contacts.size()));
  out.b.resize(coordinates);
  for (int i = 0; i < coordinates; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double unit = 1.0 / placed.root[row];
    out.b[i] = unit * placed.balance[row];
    for (std::size_t j = 0; j < contacts.size(); ++j) {
      const ContactMotion& at = placed.contacts[static_cast<std::size_t>(contacts[j])];
      const auto column = static_cast<Eigen::Index>(2 * j);
      out.A(i, column) = unit * at.W_n[row];
      out.A(i, column + 1) = unit * at.W_t[row];
    }
  }
  return out;
}

double find_most_work(const ImpulseSystem& system, const std::vector<ImpulseLimits>& limits) {
  const Eigen::Index n = system.A.rows();
  const Eigen::Index k = system.A.cols();
  // Impulses are in units of those that the change needs, so that rows and columns are of order 1.
  const double change = system.b.cwiseAbs().maxCoeff();
  if (!(change > 0.0) || k == 0) return 0.0;
  const Eigen::VectorXd size = system.A.cwiseAbs().colwise().maxCoeff();
  const double mobility = size.maxCoeff();
  if (!(mobility > 0.0)) return 0.0;
  const double unit = change / mobility;
  // The directions change on the way, so the equations hold to the square of its length.
  const Eigen::Index rows_per_contact = 3;
  const auto contacts = static_cast<Eigen::Index>(limits.size());
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + rows_per_contact * contacts, k);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
  A.topRows(n) = system.A / mobility;
  A.middleRows(n, n) = -A.topRows(n);
  b.head(n) = (system.b / change).array() + kBounceTurn;
  b.segment(n, n) = (-system.b / change).array() + kBounceTurn;
  Eigen::VectorXd c = Eigen::VectorXd::Zero(k);
  for (Eigen::Index j = 0; j < contacts; ++j) {
    const ImpulseLimits& limit = limits[static_cast<std::size_t>(j)];
    const Eigen::Index row = 2 * n + rows_per_contact * j;
    c[2 * j + 1] = limit.surface;
    if (limit.pulls) continue;  // |P_n| is no linear function: no bound
    A(row, 2 * j) = -1.0;
    A(row + 1, 2 * j) = A(row + 2, 2 * j) = -limit.mu;
    A(row + 1, 2 * j + 1) = 1.0;
    A(row + 2, 2 * j + 1) = -1.0;
    if (limit.slip == 0) continue;
    A(row + 1, 2 * j) = limit.slip * limit.mu;
    A.row(row + 2) = -A.row(row + 1);
  }
  const double fastest = c.cwiseAbs().maxCoeff();
  if (!(fastest > 0.0)) return 0.0;
  const LinearProgramResult result = solve_linear_program(A, b, c / fastest);
  if (result.status == LinearProgramStatus::kOptimal) return unit * fastest * result.value;
  if (result.status == LinearProgramStatus::kUnbounded) {
    return std::numeric_limits<double>::infinity();
  }
  // No impulses obey Coulomb's law: the work of the nearest ones.
  const Eigen::VectorXd P =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(system.A).solve(system.b);
  return c.dot(P);
}

}  // namespace slipstick::check
