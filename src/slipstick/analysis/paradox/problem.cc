#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/paradox.h"

namespace slipstick {
namespace {

/// Longest arm of the sliding contacts about the angles that turn them. If they sit at their
/// bodies' origins, the model's own length.
double find_length(const Model& model, std::span<const SlidingContact> sliding) {
  double out = 0.0;
  for (const SlidingContact& slider : sliding) {
    double arm = 0.0;
    for (const Row::Term& term :
         model.contacts[static_cast<std::size_t>(slider.contact)].normal.terms) {
      const bool is_angle = model.tree.elements[static_cast<std::size_t>(term.element)].is_angle;
      if (is_angle) arm += std::hypot(term.cosine, term.sine);
    }
    out = std::max(out, arm);
  }
  return out > kResultRounding * model.length_scale ? out : model.length_scale;
}

/// Tests whether gaps are independent of each other, from their gradients at the initial
/// configuration and at a few others. A rank that is lost at single configurations only does not
/// count.
class GapRanks {
 public:
  explicit GapRanks(const ParadoxProblem& problem) {
    constexpr int kSamples = 3;
    for (int k = 0; k < kSamples; ++k) {
      VecQ q = problem.initial.q;
      for (Eigen::Index i = 0; i < q.size(); ++i) {
        q[i] += k * problem.unit[i] * std::sin(1.0 + 1.7 * static_cast<double>(i));  // any numbers
      }
      MatQC W =
          eval_contact_kinematics(*problem.model, {problem.initial.time, q, VecQ::Zero(q.size())})
              .W_n;
      W = problem.unit.asDiagonal() * W;  // lengths
      samples_.emplace_back(W / problem.length);
    }
  }

  [[nodiscard]] bool are_independent(const std::vector<int>& contacts) const {
    return std::any_of(samples_.begin(), samples_.end(), [&](const MatQC& sample) {
      Eigen::MatrixXd W = sample(Eigen::all, contacts);
      for (Eigen::Index j = 0; j < W.cols(); ++j) {
        const double size = W.col(j).norm();
        if (!(size > kSmallest)) return false;
        W.col(j) /= size;
      }
      Eigen::FullPivLU<Eigen::MatrixXd> lu(W);
      lu.setThreshold(kSmallest);
      return lu.rank() == W.cols();
    });
  }

 private:
  static constexpr double kSmallest = 1e-9;  // far above rounding; samples are no special places
  std::vector<MatQC> samples_;
};

std::vector<LawLetter> list_letters(const Contact& contact) {
  if (!contact.bilateral) return {LawLetter::kOpen, LawLetter::kPush};
  if (contact.mu == 0.0) return {LawLetter::kEither};
  return {LawLetter::kPush, LawLetter::kPull};
}

/// Every combination of the contacts' letters, the first contact's changing fastest.
std::vector<LawPiece> list_pieces(const ParadoxProblem& problem) {
  std::vector<LawPiece> out{{}};
  for (const SlidingContact& slider : problem.sliding) {
    std::vector<LawPiece> longer;
    for (const LawLetter letter :
         list_letters(problem.model->contacts[static_cast<std::size_t>(slider.contact)])) {
      for (LawPiece piece : out) {
        piece.push_back(letter);
        longer.push_back(std::move(piece));
      }
    }
    out = std::move(longer);
  }
  return out;
}

std::vector<int> list_closed(const ParadoxProblem& problem, const LawPiece& piece) {
  std::vector<int> out;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] != LawLetter::kOpen) out.push_back(problem.sliding[i].contact);
  }
  return out;
}

void find_holding(const GapRanks& ranks, ParadoxProblem& problem) {
  const Model& model = *problem.model;
  std::vector<SlidingContact> order = problem.sliding;  // bilateral contacts are taken first
  std::stable_partition(order.begin(), order.end(), [&](const SlidingContact& slider) {
    return model.contacts[static_cast<std::size_t>(slider.contact)].bilateral;
  });
  for (const SlidingContact& slider : order) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(slider.contact)];
    if (!ranks.are_independent({slider.contact})) {
      throw InputError(model.name, "contact '" + contact.name +
                                       "': expected a contact that some coordinate moves away from "
                                       "its surface, got one whose gap cannot change");
    }
    problem.holding.push_back(slider.contact);
    if (ranks.are_independent(problem.holding)) continue;
    if (contact.bilateral) {
      throw InputError(model.name, "contact '" + contact.name +
                                       "': expected bilateral contacts that hold different "
                                       "motions, got one that holds what others hold already");
    }
    problem.holding.pop_back();
  }
}

