#include "slipstick/contact/classify.h"

namespace slipstick {

std::vector<int> Classification::list_colliding() const {
  std::vector<int> out;
  for (std::size_t i = 0; i < status.size(); ++i) {
    if (status[i] == ContactStatus::kColliding) out.push_back(static_cast<int>(i));
  }
  return out;
}

Classification classify(const Model& model, const State& state, const Tolerances& tolerances) {
  Classification out;
  const ContactProblem problem = make_contact_problem(model, state, tolerances, out.kinematics);
  find_consistent_modes(problem, model.contact_names, tolerances, out);
  out.contact_class = find_class(out.solutions);
  out.status = problem.status;
  out.sliding = eval_sliding(problem, model.contact_names, tolerances);
  const auto& marginal = out.sliding.marginal;
  out.marginal.insert(out.marginal.begin(), marginal.begin(), marginal.end());
  return out;
}

}  // namespace slipstick
