#pragma once

/// Impacts in which several contacts take part: the colliding ones, and those that were closed.
/// Coulomb's law holds between the impulses and the velocities after them [Or2021] eq. (4).

#include <vector>

#include "slipstick/contact/modes.h"

namespace slipstick {

/// One way an impact can end.
struct ImpactOutcome {
  /// One letter per contact of the model: F no impulse (or the contact opens), S, P, N as its slip
  /// after the impact.
  ModeWord modes;
  VecC impulse_n, impulse_t;  ///< [N s]
  VecQ v_plus;
};

/// The contacts of an impact with their velocities before it.
struct ImpactProblem {
  ContactProblem contacts;  ///< a_free: gap rates and slips before; free_acceleration: v before
  VecC restitution;         ///< per contact of the problem
  bool collides = true;  ///< false: no contact closes, so that the outcome without impulse is none
};

/// Builds the problem for these contacts (indices in the model's order, rising).
[[nodiscard]] ImpactProblem make_impact_problem(const Model& model, const State& state,
                                                const PerContact<int>& contacts,
                                                const Tolerances& tolerances);

/// Finds every outcome of an inelastic impact: each contact is active (gap rate 0 after, impulse
/// >= 0) or passive (no impulse, gap rate >= 0). Sorted by preference [Or2021]: more active
/// contacts first, then more sticking ones.
[[nodiscard]] std::vector<ImpactOutcome> find_inelastic_outcomes(const ImpactProblem& problem,
                                                                 const Tolerances& tolerances);

/// Finds every outcome of Poisson's law: the first inelastic outcome is the compression; in the
/// expansion every contact gets at least its restitution times its normal impulse of compression.
/// Sorted by preference: fewest further impulses first, then more sticking contacts. Without any
/// restitution these are the inelastic outcomes.
[[nodiscard]] std::vector<ImpactOutcome> find_poisson_outcomes(const ImpactProblem& problem,
                                                               const Tolerances& tolerances);

}  // namespace slipstick
