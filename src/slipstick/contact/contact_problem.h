#pragma once

/// The contact problem at a state: the closed contacts, how they move, and how contact forces
/// accelerate them. The choice of modes needs nothing else of the model.

#include <boost/container/static_vector.hpp>
#include <span>

#include "slipstick/classify.h"
#include "slipstick/linalg.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/tolerances.h"

namespace slipstick {

/// A list with at most one entry per contact, without heap.
template <class T>
using PerContact = boost::container::static_vector<T, kMaxContacts>;

/// Boost 1.74's static_vector does not convert to a span by itself.
template <class T>
[[nodiscard]] std::span<const T> as_span(const PerContact<T>& list) {
  return {list.data(), list.size()};
}

struct ClosedContact {
  int index = 0;  ///< in the model's order
  double mu = 0.0, mu_s = 0.0;
  int slip_sign = 0;  ///< sign of the slip; 0: at rest
  bool bilateral = false;

  [[nodiscard]] bool operator==(const ClosedContact&) const = default;
};

/// Columns and entries 2 i and 2 i + 1 are normal and tangent of closed contact i.
struct ContactProblem : ContactDynamics {
  PerContact<ClosedContact> closed;
  PerContact<ContactStatus> status;  ///< per contact of the model
  Vec2C a_scale;                     ///< sum of the absolute values of the terms of a_free
  /// Rows L with L v' = 0, where linearly dependent bilateral contacts lock a direction to second
  /// order (Klein's bar across its slides): L v' without forces, and per unit force.
  Vec2C lock_free;
  Mat2C lock_G;

  [[nodiscard]] int contact_count() const { return static_cast<int>(status.size()); }
  [[nodiscard]] int closed_count() const { return static_cast<int>(closed.size()); }
};

/// Signs of a contact's gap rate and slip; 0 within tolerance of the terms they are made of.
/// `speed`: a further scale for them [m/s].
[[nodiscard]] int find_gap_rate_sign(const ContactKinematics& contacts, const State& state,
                                     int contact, double speed, const Tolerances& tolerances);
[[nodiscard]] int find_slip_sign(const ContactKinematics& contacts, const State& state, int contact,
                                 double speed, const Tolerances& tolerances);

/// Builds the problem for the contacts that are closed at this state.
[[nodiscard]] ContactProblem make_contact_problem(const Model& model, const State& state,
                                                  const ContactKinematics& contacts,
                                                  const Tolerances& tolerances);

/// The same, and returns the kinematics of the contacts, which are evaluated on the way.
[[nodiscard]] ContactProblem make_contact_problem(const Model& model, const State& state,
                                                  const Tolerances& tolerances,
                                                  ContactKinematics& contacts);

/// Builds it for contacts that are known to be closed, with the slips that they state.
[[nodiscard]] ContactProblem make_contact_problem(const Model& model, const State& state,
                                                  const ContactKinematics& contacts,
                                                  const PerContact<ClosedContact>& closed,
                                                  const Tolerances& tolerances);

/// Units in which every contact has unit mobility: acceleration = scaled / unit, force = scaled *
/// unit. A direction without mobility shares the other's, or else the largest of all contacts.
[[nodiscard]] Vec2C make_contact_units(const Mat2C& G);

}  // namespace slipstick
