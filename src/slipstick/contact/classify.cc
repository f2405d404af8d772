#include "slipstick/contact/classify.h"

namespace slipstick {

Classification classify(const Model& model, const State& state, const Tolerances& tolerances) {
  std::vector<std::string> names;
  for (const Contact& contact : model.contacts) names.push_back(contact.name);
  const Dynamics dynamics = eval_dynamics(model, state);
  const ContactProblem problem = make_contact_problem(model, state, dynamics, tolerances);
  ModeSolutions modes = find_consistent_modes(problem, names, tolerances);
  Classification out;
  out.contact_class = find_class(modes.solutions);
  out.solutions = std::move(modes.solutions);
  out.kinematics = dynamics.contacts;
  out.status = problem.status;
  out.sliding = eval_sliding(problem, names, tolerances);
  out.marginal = out.sliding.marginal;
  out.marginal.insert(out.marginal.end(), modes.marginal.begin(), modes.marginal.end());
  return out;
}

}  // namespace slipstick
