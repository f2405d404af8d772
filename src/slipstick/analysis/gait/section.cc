#include "slipstick/analysis/gait/section.h"

#include <Eigen/Dense>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/scale.h"

namespace slipstick {

Section::Section(const Model& model, SectionShape shape, double rate)
    : model_(model),
      shape_(std::move(shape)),
      unit_q_(make_coordinate_scale(model)),
      unit_v_(rate * unit_q_) {}

Eigen::VectorXd Section::scale(const Variation& variation) const {
  const int n = model_.size();
  Eigen::VectorXd out(2 * n);
  out.head(n) = variation.q.cwiseQuotient(unit_q_);
  out.tail(n) = variation.v.cwiseQuotient(unit_v_);
  if (const int advance = model_.gait->advance; advance >= 0) out[advance] = 0.0;
  return out;
}

Eigen::VectorXd Section::scale(const State& state) const {
  return scale(Variation{state.q, state.v});
}

Variation Section::unscale(const Eigen::VectorXd& x) const {
  const int n = model_.size();
  return {VecQ(x.head(n)).cwiseProduct(unit_q_), VecQ(x.tail(n)).cwiseProduct(unit_v_)};
}

State Section::project(State state) const {
  constexpr int kMostRounds = 20;
  for (int i = 0; i < kMostRounds; ++i) {
    const Eigen::VectorXd excess = eval_excess(state);
    const Eigen::VectorXd x = eval_gradients(state).completeOrthogonalDecomposition().solve(excess);
    state = move(std::move(state), unscale(-x));
    if (x.norm() <= kNumberRounding) break;
  }
  return state;
}

Eigen::MatrixXd Section::find_tangents(const State& state) const {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(eval_gradients(state).transpose());
  const Eigen::MatrixXd Q = qr.householderQ();
  return Q.rightCols(Q.cols() - qr.rank());
}

Eigen::VectorXd Section::eval_excess(const State& state) const {
  const ContactKinematics contacts = eval_contact_kinematics(model_, state);
  Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(
      shape_.closed.size() + shape_.held.size() + shape_.sticking.size() + 1));
  Eigen::Index row = 0;
  for (const int i : shape_.closed) out[row++] = contacts.gap[i];
  for (const int i : shape_.held) out[row++] = contacts.gap_rate[i];
  for (const int i : shape_.sticking) out[row++] = contacts.slip[i];
  return out;  // the last one is the advance, which does not change
}

Eigen::MatrixXd Section::eval_gradients(const State& state) const {
  const int n = model_.size();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(eval_excess(state).size(), 2 * n);
  for (int j = 0; j < 2 * n; ++j) {
    const KinematicVariation rates =
        eval_kinematic_variation(model_, state, unscale(Eigen::VectorXd::Unit(2 * n, j)));
    Eigen::Index row = 0;
    for (const int i : shape_.closed) out(row++, j) = rates.gap[i];
    for (const int i : shape_.held) out(row++, j) = rates.gap_rate[i];
    for (const int i : shape_.sticking) out(row++, j) = rates.slip[i];
  }
  if (const int advance = model_.gait->advance; advance >= 0) out(out.rows() - 1, advance) = 1.0;
  return out;
}

double find_section_rate(const Model& model, const State& state) {
  const double rate = eval_rate_scale(make_coordinate_scale(model), state.v);
  return rate > 0.0 ? rate : std::sqrt(model.gravity.norm() / model.length_scale);
}

State move(State state, const Variation& change) {
  state.q += change.q;
  state.v += change.v;
  return state;
}

}  // namespace slipstick
