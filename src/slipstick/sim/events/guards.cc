#include "slipstick/sim/events/guards.h"

#include <Eigen/LU>
#include <cmath>

#include "slipstick/contact/modes.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// The slack of the family of forces of redundant contacts.
double eval_slack(const Model& model, const Mode& mode, const State& state) {
  PerContact<ClosedContact> closed;
  ModeSolution solution;
  solution.modes = mode.word;
  solution.force_n = VecC::Zero(model.contact_count());
  for (const ClosedMode& contact : mode.closed) {
    if (!contact.shares) continue;
    closed.push_back({contact.contact, contact.mu, contact.mu_s,
                      static_cast<int>(contact.slip_sign), contact.bilateral});
    solution.force_n[contact.contact] = contact.force_sign;
  }
  const Tolerances tolerances;
  const ContactProblem problem =
      make_contact_problem(model, state, eval_contact_kinematics(model, state), closed, tolerances);
  return eval_mode_slack(problem, solution, tolerances).value_or(-1.0);
}

/// The limit of the slack. At an equilibrium on the border of its family of forces the slack is
/// rounding, so a margin is allowed. A mode that starts inside ends at the border itself.
double find_margin(const Model& model, const Mode& mode, const State& state) {
  const double marginal = Tolerances{}.marginal;
  constexpr double kInside = 10.0;  // times what is marginal
  return eval_slack(model, mode, state) > kInside * marginal ? 0.0 : marginal;
}

PerContact<std::size_t> list_bits(const Mode& mode, unsigned subset) {
  PerContact<std::size_t> out;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if ((subset >> i & 1U) != 0U) out.push_back(i);
  }
  return out;
}

}  // namespace

std::vector<Guard> list_guards(const Model& model, const Mode& mode, const State& state,
                               const PerContact<int>& opening) {
  std::vector<Guard> out{{GuardType::kTime, -1, 0, 0}};
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (is_closed(mode.word[k])) continue;
    out.push_back({GuardType::kGap, i, 0, opening[k]});
    if (!eval_is_active(model, i, state)) out.push_back({GuardType::kBegins, i, 0, 0});
  }
  for (std::size_t j = 0; j < mode.closed.size(); ++j) {
    const ClosedMode& contact = mode.closed[j];
    const auto k = static_cast<std::size_t>(contact.contact);
    const auto add = [&](GuardType type, int zero) {
      out.push_back({type, contact.contact, j, zero});
    };
    if (contact.slides()) add(GuardType::kSlip, opening[k]);
    if (model.contacts[k].active_when) add(GuardType::kActive, 0);
    if (contact.shares) continue;
    // Frictionless bilateral contacts may push to either side.
    if (!contact.bilateral || contact.has_friction) add(GuardType::kForce, 0);
    if (!contact.sticks()) continue;
    add(GuardType::kConePlus, 0);
    add(GuardType::kConeMinus, 0);
  }
  if (mode.redundant) {
    const double margin = find_margin(model, mode, state);
    out.push_back({GuardType::kSlack, mode.indices[0], 0, 0, 0, 1.0, margin});
  }
  return out;
}

std::vector<Guard> list_minors(const Mode& mode, const ContactDynamics& dynamics) {
  if (!mode.stretched || mode.closed.size() < 2 || !dynamics.regular) return {};
  unsigned sliding = 0;
  unsigned with_friction = 0;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ClosedMode& contact = mode.closed[i];
    // Feet that share their forces have minors of zero, up to rounding.
    if (contact.bilateral || contact.shares || !contact.slides()) continue;
    sliding |= 1U << i;
    if (contact.slides_with_friction()) with_friction |= 1U << i;
  }
  if (list_bits(mode, with_friction).size() < 2) return {};
  const unsigned all = (1U << mode.closed.size()) - 1U;
  std::vector<Guard> out;
  for (unsigned subset = 1; subset <= sliding; ++subset) {
    // The minor of all closed contacts is d. Without friction a minor stays positive.
    if ((subset & ~sliding) != 0U || subset == all || (subset & with_friction) == 0U) continue;
    const double value = eval_minor(mode, dynamics, subset);
    const double sign = std::abs(value) < kResultRounding ? 0.0 : std::copysign(1.0, value);
    out.push_back({GuardType::kMinor, -1, 0, 0, subset, sign});
  }
  return out;
}

double eval_minor(const Mode& mode, const ContactDynamics& dynamics, unsigned subset) {
  const PerContact<std::size_t> kept = list_bits(mode, subset);
  const auto k = static_cast<Eigen::Index>(kept.size());
  BoundedMatrix<kMaxContacts, kMaxContacts> P(k, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const ClosedMode& contact = mode.closed[kept[static_cast<std::size_t>(j)]];
    const double friction =
        contact.slides_with_friction() ? contact.slip_sign * contact.force_sign * contact.mu : 0.0;
    const auto column = static_cast<Eigen::Index>(2 * kept[static_cast<std::size_t>(j)]);
    for (Eigen::Index i = 0; i < k; ++i) {
      const auto row = static_cast<Eigen::Index>(2 * kept[static_cast<std::size_t>(i)]);
      P(i, j) =
          (dynamics.G(row, column) - friction * dynamics.G(row, column + 1)) / dynamics.G(row, row);
    }
  }
  return k == 1 ? P(0, 0) : P.determinant();
}

bool is_of_forces(const Guard& guard) {
  return guard.type == GuardType::kForce || guard.type == GuardType::kConePlus ||
         guard.type == GuardType::kConeMinus;
}

double eval_state_guard(const Model& model, const Mode& mode, const Guard& guard,
                        const State& state) {
  switch (guard.type) {
    case GuardType::kGap:
      return eval_gap(model, guard.contact, state.q);
    case GuardType::kSlack:
      return eval_slack(model, mode, state) + guard.margin;
    case GuardType::kActive:
      return eval_is_active(model, guard.contact, state) ? 1.0 : -1.0;
    case GuardType::kBegins:
      return eval_is_active(model, guard.contact, state) ? -1.0 : 1.0;
    case GuardType::kMinor:
      return guard.sign * eval_minor(mode,
                                     eval_contact_dynamics(model, state, as_span(mode.indices)),
                                     guard.subset);
    default:
      break;
  }
  const double slip = eval_contact_kinematics(model, state).slip[guard.contact];
  return mode.closed[guard.index].slip_sign * slip;
}

}  // namespace slipstick
