#pragma once

/// The equations and inequalities for the contact forces under one assumption about all closed
/// contacts, a mode each. Internal to this folder; docs/theory/contact-problem.md.

#include "slipstick/contact/contact_problem.h"
#include "slipstick/mode_word.h"

namespace slipstick {

/// The problem in units in which every contact has unit mobility, so that forces and accelerations
/// of different contacts are comparable, and pivots are compared with 1.
struct ScaledProblem {
  const ContactProblem* problem = nullptr;
  Vec2C unit;  ///< acceleration = scaled / unit, force = scaled * unit
  Mat2C G;
  Vec2C a_free, a_scale;
  VecC mu, mu_s;             ///< friction between scaled forces
  double force_scale = 0.0;  ///< size of large forces
};

[[nodiscard]] ScaledProblem make_scaled(const ContactProblem& problem);

/// The assumption about one closed contact.
struct Option {
  ContactMode mode = ContactMode::kFree;
  int force = 1;  ///< sign of the normal force; 0: either (bilateral without friction)
  bool has_stick_force = false;

  [[nodiscard]] int slip() const { return eval_slip_sign(mode); }
};
/// The assumptions about all closed contacts.
using Options = PerContact<Option>;

/// At most three modes with either sign of the force; a unilateral contact may open.
using OptionList = boost::container::static_vector<Option, 6>;

/// The options of a contact. Without friction it never sticks by force: its mode follows from how
/// it moves, and kStick stands for that here.
[[nodiscard]] OptionList list_options(const ClosedContact& contact);

/// c + a . x >= 0 over the unknown forces x, with the size of its terms.
struct Inequality {
  Vec2C a;
  double c = 0.0;
  double scale = 1.0;
  int contact = 0;  ///< closed contact
  const char* what = "";

  [[nodiscard]] double eval(const Vec2C& x) const { return c + a.dot(x); }
  [[nodiscard]] double eval_scale(const Vec2C& x) const {
    return scale + a.cwiseAbs().dot(x.cwiseAbs());
  }
};

/// Equations and inequalities in scaled units: forces are F x.
struct ModeSystem {
  static constexpr int kMaxRows = 2 * kMaxContacts + kMaxCoordinates;
  using Rows = BoundedMatrix<kMaxRows, 2 * kMaxContacts>;

  Rows F;  ///< forces per unknown
  Rows E;  ///< equations E x = r
  BoundedVector<kMaxRows> r;
  static constexpr int kMostPerContact = 3;
  boost::container::static_vector<Inequality, kMostPerContact * kMaxContacts> inequalities;
};

[[nodiscard]] ModeSystem make_system(const ScaledProblem& scaled, const Options& options);

/// All solutions of E x = r, x + Z y, where x is the least; `exists` is false if there are none.
struct LinearSolution {
  bool exists = true;
  Vec2C x;
  Eigen::MatrixXd Z;
};

[[nodiscard]] LinearSolution solve_equations(const ModeSystem& system, double force_scale,
                                             const Tolerances& tolerances);

/// True if the equations have one solution and it breaks an inequality, both by a wide margin. This
/// rules out most assumptions, at a small part of the cost of their systems.
[[nodiscard]] bool is_ruled_out(const ScaledProblem& scaled, const Options& options);

}  // namespace slipstick
