/// Rest: no velocity, and forces that hold the loads.

#include <algorithm>
#include <cmath>
#include <limits>

#include "slipstick/core/linear_program.h"
#include "slipstick/sim/check/run_check.h"

namespace slipstick::check {

void RunCheck::check_rest(const Event& event) {
  const Placed& placed = place(event.before);
  const double speed = eval_speed_scale(placed, event.before.v);
  if (momentum_scale_ > 0.0) {
    findings_.note("rest", -1, event.time, speed / momentum_scale_, kAtRest);
  }
  findings_.note("rest", -1, event.time, event.after.v.cwiseAbs().maxCoeff(), 0.0);
  unsigned bilateral = 0;
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    if (model_.contacts[i].bilateral) bilateral |= 1U << i;
  }
  // Friction of a bilateral contact depends on the sign of its normal force, so both signs are
  // tried.
  double least = std::numeric_limits<double>::infinity();
  for (unsigned signs = 0; signs < 1U << model_.contacts.size(); ++signs) {
    if ((signs & ~bilateral) != 0U) continue;
    least = std::min(least, find_imbalance(event.after, signs));
  }
  findings_.note("equilibrium", -1, event.time, least, kHeld);
}

/// Least share of the loads that no admissible forces of the closed contacts balance, by a linear
/// program in (f_n, f_t, ..., share).
double RunCheck::find_imbalance(const State& state, unsigned signs) {
  const int n = model_.size();
  mechanism_.place(state, zeros_.data(), 1.0, placed_);
  double unit = 0.0;
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    unit = std::max(unit, placed_.size[k] / placed_.root[k]);
  }
  if (unit == 0.0) return 0.0;
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const ContactMotion& at = placed_.contacts[i];
    if (at.exists && std::abs(at.gap) / length_ <= allowed_gap(at, tolerances_.gap)) {
      closed.push_back(i);
    }
  }
  const auto count = static_cast<int>(closed.size());
  const int columns = 2 * count + 1;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n + 3 * count + 1, columns);
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
  // |balance - W f| <= part, per coordinate in units of the loads; f in units that move as much.
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    for (int j = 0; j < count; ++j) {
      const ContactMotion& at = placed_.contacts[closed[static_cast<std::size_t>(j)]];
      const double mobility = std::max(at.mobility_n, at.mobility_t);
      A(2 * i, 2 * j) = at.W_n[k] / placed_.root[k] / mobility;
      A(2 * i, 2 * j + 1) = at.W_t[k] / placed_.root[k] / mobility;
    }
    b[2 * i] = placed_.balance[k] / placed_.root[k] / unit;
    A.row(2 * i + 1) = -A.row(2 * i);
    b[2 * i + 1] = -b[2 * i];
    A(2 * i, columns - 1) = A(2 * i + 1, columns - 1) = -1.0;
  }
  for (int j = 0; j < count; ++j) {
    const std::size_t c = closed[static_cast<std::size_t>(j)];
    const ContactMotion& at = placed_.contacts[c];
    const double sign = (signs >> c & 1U) != 0U ? -1.0 : 1.0;
    const Contact& contact = model_.contacts[c];
    const int row = 2 * n + 3 * j;
    const bool slides = at.slip != 0.0;
    const double mu = slides ? contact.mu : contact.mu_s;
    A(row, 2 * j) = -sign;
    A(row + 1, 2 * j) = A(row + 2, 2 * j) = -sign * mu;
    A(row + 1, 2 * j + 1) = 1.0;
    A(row + 2, 2 * j + 1) = -1.0;
    if (!slides) continue;
    // f_t = -s mu |f_n|
    const double along = at.slip > 0.0 ? 1.0 : -1.0;
    A(row + 1, 2 * j) = sign * mu * along;
    A(row + 1, 2 * j + 1) = 1.0;
    A.row(row + 2) = -A.row(row + 1);
  }
  A(A.rows() - 1, columns - 1) = -1.0;
  Eigen::VectorXd c = Eigen::VectorXd::Zero(columns);
  c[columns - 1] = -1.0;
  const LinearProgramResult result = solve_linear_program(A, b, c);
  return result.status == LinearProgramStatus::kOptimal ? -result.value
                                                        : std::numeric_limits<double>::infinity();
}

}  // namespace slipstick::check
