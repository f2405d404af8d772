#include "slipstick/analysis/paradox/case_mapper.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "slipstick/analysis/paradox/closed_branch.h"
#include "slipstick/analysis/paradox/follow.h"
#include "slipstick/contact/modes.h"
#include "slipstick/core/scales.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"

namespace slipstick {

CaseMapper::CaseMapper(const ParadoxProblem& problem, const MapAxis& first, const MapAxis& second)
    : problem_(problem), axes_{first, second} {
  std::vector<int> driven_rates;
  for (const MapAxis& axis : axes_) {
    if (axis.is_coordinate()) driven_.push_back(axis.coordinate);
    if (axis.is_rate) driven_rates.push_back(axis.coordinate);
  }
  for (const SlidingContact& contact : problem.sliding) indices_.push_back(contact.contact);
  const Contact& first_contact = problem.model->contacts[static_cast<std::size_t>(indices_[0])];
  is_lone_ = indices_.size() == 1 && !first_contact.bilateral;
  moves_gaps_ = find_moves_gaps();
  if (moves_gaps_) followers_ = choose_followers(problem, driven_, FollowFirst::kFile);
  can_close_ = !moves_gaps_ || !followers_.empty();
  rate_followers_ = choose_rate_followers(driven_rates);
  value_count_ = is_lone_ ? 2 : problem.pieces.size() + indices_.size();
}

void CaseMapper::set_axes(double x, double y, State& state) const {
  const std::array<double, 2> values{x, y};
  for (std::size_t i = 0; i < 2; ++i) {
    if (!axes_[i].parameter.empty()) continue;
    (axes_[i].is_rate ? state.v : state.q)[axes_[i].coordinate] = values[i];
  }
}

bool CaseMapper::set_rates(State& state) const {
  if (!moves_gaps_) return true;
  for (const int i : rate_followers_) state.v[i] = 0.0;
  ContactKinematics contacts = eval_contact_kinematics(*problem_.model, state);
  const auto rows = static_cast<Eigen::Index>(problem_.holding.size());
  const auto columns = static_cast<Eigen::Index>(rate_followers_.size());
  Eigen::MatrixXd J(rows, columns);
  Eigen::VectorXd rates(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const int c = problem_.holding[static_cast<std::size_t>(i)];
    rates[i] = contacts.gap_rate[c];
    for (Eigen::Index j = 0; j < columns; ++j) {
      const int k = rate_followers_[static_cast<std::size_t>(j)];
      J(i, j) = contacts.W_n(k, c) * problem_.unit[k];
    }
  }
  const Eigen::VectorXd solution = J.colPivHouseholderQr().solve(-rates);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const int k = rate_followers_[static_cast<std::size_t>(j)];
    state.v[k] = solution[j] * problem_.unit[k];
  }
  for (Eigen::Index i = 0; i < rows; ++i) {
    const int c = problem_.holding[static_cast<std::size_t>(i)];
    const double left = contacts.W_n.col(c).dot(state.v);
    const double terms = contacts.W_n.col(c).cwiseAbs().dot(state.v.cwiseAbs());
    if (!(std::abs(left) <= kClosure * terms)) return false;
  }
  return true;
}

int CaseMapper::eval(const State& state, double* out) const {
  if (!is_lone_) return eval_several(state, out);
  const auto [p, b] =
      eval_sliding_response(*problem_.model, state, indices_[0], problem_.sliding[0].slip_sign);
  out[0] = p;
  out[1] = b;
  if (!std::isfinite(p) || !std::isfinite(b)) return 0;  // the mass matrix is singular there
  if (b == 0.0) return 2;  // without a force the contact stays where it is
  return p > 0.0 ? (b < 0.0 ? 1 : 2) : (b > 0.0 ? 3 : 4);
}

std::vector<double> CaseMapper::list_targets(double x, double y) const {
  std::vector<double> out;
  if (axes_[0].is_coordinate()) out.push_back(x);
  if (axes_[1].is_coordinate()) out.push_back(y);
  return out;
}