/// Determinant of one piece, scaled to unit normal mobility.
double eval_orientation(const ParadoxProblem& problem, const ContactDynamics& dynamics,
                        const LawPiece& piece) {
  std::vector<Eigen::Index> closed;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] != LawLetter::kOpen) closed.push_back(static_cast<Eigen::Index>(i));
  }
  const auto size = static_cast<Eigen::Index>(closed.size());
  Eigen::MatrixXd P(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const Eigen::Index col = 2 * closed[static_cast<std::size_t>(j)];
    const auto c = static_cast<std::size_t>(col / 2);
    const SlidingContact& sliding = problem.sliding[c];
    const double mu = problem.model->contacts[static_cast<std::size_t>(sliding.contact)].mu;
    const double friction = sliding.slip_sign * (piece[c] == LawLetter::kPull ? -mu : mu);
    for (Eigen::Index i = 0; i < size; ++i) {
      const Eigen::Index row = 2 * closed[static_cast<std::size_t>(i)];
      P(i, j) = (dynamics.G(row, col) - friction * dynamics.G(row, col + 1)) /
                std::sqrt(dynamics.G(row, row) * dynamics.G(col, col));
    }
  }
  return P.determinant();
}

}  // namespace

ParadoxProblem make_sliding_problem(const Model& model, const State& initial,
                                    std::vector<SlidingContact> sliding,
                                    std::span<const Closing> closings) {
  if (sliding.empty()) {
    throw InputError(model.name,
                     "expected a contact that is closed at the initial state, got none");
  }
  ParadoxProblem out;
  out.model = &model;
  out.initial = initial;
  out.sliding = std::move(sliding);
  out.closings.assign(closings.begin(), closings.end());
  out.length = find_length(model, out.sliding);
  out.unit.resize(model.size());
  for (int i = 0; i < model.size(); ++i) {
    out.unit[i] = model.tree.elements[static_cast<std::size_t>(i)].is_angle ? 1.0 : out.length;
  }
  const GapRanks ranks(out);
  find_holding(ranks, out);
  for (LawPiece& piece : list_pieces(out)) {
    const std::vector<int> closed = list_closed(out, piece);
    if (!closed.empty() && ranks.are_independent(closed)) out.pieces.push_back(std::move(piece));
  }
  return out;
}

ParadoxProblem make_paradox_problem(const Model& model, const State& initial,
                                    std::span<const Closing> closings, SlipDirection direction,
                                    const Tolerances& tolerances) {
  const ContactProblem contacts =
      make_contact_problem(model, initial, eval_contact_kinematics(model, initial), tolerances);
  std::vector<SlidingContact> sliding;
  for (const ClosedContact& contact : contacts.closed) {
    double sign = contact.slip_sign < 0 ? -1.0 : 1.0;
    if (direction == SlipDirection::kPlus) sign = 1.0;
    if (direction == SlipDirection::kMinus) sign = -1.0;
    sliding.push_back({contact.index, sign});
  }
  return make_sliding_problem(model, initial, std::move(sliding), closings);
}

std::vector<double> eval_orientations(const ParadoxProblem& problem, const VecQ& q) {
  std::vector<int> indices;
  for (const SlidingContact& sliding : problem.sliding) indices.push_back(sliding.contact);
  const ContactDynamics dynamics = eval_contact_dynamics(
      *problem.model, {problem.initial.time, q, VecQ::Zero(q.size())}, indices);
  if (!dynamics.regular) {
    throw std::domain_error("paradox: the mass matrix is not positive definite");
  }
  std::vector<double> out;
  for (const LawPiece& piece : problem.pieces) {
    out.push_back(eval_orientation(problem, dynamics, piece));
  }
  return out;
}

}  // namespace slipstick
