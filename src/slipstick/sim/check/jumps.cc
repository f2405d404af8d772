/// From the end of a step to the event that it was cut for, and on to the next step.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "slipstick/sim/check/impulse_system.h"
#include "slipstick/sim/check/run_check.h"
#include "slipstick/sim/mode/mode_equations.h"

namespace slipstick::check {

/// No time passes and no impulse acts, so nothing may change. Near a jam the driver goes to the
/// limit in one leap, which must be a motion of the mode with the remaining impulses.
void RunCheck::check_jump(const State& from, const State& to, const Mode* mode, bool ends_rebound) {
  const double duration = to.time - from.time;
  double way = 0.0;
  for (int i = 0; i < model_.size(); ++i) {
    const double unit = mechanism_.is_angle(i) ? 1.0 : length_;
    const double moved = 0.5 * duration * (from.v[i] + to.v[i]);
    way = std::max(
        way, std::abs(to.q[i] - from.q[i] - moved) / (unit + std::abs(moved) + std::abs(to.q[i])));
  }
  findings_.note("continuity", -1, to.time, way, tolerances_.jump);
  const Placed& placed = place(to);
  const VecQ change = to.v - from.v;
  const double scale =
      std::max({momentum_scale_, eval_speed_scale(placed, from.v), eval_speed_scale(placed, to.v)});
  if (scale == 0.0) return;
  const double size = eval_speed_scale(placed, change) / scale;
  if (size <= tolerances_.jump) return;
  // A rebound that the driver ends has a note, unless it is far slower than the rest.
  const double slow = ends_rebound ? tolerances_.ended : tolerances_.untold;
  if (size * scale <= slow * eval_natural_scale(placed)) {
    const double kinetic = placed.kinetic;
    const double gain = kinetic - place({to.time, to.q, from.v}).kinetic;
    verdict_.balance.impacts += gain;
    turnover_ += std::abs(gain);
    return;
  }
  if (mode != nullptr && follow_jump(from, to, *mode)) return;
  findings_.note("continuity", -1, to.time, size, tolerances_.jump);
}

/// Solves M (v_to - v_from) + h dt = W F x, with the mode's directions F, by least squares, and
/// adds the work of these impulses.
bool RunCheck::follow_jump(const State& from, const State& to, const Mode& mode) {
  if (mode.closed.empty()) return false;
  const VecQ change = to.v - from.v;
  const double duration = to.time - from.time;
  Placed before;
  mechanism_.place(from, zeros_.data(), 0.0, before);
  // Evaluated half-way, so that the leap is exact to its square.
  const State middle{0.5 * (from.time + to.time), 0.5 * (from.q + to.q), 0.5 * (from.v + to.v)};
  Placed end;
  mechanism_.place(to, zeros_.data(), 0.0, end);
  mechanism_.place(middle, change.data(), duration, placed_);
  const auto k = static_cast<int>(mode.closed.size());
  const auto friction = [&](const ClosedMode& closed) {
    return closed.slides_with_friction() ? -closed.slip_sign * closed.force_sign * closed.mu : 0.0;
  };
  auto [A, b] =
      make_impulse_system(placed_, model_.size(), {mode.indices.begin(), mode.indices.end()});
  for (int j = 0; j < k; ++j) {
    const ClosedMode& closed = mode.closed[static_cast<std::size_t>(j)];
    A.col(2 * j) += friction(closed) * A.col(2 * j + 1);
    if (!closed.sticks()) A.col(2 * j + 1).setZero();
  }
  const Eigen::VectorXd x = Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(A).solve(b);
  const double scale = b.cwiseAbs().maxCoeff();
  // The directions of the forces change on the way.
  if ((A * x - b).cwiseAbs().maxCoeff() > kJumpTurn * scale) return false;
  for (int j = 0; j < k; ++j) {
    const ClosedMode& closed = mode.closed[static_cast<std::size_t>(j)];
    const auto c = static_cast<std::size_t>(closed.contact);
    const double impulse_n = x[2 * j];
    const double impulse_t = friction(closed) * impulse_n + x[2 * j + 1];
    if (!closed.bilateral && impulse_n < -kJumpTurn * x.cwiseAbs().maxCoeff()) return false;
    const double slip = 0.5 * (before.contacts[c].slip + end.contacts[c].slip);
    const double work = impulse_t * slip;
    verdict_.balance.friction += work;
    verdict_.balance.surfaces += impulse_t * placed_.contacts[c].surface_speed;
    turnover_ += std::abs(work) + std::abs(impulse_t * placed_.contacts[c].surface_speed);
  }
  verdict_.balance.loads += duration * placed_.load_power;
  verdict_.balance.damping += duration * placed_.damping_power;
  return true;
}

}  // namespace slipstick::check
