#include "slipstick/sim/guards.h"

namespace slipstick {
namespace {

/// Of the family of forces of redundant contacts.
double eval_slack(const Model& model, const Mode& mode, const State& state) {
  PerContact<ClosedContact> closed;
  ModeSolution solution;
  solution.modes = mode.word;
  solution.force_n = VecC::Zero(model.contact_count());
  for (const ContactMode& contact : mode.closed) {
    closed.push_back({contact.contact, contact.mu, contact.mu_s,
                      static_cast<int>(contact.slip_sign), contact.bilateral});
    solution.force_n[contact.contact] = contact.force_sign;
  }
  const Tolerances tolerances;
  const ContactProblem problem =
      make_contact_problem(model, state, eval_contact_kinematics(model, state), closed, tolerances);
  // An equilibrium may sit on the border of its family of forces.
  return eval_mode_slack(problem, solution, tolerances).value_or(-1.0) + tolerances.marginal;
}

}  // namespace

std::vector<Guard> list_guards(const Model& model, const Mode& mode,
                               const PerContact<int>& opening) {
  std::vector<Guard> out{{GuardType::kTime, -1, 0, 0}};
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (mode.word[k] == 'F') out.push_back({GuardType::kGap, i, 0, opening[k]});
  }
  for (std::size_t j = 0; j < mode.closed.size(); ++j) {
    const ContactMode& contact = mode.closed[j];
    const auto k = static_cast<std::size_t>(contact.contact);
    const auto add = [&](GuardType type, int zero) {
      out.push_back({type, contact.contact, j, zero});
    };
    if (contact.letter != 'S') add(GuardType::kSlip, opening[k]);
    if (model.contacts[k].active_when) add(GuardType::kActive, 0);
    if (mode.redundant) continue;
    // Frictionless bilateral contacts push either way.
    if (!contact.bilateral || contact.has_friction) add(GuardType::kForce, 0);
    if (!contact.sticks()) continue;
    add(GuardType::kConePlus, 0);
    add(GuardType::kConeMinus, 0);
  }
  if (mode.redundant) out.push_back({GuardType::kSlack, mode.indices[0], 0, 0});
  return out;
}

bool is_of_forces(const Guard& guard) {
  return guard.type == GuardType::kForce || guard.type == GuardType::kConePlus ||
         guard.type == GuardType::kConeMinus;
}

double eval_force_guard(const Mode& mode, const Guard& guard, double normal, double tangential) {
  const ContactMode& contact = mode.closed[guard.index];
  const double pressure = contact.force_sign * normal;
  switch (guard.type) {
    case GuardType::kConePlus:
      return contact.mu_s * pressure - tangential;
    case GuardType::kConeMinus:
      return contact.mu_s * pressure + tangential;
    default:
      return pressure;
  }
}

double eval_state_guard(const Model& model, const Mode& mode, const Guard& guard,
                        const State& state) {
  switch (guard.type) {
    case GuardType::kGap:
      return eval_gap(model, guard.contact, state.q);
    case GuardType::kSlack:
      return eval_slack(model, mode, state);
    case GuardType::kActive:
      return eval_is_active(model, guard.contact, state) ? 1.0 : -1.0;
    default:
      break;
  }
  const double slip = eval_contact_kinematics(model, state).slip[guard.contact];
  return mode.closed[guard.index].slip_sign * slip;
}

}  // namespace slipstick
