#pragma once

/// Whether and where an impulse acts at a state, before any law of impact is asked.

#include <vector>

#include "slipstick/impact_outcomes.h"
#include "slipstick/sim/hybrid/hybrid_state.h"

namespace slipstick {

struct ImpactSite {
  HybridState start;
  ImpactKind kind = ImpactKind::kNone;
  /// That collide; or else those that can be struck. If no contact force satisfies the laws, all
  /// that slide may be tried.
  std::vector<int> contacts;
  std::vector<int> jammed;       ///< those of them at p = 0
  std::vector<int> further;      ///< that are tried if these have no outcome
  PerContact<int> rebounding;    ///< open ones at their surfaces
  bool is_inconsistent = false;  ///< no contact force satisfies the laws
};

[[nodiscard]] ImpactSite find_impact_site(const Model& model, const State& state, const Laws& laws);

/// Why no impulse acts there.
[[nodiscard]] Why explain_no_impact(const Model& model, const ImpactSite& site,
                                    const Classification& classification);

/// True if bilateral contacts can stay closed with these velocities. In a dead centre their normals
/// depend on each other, and no acceleration balances what their directions' turning asks for.
[[nodiscard]] bool can_stay_closed(const Model& model, const State& after);

}  // namespace slipstick
