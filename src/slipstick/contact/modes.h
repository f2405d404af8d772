#pragma once

/// Every way the contacts can go on from a state: docs/theory/contact-problem.md.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/contact/mode_list.h"

namespace slipstick {

// Boost says that a small_vector moves without exceptions, and then checks its length.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct ModeSolutions {
  ModeList solutions;                 ///< sorted by word, then by normal forces
  std::vector<std::string> marginal;  ///< decisions that hang on less than the tolerance
};

/// Finds every mode word that satisfies Signorini and Coulomb at this state. Sliding contacts keep
/// their direction; resting ones may open, stick, or start to slip either way. `contact_names` are
/// the model's, for the marginal list. Cost O(4^contacts).
[[nodiscard]] ModeSolutions find_consistent_modes(const ContactProblem& problem,
                                                  const std::vector<std::string>& contact_names,
                                                  const Tolerances& tolerances);

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