std::optional<State> CaseMapper::find_state(double x, double y) const {
  State out = problem_.initial;
  if (!follow_to(problem_, followers_, driven_, list_targets(x, y), out.q)) return std::nullopt;
  set_axes(x, y, out);
  if (!set_rates(out)) return std::nullopt;
  return out;
}

bool CaseMapper::follows(int coordinate) const {
  const bool in_rates = std::count(rate_followers_.begin(), rate_followers_.end(), coordinate) > 0;
  return in_rates || std::any_of(followers_.begin(), followers_.end(),
                                 [&](const Closing& c) { return c.coordinate == coordinate; });
}

std::string CaseMapper::name_value(std::size_t which) const {
  const std::size_t pieces = value_count_ - indices_.size();
  if (indices_.size() == 1) return which < pieces ? "p = 0" : "b = 0";
  if (which < pieces) return "minor " + std::to_string(which + 1) + " of P = 0";
  const auto contact = static_cast<std::size_t>(indices_[which - pieces]);
  return "b of " + problem_.model->contacts[contact].name + " = 0";
}

int CaseMapper::eval_several(const State& state, double* out) const {
  const std::vector<double> orientations = eval_orientations(problem_, state.q);
  double* out_b = std::copy(orientations.begin(), orientations.end(), out);
  PerContact<ClosedContact> closed;
  for (const SlidingContact& sliding : problem_.sliding) {
    const Contact& contact = problem_.model->contacts[static_cast<std::size_t>(sliding.contact)];
    closed.push_back({sliding.contact, contact.mu, contact.mu_s, sliding.slip_sign > 0.0 ? 1 : -1,
                      contact.bilateral});
  }
  const Tolerances tolerances;
  const ContactProblem contacts = make_contact_problem(
      *problem_.model, state, eval_contact_kinematics(*problem_.model, state), closed, tolerances);
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    out_b[i] = contacts.a_free[2 * static_cast<Eigen::Index>(i)];
  }
  const ModeSolutions modes =
      find_consistent_modes(contacts, problem_.model->contact_names, tolerances);
  switch (find_class(modes.solutions)) {
    case ContactClass::kInconsistent:
      return 4;
    case ContactClass::kIndeterminate:
      return 3;
    case ContactClass::kConsistent:
      break;
  }
  const ModeWord& word = modes.solutions.front().modes;
  return std::any_of(word.begin(), word.end(), is_closed) ? 1 : 2;
}

/// The coordinates whose rates keep the contacts closed: those that close the configuration, or
/// others if an axis gives their rates. If no choice of them is possible, all that are left.
std::vector<int> CaseMapper::choose_rate_followers(const std::vector<int>& driven) const {
  std::vector<int> out;
  for (const Closing& closing : choose_followers(problem_, driven, FollowFirst::kFile)) {
    out.push_back(closing.coordinate);
  }
  if (!out.empty()) return out;
  for (int i = 0; i < problem_.model->size(); ++i) {
    if (std::find(driven.begin(), driven.end(), i) == driven.end()) out.push_back(i);
  }
  return out;
}

/// False if no axis appears in the gap of a closed contact, so that nothing has to follow.
bool CaseMapper::find_moves_gaps() const {
  const Tree& tree = problem_.model->tree;
  if (!tree.coordinates_are_internal) return true;
  for (const int index : indices_) {
    for (const Row::Term& term :
         problem_.model->contacts[static_cast<std::size_t>(index)].normal.terms) {
      if (term.cosine == 0.0 && term.sine == 0.0) continue;
      const Element& element = tree.elements[static_cast<std::size_t>(term.element)];
      for (const MapAxis& axis : axes_) {
        if (!axis.parameter.empty()) continue;
        if (axis.coordinate == term.element || axis.coordinate == element.frame) return true;
      }
    }
  }
  return false;
}

}  // namespace slipstick
