#include "slipstick/contact/contact_problem.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "slipstick/core/scales.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

int sign_beyond(double value, double tolerance) {
  return std::abs(value) <= tolerance ? 0 : (value > 0.0 ? 1 : -1);
}

/// Sum of the absolute values of the terms of a . b.
template <class A, class B>
double eval_dot_scale(const A& a, const B& b) {
  double out = 0.0;
  for (Eigen::Index i = 0; i < a.size(); ++i) out += std::abs(a[i] * b[i]);
  return out;
}

ContactStatus find_status(const Model& model, const State& state, const ContactKinematics& contacts,
                          int i, double speed, const Tolerances& tolerances) {
  if (!eval_is_active(model, i, state)) return ContactStatus::kInactive;
  const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
  if (contacts.gap[i] > tolerances.closure * contact.length + contact.blur) {
    return ContactStatus::kOpen;
  }
  const int rate = find_gap_rate_sign(contacts, state, i, speed, tolerances);
  if (rate > 0) return ContactStatus::kOpen;
  return rate < 0 ? ContactStatus::kColliding : ContactStatus::kClosed;
}

ClosedContact make_closed(const Model& model, const State& state, const ContactKinematics& contacts,
                          int i, double speed, const Tolerances& tolerances) {
  const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
  return {i, contact.mu, contact.mu_s, find_slip_sign(contacts, state, i, speed, tolerances),
          contact.bilateral};
}

