#include "slipstick/sim/mode/mode_variation.h"

#include <Eigen/Dense>

namespace slipstick {

HeldSystem::HeldSystem(const Dynamics& dynamics, std::span<const int> contacts,
                       const ModeEquations& equations)
    : F_(equations.F) {
  const Eigen::Index n = dynamics.M.rows();
  const auto held = static_cast<Eigen::Index>(equations.rows.size());
  Eigen::MatrixXd W(n, 2 * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    W.col(static_cast<Eigen::Index>(2 * i)) = dynamics.contacts.W_n.col(contacts[i]);
    W.col(static_cast<Eigen::Index>(2 * i + 1)) = dynamics.contacts.W_t.col(contacts[i]);
  }
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + held, n + held);
  K.topLeftCorner(n, n) = dynamics.M;
  K.topRightCorner(n, held) = -W * equations.F;
  for (Eigen::Index i = 0; i < held; ++i) {
    K.row(n + i).head(n) = W.col(equations.rows[static_cast<std::size_t>(i)]).transpose();
  }
  // Scaled so that equations of light bodies count as much as the others.
  row_scale_ = K.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseInverse();
  lu_.compute(row_scale_.asDiagonal() * K);
}

HeldSystem::Solution HeldSystem::solve(const VecQ& g, const Vec2C& c) const {
  Eigen::VectorXd right(g.size() + c.size());
  right << g, c;
  const Eigen::VectorXd x = lu_.solve(row_scale_.cwiseProduct(right));
  return {x.head(g.size()), F_ * x.tail(c.size())};
}

namespace {

/// Selects the rows of a mode's equations from values per contact.
Vec2C choose_rows(const ModeEquations& equations, const Vec2C& values) {
  Vec2C out(static_cast<Eigen::Index>(equations.rows.size()));
  for (std::size_t i = 0; i < equations.rows.size(); ++i) {
    out[static_cast<Eigen::Index>(i)] = values[equations.rows[i]];
  }
  return out;
}

}  // namespace

VariedMode::VariedMode(const Model& model, const Mode& mode, const State& state)
    : model_(model),
      mode_(mode),
      state_(state),
      dynamics_(eval_contact_dynamics(model, state, as_span(mode.indices))) {
  const ModeField field = make_mode_field(mode, dynamics_);
  regular_ = field.regular && field.rate > 0.0;
  if (!regular_) return;
  equations_ = make_mode_equations(mode, dynamics_);
  const Dynamics dynamics = eval_dynamics(model, state);
  system_ = HeldSystem(dynamics, as_span(mode.indices), equations_);
  acceleration_ = field.acceleration / field.rate;
  force_ = field.impulse_rate / field.rate;
  if (mode.redundant) return;  // keeps the member of the family that the motion follows
  Vec2C bias(force_.size());
  for (std::size_t i = 0; i < mode.indices.size(); ++i) {
    bias[static_cast<Eigen::Index>(2 * i)] = dynamics.contacts.bias_n[mode.indices[i]];
    bias[static_cast<Eigen::Index>(2 * i + 1)] = dynamics.contacts.bias_t[mode.indices[i]];
  }
  HeldSystem::Solution solution = system_.solve(-dynamics.h, -choose_rows(equations_, bias));
  acceleration_ = solution.rates;
  force_ = solution.force;
}

/// From the rates R of M v' + h - W f and A of the contacts' accelerations, both for held v' and f
/// = F x: M dv' - W F dx = -R, and W^T dv' = -A in the rows that the mode holds.
ModeVariation VariedMode::vary(const Variation& variation) const {
  const MotionVariation rates = eval_motion_variation(
      model_, state_, {as_span(mode_.indices), acceleration_, force_}, variation);
  const HeldSystem::Solution solution =
      system_.solve(-rates.force, -choose_rows(equations_, rates.acceleration));
  return {solution.rates, solution.force};
}

}  // namespace slipstick
