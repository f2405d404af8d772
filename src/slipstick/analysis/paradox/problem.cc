#include <Eigen/LU>
#include <cmath>

#include "slipstick/analysis/paradox/paradox.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/core/input_error.h"
#include "slipstick/model/contact_dynamics.h"

namespace slipstick {

ParadoxProblem make_paradox_problem(const Model& model, const State& initial,
                                    std::span<const Closing> closings, SlipDirection direction,
                                    const Tolerances& tolerances) {
  const ContactProblem contacts =
      make_contact_problem(model, initial, eval_dynamics(model, initial), tolerances);
  ParadoxProblem out{&model, initial, {}, {closings.begin(), closings.end()}};
  for (const ClosedContact& contact : contacts.closed) {
    double sign = contact.slip_sign < 0 ? -1.0 : 1.0;
    if (direction == SlipDirection::kPlus) sign = 1.0;
    if (direction == SlipDirection::kMinus) sign = -1.0;
    out.sliding.push_back({contact.index, sign});
  }
  if (out.sliding.empty()) {
    throw InputError(model.name,
                     "expected a contact that is closed at the initial state, got none");
  }
  return out;
}

std::vector<double> eval_orientations(const ParadoxProblem& problem, const VecQ& q) {
  const Model& model = *problem.model;
  const auto k = static_cast<Eigen::Index>(problem.sliding.size());
  std::vector<int> indices;
  for (const SlidingContact& contact : problem.sliding) indices.push_back(contact.contact);
  const ContactDynamics dynamics =
      eval_contact_dynamics(model, {problem.initial.time, q, VecQ::Zero(q.size())}, indices);
  // Each contact is open, closed, or closed with a negative force: digits of a number.
  const auto contact_at = [&](Eigen::Index i) -> const Contact& {
    return model.contacts[static_cast<std::size_t>(indices[static_cast<std::size_t>(i)])];
  };
  const auto choices = [&](Eigen::Index i) {
    const Contact& contact = contact_at(i);
    return contact.bilateral ? std::pair(1, contact.mu > 0.0 ? 2 : 1) : std::pair(0, 1);
  };
  std::vector<int> choice;
  for (Eigen::Index i = 0; i < k; ++i) choice.push_back(choices(i).first);
  std::vector<double> out;
  while (true) {
    std::vector<Eigen::Index> closed;
    for (Eigen::Index i = 0; i < k; ++i) {
      if (choice[static_cast<std::size_t>(i)] > 0) closed.push_back(i);
    }
    const auto size = static_cast<Eigen::Index>(closed.size());
    Eigen::MatrixXd P(size, size);
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j < size; ++j) {
        const Eigen::Index row = 2 * closed[static_cast<std::size_t>(i)];
        const Eigen::Index col = 2 * closed[static_cast<std::size_t>(j)];
        const auto c = static_cast<std::size_t>(col / 2);
        const double force_sign = choice[c] == 2 ? -1.0 : 1.0;
        const double friction = problem.sliding[c].slip_sign * force_sign * contact_at(col / 2).mu;
        P(i, j) = (dynamics.G(row, col) - friction * dynamics.G(row, col + 1)) /
                  std::sqrt(dynamics.G(row, row) * dynamics.G(col, col));
      }
    }
    if (size > 0) out.push_back(P.determinant());
    Eigen::Index i = 0;
    while (i < k && ++choice[static_cast<std::size_t>(i)] > choices(i).second) {
      choice[static_cast<std::size_t>(i)] = choices(i).first;
      ++i;
    }
    if (i == k) return out;
  }
}

}  // namespace slipstick
