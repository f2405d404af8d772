#pragma once

/// An impact at one contact in impulse space (Darboux, Keller, Routh): the accumulated normal
/// impulse takes the place of time, Coulomb's law holds at every instant, and all velocities are
/// piecewise linear in the impulse. docs/theory/impact.md.
///
///     slipstick::ContactImpact impact;
///     impact.G = {2.0, 0.5, 3.0};  // [1/kg]
///     impact.gap_rate = -1.0;      // [m/s]
///     impact.slip = 0.4;
///     impact.mu = 0.3;
///     const auto impulse = slipstick::solve_contact_impact(impact);

#include <optional>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/impact_law.h"

namespace slipstick {

/// Contact velocities per unit impulse: the entries of G = [W_n W_t]^T M^-1 [W_n W_t] [1/kg].
struct ImpactMobility {
  double nn = 0.0;  ///< gap rate by normal impulse
  double nt = 0.0;  ///< gap rate by tangential impulse, and slip by normal impulse
  double tt = 0.0;  ///< slip by tangential impulse
};

/// A contact just before its impact.
struct ContactImpact {
  ImpactMobility G;                       ///< how impulses move it
  double gap_rate = 0.0;                  ///< before: <= 0 [m/s]; 0: an impact without collision
  double slip = 0.0;                      ///< before [m/s]
  double mu = 0.0;                        ///< kinetic friction
  double restitution = 0.0;               ///< in [0, 1]
  ImpactLaw law = ImpactLaw::kInelastic;  ///< ends the expansion
  /// p is zero, as at a jam: the limit p -> 0- of the impact without collision.
  bool jammed = false;
};

/// What the impact does.
struct ContactImpulse {
  double impulse_n = 0.0, impulse_t = 0.0;  ///< [N s]
  double compression = 0.0;                 ///< normal impulse at the end of compression [N s]
  double gap_rate = 0.0, slip = 0.0;        ///< after [m/s]; exactly zero where the law makes it so
  /// The law has no finite impulse, because the contact wedges; Poisson's law has replaced it.
  bool replaced = false;
};

/// Follows the path to the end of restitution under Poisson's, Newton's or Stronge's law. Other
/// laws end with the compression. An impact without collision (gap_rate 0, p <= 0) always has an
/// impulse. Nothing if no finite impulse ends the compression: a surface drags in a contact that
/// cannot move along it.
[[nodiscard]] std::optional<ContactImpulse> solve_contact_impact(const ContactImpact& impact);

/// The impulses that satisfy one law at one impact, if they are not unique: with redundant
/// contacts, or under a law that leaves a size open. The stored impulse is a member well inside the
/// family.
struct ImpulseFamily {
  int dimension = 0;                        ///< of the set of impulses
  bool velocity_is_unique = true;           ///< false: nor is the motion after the impact
  std::vector<Range> impulse_n, impulse_t;  ///< per contact of the model [N s]
  std::vector<Range> velocity;              ///< after the impact, per coordinate
};

}  // namespace slipstick
