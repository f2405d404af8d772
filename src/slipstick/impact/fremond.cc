#include "slipstick/impact/fremond.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace slipstick {
namespace {

/// Impulses per unknown, and the contact velocities that must not change.
struct JumpSystem {
  Eigen::MatrixXd F;
  std::vector<Eigen::Index> rows;
};

/// `sides`: bit i is set where contact i pulls.
JumpSystem make_jump_system(const JumpProblem& problem, unsigned sides) {
  const auto k = static_cast<Eigen::Index>(problem.contacts.size());
  JumpSystem out{Eigen::MatrixXd::Zero(2 * k, 2 * k), {}};
  for (Eigen::Index i = 0; i < k; ++i) {
    const JumpContact& contact = problem.contacts[static_cast<std::size_t>(i)];
    const double side = (sides >> i & 1U) != 0U ? -1.0 : 1.0;
    const auto column = static_cast<Eigen::Index>(out.rows.size());
    out.F(2 * i, column) = side;
    if (contact.slip != 0.0) out.F(2 * i + 1, column) = std::copysign(contact.mu, -contact.slip);
    out.rows.push_back(2 * i);
    if (contact.slip != 0.0 || contact.mu <= 0.0) continue;
    out.F(2 * i + 1, column + 1) = 1.0;
    out.rows.push_back(2 * i + 1);
  }
  out.F.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(out.rows.size()));
  return out;
}

/// The direction that changes these velocities least, and how small that change is beside the
/// others.
struct JumpDirection {
  Vec2C impulse;
  double weakness = std::numeric_limits<double>::infinity();
};

JumpDirection find_direction(const JumpProblem& problem, unsigned sides) {
  const JumpSystem system = make_jump_system(problem, sides);
  const Eigen::MatrixXd E = (problem.G * system.F)(system.rows, Eigen::all);
  // Scaled to equal mobilities, so that contacts of light and heavy bodies compare.
  Eigen::VectorXd unit = Eigen::VectorXd::Ones(E.rows());
  for (Eigen::Index i = 0; i < E.rows(); ++i) {
    const Eigen::Index row = system.rows[static_cast<std::size_t>(i)];
    if (problem.G(row, row) > 0.0) unit[i] = 1.0 / std::sqrt(problem.G(row, row));
  }
  const Eigen::MatrixXd scaled = unit.asDiagonal() * E * unit.asDiagonal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(scaled, Eigen::ComputeFullV);
  const Eigen::VectorXd x = unit.cwiseProduct(svd.matrixV().rightCols<1>());
  JumpDirection out{system.F * x, svd.singularValues().tail<1>()[0]};
  double push = 0.0;
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    push += ((sides >> i & 1U) != 0U ? -1.0 : 1.0) * out.impulse[static_cast<Eigen::Index>(2 * i)];
  }
  if (push < 0.0) out.impulse = -out.impulse;
  return out;
}

/// True if the impulse pushes to its side at every contact, and lies inside the cones of contacts
/// without slip.
bool is_admissible(const JumpProblem& problem, unsigned sides, const Vec2C& impulse) {
  const double small = 1e-10 * impulse.cwiseAbs().maxCoeff();  // rounding of the direction
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(2 * i);
    const double normal = (sides >> i & 1U) != 0U ? -impulse[row] : impulse[row];
    if (normal < -small) return false;
    const JumpContact& contact = problem.contacts[i];
    if (contact.slip == 0.0 && std::abs(impulse[row + 1]) > contact.mu * normal + small) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<Vec2C> solve_largest_jump(const JumpProblem& problem) {
  const auto k = problem.contacts.size();
  JumpDirection best;
  for (unsigned sides = 0; sides < (1U << k); ++sides) {
    bool possible = true;
    for (std::size_t i = 0; i < k; ++i) {
      possible &= problem.contacts[i].bilateral || (sides >> i & 1U) == 0U;
    }
    if (!possible) continue;
    const JumpDirection direction = find_direction(problem, sides);
    if (direction.weakness >= best.weakness) continue;
    if (is_admissible(problem, sides, direction.impulse)) best = direction;
  }
  if (best.impulse.size() == 0) return std::nullopt;
  const Vec2C change = problem.G * best.impulse;
  double length = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < k; ++i) {
    const JumpContact& contact = problem.contacts[i];
    const double rate = change[static_cast<Eigen::Index>(2 * i + 1)];
    if (contact.mu <= 0.0 || !(contact.slip * rate < 0.0)) continue;
    length = std::min(length, -2.0 * contact.slip / rate);
  }
  if (!std::isfinite(length)) return std::nullopt;
  return Vec2C(length * best.impulse);
}

}  // namespace slipstick
