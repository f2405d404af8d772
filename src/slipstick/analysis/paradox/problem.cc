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
      make_contact_problem(model, initial, eval_contact_kinematics(model, initial), tolerances);
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

namespace {

/// What a contact does in a piece of the law: 0 open, 1 closed, 2 closed with a negative force.
using LawPiece = std::vector<int>;

/// Least and greatest choice of a contact: unilateral ones open, frictionless slides have one sign.
std::pair<int, int> list_choices(const Contact& contact) {
  if (!contact.bilateral) return {0, 1};
  return {1, contact.mu > 0.0 ? 2 : 1};
}

/// Determinant of one piece, scaled to unit normal mobility; nothing if all contacts are open.
std::optional<double> eval_orientation(const ParadoxProblem& problem,
                                       const ContactDynamics& dynamics, const LawPiece& piece) {
  std::vector<Eigen::Index> closed;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] > 0) closed.push_back(static_cast<Eigen::Index>(i));
  }
  if (closed.empty()) return std::nullopt;
  const auto size = static_cast<Eigen::Index>(closed.size());
  Eigen::MatrixXd P(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const Eigen::Index col = 2 * closed[static_cast<std::size_t>(j)];
    const auto c = static_cast<std::size_t>(col / 2);
    const SlidingContact& sliding = problem.sliding[c];
    const double mu = problem.model->contacts[static_cast<std::size_t>(sliding.contact)].mu;
    const double friction = sliding.slip_sign * (piece[c] == 2 ? -mu : mu);
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index row = 2 * closed[static_cast<std::size_t>(i)];
      P(i, j) = (dynamics.G(row, col) - friction * dynamics.G(row, col + 1)) /
                std::sqrt(dynamics.G(row, row) * dynamics.G(col, col));
    }
  }
  return P.determinant();
}

}  // namespace

std::vector<double> eval_orientations(const ParadoxProblem& problem, const VecQ& q) {
  const Model& model = *problem.model;
  std::vector<int> indices;
  std::vector<std::pair<int, int>> choices;
  LawPiece piece;
  for (const SlidingContact& sliding : problem.sliding) {
    indices.push_back(sliding.contact);
    choices.push_back(list_choices(model.contacts[static_cast<std::size_t>(sliding.contact)]));
    piece.push_back(choices.back().first);
  }
  const ContactDynamics dynamics =
      eval_contact_dynamics(model, {problem.initial.time, q, VecQ::Zero(q.size())}, indices);
  std::vector<double> out;
  while (true) {
    if (const auto orientation = eval_orientation(problem, dynamics, piece)) {
      out.push_back(*orientation);
    }
    std::size_t i = 0;  // count up, each contact a digit
    while (i < piece.size() && ++piece[i] > choices[i].second) {
      piece[i] = choices[i].first;
      ++i;
    }
    if (i == piece.size()) return out;
  }
}

}  // namespace slipstick