/// Directions of v' that dependent bilateral contacts forbid only to second order. With lambda^T
/// W_n^T = 0, the combined gap lambda . gap has no gradient. Where its second derivative K is
/// semidefinite on the directions that the contacts leave free, motion along K's range would open
/// or close it, so these components of v' vanish. bias_n is the quadratic form of second
/// derivatives.
MatQ find_locked_directions(const Model& model, const State& state,
                            const ContactKinematics& contacts,
                            const PerContact<ClosedContact>& closed, double rank_tolerance) {
  const int n = model.size();
  PerContact<int> bilateral;
  for (const ClosedContact& contact : closed) {
    if (contact.bilateral) bilateral.push_back(contact.index);
  }
  MatQ none(n, 0);
  const auto k = static_cast<Eigen::Index>(bilateral.size());
  if (k < 2) return none;
  Eigen::MatrixXd W(n, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    W.col(j) = contacts.W_n.col(bilateral[static_cast<std::size_t>(j)]).normalized();
  }
  Eigen::FullPivLU<Eigen::MatrixXd> lu(W);
  lu.setThreshold(rank_tolerance);
  if (lu.rank() == k) return none;
  Eigen::FullPivLU<Eigen::MatrixXd> lu_rows(W.transpose());
  lu_rows.setThreshold(rank_tolerance);
  if (lu_rows.rank() == n) return none;
  const Eigen::MatrixXd lambda = lu.kernel();
  const Eigen::MatrixXd free = lu_rows.kernel();
  const auto curvature = [&](const Eigen::VectorXd& direction) {
    State moved = state;
    moved.v = direction;
    const ContactKinematics at = eval_contact_kinematics(model, moved);
    Eigen::VectorXd out(k);
    for (Eigen::Index j = 0; j < k; ++j) {
      const int c = bilateral[static_cast<std::size_t>(j)];
      out[j] = at.bias_n[c] / contacts.W_n.col(c).norm();
    }
    return out;
  };
  MatQ locked = none;
  for (Eigen::Index d = 0; d < lambda.cols(); ++d) {
    Eigen::MatrixXd K(free.cols(), free.cols());
    for (Eigen::Index i = 0; i < K.rows(); ++i) {
      for (Eigen::Index j = 0; j < K.cols(); ++j) {  // polarisation of the quadratic form
        K(i, j) = 0.25 * lambda.col(d).dot(curvature(free.col(i) + free.col(j)) -
                                           curvature(free.col(i) - free.col(j)));
      }
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(K);
    const Eigen::VectorXd& values = solver.eigenvalues();
    const double zero = 1e-9 * values.cwiseAbs().maxCoeff();
    if (values.minCoeff() < -zero && values.maxCoeff() > zero) continue;
    const Eigen::MatrixXd dual = free * (free.transpose() * free).inverse();
    for (Eigen::Index i = 0; i < values.size(); ++i) {
      if (std::abs(values[i]) <= zero || locked.cols() == locked.rows()) continue;
      locked.conservativeResize(n, locked.cols() + 1);
      locked.col(locked.cols() - 1) = dual * solver.eigenvectors().col(i);
    }
  }
  return locked;
}

/// The same as eval_contact_dynamics, with square roots, which works for numbers closer to zero.
ContactDynamics solve_contact_dynamics(const Model& model, const State& state,
                                       const PerContact<int>& indices) {
  const Dynamics dynamics = eval_dynamics(model, state);
  const Eigen::LLT<MatQ> mass(dynamics.M);
  if (mass.info() != Eigen::Success) {
    throw std::domain_error("make_contact_problem: the mass matrix is not positive definite");
  }
  const auto k = static_cast<Eigen::Index>(indices.size());
  MatQ2C W(model.size(), 2 * k);
  Vec2C bias(2 * k);
  for (Eigen::Index i = 0; i < k; ++i) {
    const int c = indices[static_cast<std::size_t>(i)];
    W.col(2 * i) = dynamics.contacts.W_n.col(c);
    W.col(2 * i + 1) = dynamics.contacts.W_t.col(c);
    bias[2 * i] = dynamics.contacts.bias_n[c];
    bias[2 * i + 1] = dynamics.contacts.bias_t[c];
  }
  ContactDynamics out;
  out.free_acceleration = -mass.solve(dynamics.h);
  out.M_inverse_W = mass.solve(W);
  out.G = W.transpose() * out.M_inverse_W;
  out.a_free = W.transpose() * out.free_acceleration + bias;
  return out;
}

PerContact<int> list_indices(const PerContact<ClosedContact>& closed) {
  PerContact<int> out;
  for (const ClosedContact& contact : closed) out.push_back(contact.index);
  return out;
}

/// Per coordinate the rate of its tree of bodies, or the rate that its loads would give it [1/s].
VecQ find_rates(const Model& model, const State& state) {
  const VecQ scale = make_coordinate_scale(model);
  VecQ out = state.v.cwiseAbs().cwiseQuotient(scale);
  const double weight = model.gravity.norm();
  if (weight > 0.0) {
    out = out.cwiseMax((weight * model.lengths.cwiseInverse()).cwiseSqrt());
  } else {
    const VecQ push = eval_contact_dynamics(model, state, {}).free_acceleration;
    out = out.cwiseMax(push.cwiseAbs().cwiseQuotient(scale).cwiseSqrt());
  }
  return spread_over_groups(model, out);
}

/// Fills `closed` and `status`.
void find_closed(const Model& model, const State& state, const ContactKinematics& contacts,
                 const Tolerances& tolerances, ContactProblem& out) {
  // If a contact's own point is a coordinate, its gap rate and slip consist of that coordinate's
  // rate alone. Rounding of other motion, present or past, must not make it open or slide.
  const VecQ rates = find_rates(model, state);
  for (int i = 0; i < model.contact_count(); ++i) {
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    const double rate = contact.group >= 0 ? rates[contact.group] : 0.0;
    const double speed = kOfOtherMotion * contact.length * rate;
    out.status.push_back(find_status(model, state, contacts, i, speed, tolerances));
    if (out.status.back() != ContactStatus::kClosed) continue;
    out.closed.push_back(make_closed(model, state, contacts, i, speed, tolerances));
  }
}

/// Fills what follows from the closed contacts and their dynamics.
void finish_problem(const Model& model, const State& state, const ContactKinematics& contacts,
                    const Tolerances& tolerances, ContactProblem& out) {
  if (!out.regular) {
    static_cast<ContactDynamics&>(out) =
        solve_contact_dynamics(model, state, list_indices(out.closed));
  }
  // Forces that balance leave nothing in h, so gravity gives their size.
  const double weight = model.gravity.norm();
  out.a_scale.resize(out.a_free.size());
  for (int i = 0; i < out.closed_count(); ++i) {
    const int c = out.closed[static_cast<std::size_t>(i)].index;
    const auto scale = [&](const auto& w, double bias) {
      return eval_dot_scale(w, out.free_acceleration) + std::abs(bias) + weight;
    };
    out.a_scale[2 * i] = scale(contacts.W_n.col(c), contacts.bias_n[c]);
    out.a_scale[2 * i + 1] = scale(contacts.W_t.col(c), contacts.bias_t[c]);
  }
  if (out.closed_count() > 1) {
    const MatQ locked = find_locked_directions(model, state, contacts, out.closed, tolerances.rank);
    out.lock_free = locked.transpose() * out.free_acceleration;
    out.lock_G = locked.transpose() * out.M_inverse_W;
  } else {
    out.lock_free.resize(0);
    out.lock_G.resize(0, out.a_free.size());
  }
}

/// Fills everything but `closed` and `status`.
void fill_problem(const Model& model, const State& state, const ContactKinematics& contacts,
                  const Tolerances& tolerances, ContactProblem& out) {
  static_cast<ContactDynamics&>(out) =
      eval_contact_dynamics(model, state, as_span(list_indices(out.closed)));
  finish_problem(model, state, contacts, tolerances, out);
}

}  // namespace

