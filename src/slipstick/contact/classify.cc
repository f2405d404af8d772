#include "slipstick/contact/classify.h"

namespace slipstick {

Classification classify(const Model& model, const State& state, const Tolerances& tolerances) {
  Classification out;
  out.kinematics = eval_contact_kinematics(model, state);
  const ContactProblem problem = make_contact_problem(model, state, out.kinematics, tolerances);
  ModeSolutions modes = find_consistent_modes(problem, model.contact_names, tolerances);
  out.contact_class = find_class(modes.solutions);
  out.solutions = std::move(modes.solutions);
  out.status = problem.status;
  out.sliding = eval_sliding(problem, model.contact_names, tolerances);
  out.marginal = out.sliding.marginal;
  out.marginal.insert(out.marginal.end(), modes.marginal.begin(), modes.marginal.end());
  return out;
}

}  // namespace slipstick
