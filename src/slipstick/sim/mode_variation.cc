#include "slipstick/sim/mode_variation.h"

#include <Eigen/Dense>

namespace slipstick {

VariedMode::VariedMode(const Model& model, const Mode& mode, const State& state)
    : model_(model),
      mode_(mode),
      state_(state),
      dynamics_(eval_contact_dynamics(model, state, as_span(mode.indices))) {
  const ModeField field = make_mode_field(mode, dynamics_);
  regular_ = field.regular && field.rate > 0.0;
  if (!regular_) return;
  equations_ = make_mode_equations(mode, dynamics_);
  mass_.compute(eval_dynamics(model, state).M);
  acceleration_ = field.acceleration / field.rate;
  force_ = field.impulse_rate / field.rate;
}

/// With the rates R of M v' + h - W f and A of the contacts' accelerations, both for held v' and
/// f = F x: M dv' - W F dx = -R, and W' dv' = -A in the rows that the mode holds.
ModeVariation VariedMode::vary(const Variation& variation) const {
  const MotionVariation rates = eval_motion_variation(
      model_, state_, {as_span(mode_.indices), acceleration_, force_}, variation);
  ModeVariation out;
  out.acceleration = -mass_.solve(rates.force);
  out.force.resize(force_.size());
  if (equations_.rows.empty()) return out;
  const Vec2C excess = dynamics_.M_inverse_W.transpose() * rates.force - rates.acceleration;
  Vec2C right(static_cast<Eigen::Index>(equations_.rows.size()));
  for (std::size_t i = 0; i < equations_.rows.size(); ++i) {
    right[static_cast<Eigen::Index>(i)] = excess[equations_.rows[i]];
  }
  const Vec2C x = mode_.redundant ? Vec2C(Eigen::MatrixXd(equations_.E)
                                              .completeOrthogonalDecomposition()
                                              .solve(Eigen::VectorXd(right)))
                                  : Vec2C(equations_.E.partialPivLu().solve(right));
  out.force = equations_.F * x;
  out.acceleration += dynamics_.M_inverse_W * out.force;
  return out;
}

}  // namespace slipstick
