#pragma once

/// One contact's impact in impulse space, followed piece by piece to the end that the law of
/// restitution prescribes. Written separately for the check; runs use impact/impulse_path.

#include "slipstick/model/spec.h"

namespace slipstick::check {

struct PathProblem {
  double G_nn = 0.0, G_nt = 0.0, G_tt = 0.0;  ///< contact velocity per impulse [1/kg]
  /// Before; the gap rate is negative, or zero without a collision [m/s].
  double gap_rate = 0.0, slip = 0.0;
  double mu = 0.0, restitution = 0.0;
  ImpactLaw law = ImpactLaw::kInelastic;
  bool jammed = false;  ///< sliding as before leaves the gap rate at zero
};

struct PathEnd {
  bool found = false;
  double impulse_n = 0.0, impulse_t = 0.0;  ///< [N s]
};

[[nodiscard]] PathEnd follow_impact(const PathProblem& problem);

}  // namespace slipstick::check
