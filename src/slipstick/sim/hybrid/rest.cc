#include "slipstick/sim/hybrid/rest.h"

#include <Eigen/QR>
#include <algorithm>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

/// True if a load, or the surface of a closed contact, may change later.
bool may_wake(const Model& model, const HybridState& at) {
  if (!model.depends_on_time) return false;
  const auto changes = [&](int i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    return model.surfaces[static_cast<std::size_t>(contact.surface)].speed.uses("t");
  };
  const PerContact<int> closed = at.contacts.list();
  return do_loads_depend_on_time(model) || std::any_of(closed.begin(), closed.end(), changes);
}

/// True if the closed contacts allow no motion to first order.
bool is_held(const Model& model, const HybridState& at) {
  const ContactKinematics contacts = eval_contact_kinematics(model, at.state);
  const VecQ scale = make_coordinate_scale(model);
  Eigen::MatrixXd directions(model.size(), 0);
  const auto add = [&](const auto& direction) {
    directions.conservativeResize(Eigen::NoChange, directions.cols() + 1);
    directions.rightCols(1) = scale.cwiseProduct(direction);
  };
  for (const ClosedMode& contact : at.mode.closed) {
    add(contacts.W_n.col(contact.contact));
    if (contact.sticks()) add(contacts.W_t.col(contact.contact));
  }
  if (directions.cols() < model.size()) return false;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(directions);
  return solver.setThreshold(kDependent).rank() == model.size();
}

}  // namespace

bool is_at_rest(const Model& model, const HybridState& at, const ModeSolution& solution) {
  if (!solution.family.acceleration_is_unique || may_wake(model, at)) return false;
  // A part that came to rest earlier keeps a rounding error of the speeds it had.
  const VecQ small =
      (kStill * at.moved)
          .cwiseMax(kSumRounding *
                    (model.gravity.norm() * model.lengths.cwiseInverse()).cwiseSqrt());
  if ((eval_speeds(model, at.state).array() > small.array()).any()) return false;
  const ContactDynamics dynamics = eval_contact_dynamics(model, at.state, as_span(at.mode.indices));
  VecQ terms = dynamics.free_acceleration.cwiseAbs();
  for (std::size_t i = 0; i < at.mode.indices.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(2 * i);
    terms += dynamics.M_inverse_W.col(column).cwiseAbs() *
             std::abs(solution.force_n[at.mode.indices[i]]);
    terms += dynamics.M_inverse_W.col(column + 1).cwiseAbs() *
             std::abs(solution.force_t[at.mode.indices[i]]);
  }
  const VecQ scale = make_coordinate_scale(model);
  const VecQ push =
      spread_over_groups(model, solution.acceleration.cwiseAbs().cwiseQuotient(scale));
  VecQ balance = spread_over_groups(model, terms.cwiseQuotient(scale));
  // The terms of light parts may be very large, so gravity limits the scale of accelerations.
  constexpr double kMost = 1e3;  // times gravity: stiffer balances than any weight needs
  const double g = model.gravity.norm();
  if (model.has_light_parts && g > 0.0)
    balance = balance.cwiseMin(kMost * g * model.lengths.cwiseInverse());
  // A body that the contacts do not hold starts to move under any force, however small beside the
  // weight.
  const double small_push = is_held(model, at) ? kStill : kSolveRounding;
  return (push.array() <= small_push * balance.array()).all();
}

}  // namespace slipstick
