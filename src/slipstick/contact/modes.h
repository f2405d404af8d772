#pragma once

/// Every mode in which the contacts can continue from a state: docs/theory/contact-problem.md.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/contact/mode_list.h"

namespace slipstick {

// Boost says that a small_vector moves without exceptions, and then checks its length.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct ModeSolutions {
  ModeList solutions;                 ///< sorted by word, then by normal forces
  std::vector<std::string> marginal;  ///< decisions that depend on less than the tolerance
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
  bool marginal = false;  ///< holds only within tolerance; the motion that follows decides
};

/// Finds all of them, also those that coincide because an inequality is at zero, as the old and the
/// new mode do where a mode ends. `without`: modes that are left out. Those whose forces belong to
/// the family of such a mode are not.
[[nodiscard]] std::vector<ModeCandidate> find_mode_candidates(
    const ContactProblem& problem, const Tolerances& tolerances,
    const std::vector<ModeWord>& without = {});

/// Smallest of the inequalities of a mode, relative to its terms; negative: a law is broken.
/// Nothing if the mode's equations have no solution.
[[nodiscard]] std::optional<double> eval_mode_slack(const ContactProblem& problem,
                                                    const ModeSolution& mode,
                                                    const Tolerances& tolerances);

/// None: inconsistent; one motion with one set or family of forces: consistent; else indeterminate.
[[nodiscard]] ContactClass find_class(const ModeList& solutions);

}  // namespace slipstick
