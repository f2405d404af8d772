#pragma once

/// An impact at one contact in impulse space (Darboux, Keller, Routh): the accumulated normal
/// impulse is the clock, Coulomb's law holds at every instant, and all velocities are piecewise
/// linear in it. docs/theory/impact.md.

#include <optional>

#include "slipstick/model/spec.h"

namespace slipstick {

/// Contact velocities per unit impulse: the entries of Q = [W_n W_t]' M^-1 [W_n W_t] [1/kg].
struct ImpactMobility {
  double nn = 0.0, nt = 0.0, tt = 0.0;
};

struct ContactImpact {
  ImpactMobility Q;
  double gap_rate = 0.0;  ///< before: <= 0 [m/s]; 0: an impact without collision
  double slip = 0.0;      ///< before [m/s]
  double mu = 0.0;
  double restitution = 0.0;
  ImpactLaw law = ImpactLaw::kInelastic;
  /// p is zero, as at a jam: the limit p -> 0- of the impact without collision.
  bool jammed = false;
};

struct ContactImpulse {
  double impulse_n = 0.0, impulse_t = 0.0;  ///< [N s]
  double compression = 0.0;                 ///< normal impulse at the end of compression [N s]
  double gap_rate = 0.0, slip = 0.0;        ///< after [m/s]; exact zeros where the law says so
  /// The law has no finite impulse, because the contact wedges; Poisson's took its place.
  bool replaced = false;
};

/// Follows the path to the end of restitution under Poisson's, Newton's or Stronge's law; other
/// laws end with the compression. An impact without collision (gap_rate 0, p <= 0) has an impulse,
/// never none. Nothing if no finite impulse ends the compression: a surface drags a contact in that
/// cannot move along it by itself.
[[nodiscard]] std::optional<ContactImpulse> solve_contact_impact(const ContactImpact& impact);

}  // namespace slipstick