int find_gap_rate_sign(const ContactKinematics& contacts, const State& state, int contact,
                       double speed, const Tolerances& tolerances) {
  const double scale = eval_dot_scale(contacts.W_n.col(contact), state.v) + speed;
  return sign_beyond(contacts.gap_rate[contact], tolerances.closure * scale);
}

int find_slip_sign(const ContactKinematics& contacts, const State& state, int contact, double speed,
                   const Tolerances& tolerances) {
  const double path_rate = contacts.W_t.col(contact).dot(state.v);
  const double scale =
      eval_dot_scale(contacts.W_t.col(contact), state.v) + speed +
      std::abs(contacts.slip[contact] - path_rate);  // with the surface's own speed
  return sign_beyond(contacts.slip[contact], tolerances.closure * scale);
}

ContactProblem make_contact_problem(const Model& model, const State& state,
                                    const ContactKinematics& contacts,
                                    const Tolerances& tolerances) {
  ContactProblem out;
  find_closed(model, state, contacts, tolerances, out);
  fill_problem(model, state, contacts, tolerances, out);
  return out;
}

ContactProblem make_contact_problem(const Model& model, const State& state,
                                    const Tolerances& tolerances, ContactKinematics& contacts) {
  ContactProblem out;
  PerContact<int> indices;
  const auto choose = [&](const ContactKinematics& kinematics) {
    find_closed(model, state, kinematics, tolerances, out);
    indices = list_indices(out.closed);
    return as_span(indices);
  };
  eval_contacts(model, state, std::ref(choose), contacts, out);  // a reference needs no heap
  finish_problem(model, state, contacts, tolerances, out);
  return out;
}

ContactProblem make_contact_problem(const Model& model, const State& state,
                                    const ContactKinematics& contacts,
                                    const PerContact<ClosedContact>& closed,
                                    const Tolerances& tolerances) {
  ContactProblem out;
  out.closed = closed;
  out.status.assign(model.contacts.size(), ContactStatus::kOpen);
  for (const ClosedContact& contact : closed) {
    out.status[static_cast<std::size_t>(contact.index)] = ContactStatus::kClosed;
  }
  fill_problem(model, state, contacts, tolerances, out);
  return out;
}

Vec2C make_contact_units(const Mat2C& G) {
  constexpr double kFixed = 1e-28;  // a point on a hinge: rounding alone, 1e-14 of a lever
  Vec2C out = Vec2C::Ones(G.rows());
  const double largest = G.size() > 0 ? G.diagonal().maxCoeff() : 0.0;
  for (Eigen::Index row = 0; row < out.size(); ++row) {
    const double own = G(row, row);
    const Eigen::Index twin = row % 2 == 0 ? row + 1 : row - 1;
    const double other = G(twin, twin);
    double mobility = own > kNoUnit * other ? own : other;
    if (!(mobility > kFixed * largest)) mobility = largest;
    if (mobility > 0.0) out[row] = 1.0 / std::sqrt(mobility);
  }
  return out;
}

}  // namespace slipstick
