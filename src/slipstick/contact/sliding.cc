#include "slipstick/contact/sliding.h"

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <utility>

namespace slipstick {
namespace {

using MatC = BoundedMatrix<kMaxContacts, kMaxContacts>;

/// P of some of the closed contacts, given by their places in the problem.
MatC make_sliding_mobility(const ContactProblem& problem, const PerContact<int>& places) {
  const auto k = static_cast<Eigen::Index>(places.size());
  MatC out(k, k);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) {
      const int row = 2 * places[static_cast<std::size_t>(i)];
      const int place = places[static_cast<std::size_t>(j)];
      const ClosedContact& contact = problem.closed[static_cast<std::size_t>(place)];
      const double friction = contact.slip_sign * contact.mu * problem.G(row, 2 * place + 1);
      out(i, j) = problem.G(row, 2 * place) - friction;
    }
  }
  return out;
}

/// Rows and columns of P whose bits are set.
MatC make_submatrix(const MatC& P, unsigned bits) {
  PerContact<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < P.rows(); ++i) {
    if ((bits >> static_cast<unsigned>(i) & 1U) != 0U) kept.push_back(i);
  }
  MatC out(static_cast<Eigen::Index>(kept.size()), static_cast<Eigen::Index>(kept.size()));
  for (Eigen::Index i = 0; i < out.rows(); ++i) {
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      out(i, j) = P(kept[static_cast<std::size_t>(i)], kept[static_cast<std::size_t>(j)]);
    }
  }
  return out;
}

/// The principal minors of P of these contacts.
std::vector<Minor> list_sliding_minors(const ContactProblem& problem,
                                       const PerContact<int>& unilateral) {
  const MatC P = make_sliding_mobility(problem, unilateral);
  std::vector<Minor> out;
  for (unsigned bits = 1; bits < 1U << unilateral.size(); ++bits) {
    Minor minor;
    for (std::size_t i = 0; i < unilateral.size(); ++i) {
      if ((bits >> i & 1U) == 0U) continue;
      minor.contacts.push_back(problem.closed[static_cast<std::size_t>(unilateral[i])].index);
    }
    minor.value = make_submatrix(P, bits).determinant();
    out.push_back(std::move(minor));
  }
  return out;
}

/// Finds out whether P of these contacts is a P-matrix, and which of its minors are marginal. P is
/// scaled to unit normal mobility, which keeps the signs of all minors.
void judge_minors(const ContactProblem& problem, const PerContact<int>& unilateral,
                  const Tolerances& tolerances, Sliding& out) {
  const auto k = static_cast<Eigen::Index>(unilateral.size());
  MatC P(k, k);
  double size = 1.0;
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) {
      const int row = 2 * unilateral[static_cast<std::size_t>(i)];
      const int col = 2 * unilateral[static_cast<std::size_t>(j)];
      const ClosedContact& contact =
          problem.closed[static_cast<std::size_t>(unilateral[static_cast<std::size_t>(j)])];
      const double normal = problem.G(row, col);
      const double friction = contact.slip_sign * contact.mu * problem.G(row, col + 1);
      const double unit = std::sqrt(problem.G(row, row) * problem.G(col, col));
      P(i, j) = (normal - friction) / unit;
      size = std::max(size, (std::abs(normal) + std::abs(friction)) / unit);
    }
  }
  out.p_matrix = true;
  for (unsigned bits = 1; bits < 1U << unilateral.size(); ++bits) {
    const MatC minor = make_submatrix(P, bits);
    const double determinant = minor.determinant();
    const double zero = tolerances.marginal * std::pow(size, minor.rows());
    if (minor.rows() > 1 && std::abs(determinant) <= zero) {
      out.marginal.emplace_back("a minor of P");
    }
    // A minor of redundant contacts is zero, and the sign of its rounding error decides nothing.
    if (!(determinant > zero)) out.p_matrix = false;
  }
}

}  // namespace

Sliding eval_sliding(const ContactProblem& problem, const std::vector<std::string>& contact_names,
                     const Tolerances& tolerances) {
  Sliding out;
  PerContact<int> sliding;
  PerContact<int> unilateral;
  bool p_is_zero = false;  // of the last one
  for (int i = 0; i < problem.closed_count(); ++i) {
    const ClosedContact& contact = problem.closed[static_cast<std::size_t>(i)];
    if (contact.slip_sign == 0) continue;
    const double friction = contact.slip_sign * contact.mu * problem.G(2 * i, 2 * i + 1);
    const double p = problem.G(2 * i, 2 * i) - friction;
    const double zero = tolerances.marginal * (problem.G(2 * i, 2 * i) + std::abs(friction));
    const double b = problem.a_free[2 * i];
    const std::string& name = contact_names.at(static_cast<std::size_t>(contact.index));
    p_is_zero = std::abs(p) <= zero;
    if (p_is_zero) out.marginal.push_back("p of " + name);
    if (std::abs(b) <= tolerances.marginal * problem.a_scale[2 * i]) {
      out.marginal.push_back("b of " + name);
    }
    out.contacts.push_back({contact.index, p, b});
    sliding.push_back(i);
    if (!contact.bilateral) unilateral.push_back(i);
  }
  out.P = make_sliding_mobility(problem, sliding);
  if (unilateral.empty()) return out;
  out.minors = list_sliding_minors(problem, unilateral);
  if (out.contacts.size() == 1) {
    out.p_matrix = out.contacts[0].p > 0.0 && !p_is_zero;
  } else {
    judge_minors(problem, unilateral, tolerances, out);
  }
  return out;
}

Sliding eval_sliding(const Model& model, const ModeWord& modes, const State& state) {
  PerContact<ClosedContact> closed;
  for (int i = 0; i < model.contact_count(); ++i) {
    const ContactMode mode = modes[static_cast<std::size_t>(i)];
    if (!is_sliding(mode)) continue;
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    closed.push_back({i, contact.mu, contact.mu_s, eval_slip_sign(mode), contact.bilateral});
  }
  const Tolerances tolerances;
  return eval_sliding(
      make_contact_problem(model, state, eval_contact_kinematics(model, state), closed, tolerances),
      model.contact_names, tolerances);
}

SlidingRow eval_sliding_row(const Model& model, const ModeWord& modes, const State& state) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const int count = model.contact_count();
  SlidingRow out{VecC::Constant(count, none), VecC::Constant(count, none)};
  for (int i = 0; i < count; ++i) {
    const ContactMode mode = modes[static_cast<std::size_t>(i)];
    if (!is_sliding(mode)) continue;
    const SlidingResponse response = eval_sliding_response(model, state, i, eval_slip_sign(mode));
    out.p[i] = response.p;
    out.b[i] = response.b;
  }
  return out;
}

}  // namespace slipstick
