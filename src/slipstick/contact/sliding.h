#pragma once

/// p, b and the matrix P of the contacts that slide: a_n = b + P f_n while they go on sliding.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/contact/mode_word.h"

namespace slipstick {

/// One sliding contact; P and b of several have these on the diagonal.
struct SlidingTerms {
  int contact = 0;  ///< in the model's order
  double p = 0.0;   ///< [1/kg]; f_n > 0 is assumed at a bilateral contact
  double b = 0.0;   ///< normal acceleration without contact forces [m/s^2]
};

/// A principal minor of P.
struct Minor {
  std::vector<int> contacts;  ///< whose rows and columns it has, in the model's order
  double value = 0.0;         ///< [1/kg] to the power of their number
};

struct Sliding {
  PerContact<SlidingTerms> contacts;
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
[[nodiscard]] SlidingRow eval_sliding_row(const Model& model, const ModeWord& modes,
                                          const State& state);

[[nodiscard]] Sliding eval_sliding(const ContactProblem& problem,
                                   const std::vector<std::string>& contact_names,
                                   const Tolerances& tolerances);

}  // namespace slipstick
