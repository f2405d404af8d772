#pragma once

/// Impacts in which several contacts take part: the colliding ones, and those that were closed.
/// Coulomb's law holds between the impulses and the velocities after them [Or2021] eq. (4).

#include <optional>
#include <vector>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/impact.h"

namespace slipstick {

/// One way an impact can end.
struct ImpactOutcome {
  /// Per contact of the model: free without an impulse or if it opens, else by its slip after the
  /// impact.
  ModeWord modes;
  ModeWord compression_modes;         ///< the same at the end of compression, before an expansion
  VecC impulse_n, impulse_t;          ///< [N s]
  VecC compression_n, compression_t;  ///< the part of them before an expansion; zero without one
  VecQ v_plus;
  std::optional<ImpulseFamily> family;  ///< where the impulses are not unique
  /// The impulses do work, seen from the surfaces, that no surface has put in. Restitution of
  /// several contacts may cause this.
  bool creates_energy = false;
  /// A bilateral contact pushes in compression and pulls in expansion, or the other way round.
  /// Friction acts in both, and its sum may exceed mu times the sum of the normal impulses.
  bool pushes_and_pulls = false;
};

/// The contacts of an impact with their velocities before it.
struct ImpactProblem {
  ContactProblem contacts;  ///< a_free: gap rates and slips before; free_acceleration: v before
  VecC restitution;         ///< per contact of the problem
  bool collides = true;     ///< false: no contact closes; an outcome without impulse does not count
  /// Fremond's law: friction opposes the mean of the slips before and after.
  bool opposes_mean_slip = false;
};

/// Builds the problem for these contacts (indices in the model's order, rising).
[[nodiscard]] ImpactProblem make_impact_problem(const Model& model, const State& state,
                                                const PerContact<int>& contacts,
                                                const Tolerances& tolerances);

/// Finds every outcome of an inelastic impact. Each contact is active (gap rate 0 after, impulse >=
/// 0; at a bilateral contact of either sign) or passive (no impulse, gap rate > 0). A continuum of
/// outcomes is one outcome with a family. Sorted by preference [Or2021]: more active contacts
/// first, then more sticking ones. Restitution is ignored.
[[nodiscard]] std::vector<ImpactOutcome> find_inelastic_outcomes(const ImpactProblem& problem,
                                                                 const Tolerances& tolerances);

/// Finds every outcome of Poisson's law. Every inelastic outcome is a compression. In the expansion
/// every contact gets at least its restitution times its normal impulse of compression; a bilateral
/// contact has no restitution. Sorted by preference: first outcomes that create no energy, then
/// those whose bilateral contacts keep their sides, then by their compressions, then fewest further
/// impulses, then more sticking contacts. Without any restitution these are the inelastic outcomes.
[[nodiscard]] std::vector<ImpactOutcome> find_poisson_outcomes(const ImpactProblem& problem,
                                                               const Tolerances& tolerances);

}  // namespace slipstick
