#pragma once

/// Every way the contacts can go on from a state: docs/theory/contact-problem.md.

#include <boost/container/small_vector.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "slipstick/contact/contact_problem.h"

namespace slipstick {

/// One letter per contact of the model: F free, S stick, P slip along +t, N slip along -t.
using ModeWord = std::string;

/// Least and greatest value over a family; infinite where unbounded.
using Range = std::pair<double, double>;

/// The forces of redundant contacts that all satisfy the same modes.
struct ForceFamily {
  int dimension = 0;                    ///< 0: the forces are unique
  bool acceleration_is_unique = true;   ///< false: the motion itself is undetermined
  std::vector<Range> force_n, force_t;  ///< per contact [N]; empty if the dimension is 0
  std::vector<Range> acceleration;      ///< per coordinate; empty if unique
};

/// One mode per contact, with what it implies.
struct ModeSolution {
  ModeWord modes;      ///< e.g. "FP": contact 1 free, contact 2 slipping along +t
  VecC force_n;        ///< normal forces [N], >= 0 at unilateral contacts
  VecC force_t;        ///< tangential forces [N]
  VecQ acceleration;   ///< v'
  ForceFamily family;  ///< if its dimension is not 0, the above is one member, well inside
};

/// Without heap for one contact, which has at most four modes.
using ModeList = boost::container::small_vector<ModeSolution, 4>;

// Boost says that a small_vector moves without exceptions, and then checks its length.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct ModeSolutions {
  ModeList solutions;                 ///< sorted by word, then by normal forces
  std::vector<std::string> marginal;  ///< decisions that hang on less than the tolerance
};

enum class ContactClass { kConsistent, kIndeterminate, kInconsistent };

/// Finds every mode word that satisfies Signorini and Coulomb at this state. Sliding contacts keep
/// their direction; resting ones may open, stick, or start to slip either way. `contact_names` are
/// the model's, for the marginal list. Cost O(4^contacts).
[[nodiscard]] ModeSolutions find_consistent_modes(const ContactProblem& problem,
                                                  const std::vector<std::string>& contact_names,
                                                  const Tolerances& tolerances);

/// The same into empty lists, which need not be copied.
void find_consistent_modes(const ContactProblem& problem,
                           const std::vector<std::string>& contact_names,
                           const Tolerances& tolerances, ModeSolutions& out);

/// An assumption about all closed contacts that satisfies the laws.
struct ModeCandidate {
  ModeSolution solution;
  bool marginal = false;  ///< only within tolerance: what happens next decides
};

/// Finds all of them, also those that coincide because an inequality is at zero: at the end of a
/// mode the old and the new one do.
[[nodiscard]] std::vector<ModeCandidate> find_mode_candidates(const ContactProblem& problem,
                                                              const Tolerances& tolerances);

/// Smallest of the inequalities that a mode has to satisfy, relative to its terms; negative: the
/// laws are broken. Nothing if the mode's equations have no solution.
[[nodiscard]] std::optional<double> eval_mode_slack(const ContactProblem& problem,
                                                    const ModeSolution& mode,
                                                    const Tolerances& tolerances);

/// None: inconsistent; one motion with one set or family of forces: consistent; else indeterminate.
[[nodiscard]] ContactClass find_class(const ModeList& solutions);

}  // namespace slipstick
