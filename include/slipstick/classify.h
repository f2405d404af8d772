#pragma once

/// The whole answer about one state: every admissible solution, none, one or several.
/// docs/theory/contact-problem.md.
///
///     const slipstick::Classification answer = slipstick::classify(*bar.model, bar.initial, {});
///     if (answer.contact_class == slipstick::ContactClass::kInconsistent) {
///       std::cout << "no contact force satisfies the laws\n";
///     }

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/dynamics.h"
#include "slipstick/linalg.h"
#include "slipstick/mode_word.h"
#include "slipstick/model.h"
#include "slipstick/state.h"
#include "slipstick/tolerances.h"

namespace slipstick {

/// Least and greatest value over a family; infinite where unbounded.
using Range = std::pair<double, double>;

/// The forces of redundant contacts that satisfy the same modes.
struct ForceFamily {
  int dimension = 0;                    ///< 0: the forces are unique
  bool acceleration_is_unique = true;   ///< false: the motion itself is undetermined
  std::vector<Range> force_n, force_t;  ///< per contact [N]; empty if the dimension is 0
  std::vector<Range> acceleration;      ///< per coordinate; empty if unique
};

/// One mode per contact, with the forces and accelerations that follow from it.
struct ModeSolution {
  ModeWord modes;      ///< per contact of the model
  VecC force_n;        ///< normal forces [N], >= 0 at unilateral contacts
  VecC force_t;        ///< tangential forces [N]
  VecQ acceleration;   ///< v'
  ForceFamily family;  ///< if its dimension is not 0, the above is one member, well inside
};

/// What a contact does at a state.
enum class ContactStatus {
  kInactive,   ///< its `active_when` is false
  kOpen,       ///< gap > 0, or gap = 0 and opening
  kColliding,  ///< gap = 0 and closing: an impact comes first
  kClosed,     ///< gap = 0 and gap_rate = 0
};

/// How many motions the laws admit.
enum class ContactClass {
  kConsistent,     ///< one
  kIndeterminate,  ///< several
  kInconsistent,   ///< none
};

/// One sliding contact. P and b of several contacts have these values on the diagonal.
struct SlidingTerms {
  int contact = 0;  ///< index in the model
  double p = 0.0;   ///< [1/kg]; f_n > 0 is assumed at a bilateral contact
  double b = 0.0;   ///< normal acceleration without contact forces [m/s^2]
};

/// A principal minor of P.
struct Minor {
  std::vector<int> contacts;  ///< whose rows and columns it has, in the model's order
  double value = 0.0;         ///< [1/kg] to the power of their number
};

/// All of them together.
struct Sliding {
  std::vector<SlidingTerms> contacts;  ///< those that slide
  /// Normal accelerations of `contacts` by their normal forces [1/kg].
  BoundedMatrix<kMaxContacts, kMaxContacts> P;
  std::vector<Minor> minors;  ///< of the unilateral ones: those decide `p_matrix`
  /// All principal minors of P positive: one solution for every b. Nothing if no unilateral contact
  /// slides.
  std::optional<bool> p_matrix;
  std::vector<std::string> marginal;  ///< p, b or minors at zero within tolerance
};

/// p and b at a state of a motion for each contact that slides in a mode; NaN at the others.
struct SlidingRow {
  VecC p, b;  ///< [1/kg], [m/s^2]
};

/// The answer.
struct Classification {
  ContactClass contact_class = ContactClass::kConsistent;  ///< of the solutions
  std::vector<ModeSolution> solutions;  ///< sorted by word, then by normal forces
  /// Decisions that depend on less than the tolerance: first those about p, b and P, then those
  /// about the modes.
  std::vector<std::string> marginal;
  ContactKinematics kinematics;       ///< of all contacts
  std::vector<ContactStatus> status;  ///< per contact of the model
  Sliding sliding;                    ///< p, b and P

  /// The contacts that collide, where an impact comes first.
  [[nodiscard]] std::vector<int> list_colliding() const;
};

/// Solves the contact problem of all closed contacts together. A colliding contact (gap 0, closing)
/// is left out of the solutions: an impact comes first there.
[[nodiscard]] Classification classify(const Model& model, const State& state,
                                      const Tolerances& tolerances);

}  // namespace slipstick
