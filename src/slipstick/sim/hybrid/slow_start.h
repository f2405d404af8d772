#pragma once

/// Slips that begin so slowly that their forces do not show it: of contacts without friction, and
/// of contacts that stick at a dead centre of their mechanism, where friction does not act on the
/// motion.

#include "slipstick/sim/hybrid/contact_set.h"
#include "slipstick/sim/mode/mode.h"

namespace slipstick {

/// True if a contact does not slip, and the closed contacts prevent every motion of it along its
/// surface, to first order.
[[nodiscard]] bool rests_at_dead_centre(const Model& model, const State& state,
                                        const PerContact<ClosedContact>& closed, int contact);

/// The slip with which a contact starts, if it is at rest in a mode and nothing accelerates it yet.
struct SlowStart {
  int sign = 0;   ///< 0: no slip begins
  int order = 0;  ///< of its zero
};
/// The motion is examined up to the time `latest` [s].
[[nodiscard]] SlowStart find_slow_start(const Model& model, const Mode& mode, const State& state,
                                        int contact, double latest);

/// A mode with the letters of slips that begin slowly.
struct NamedMode {
  ModeSolution solution;
  PerContact<int> orders;     ///< of the zeros of these slips, per contact of the model
  bool has_friction = false;  ///< at one of them
};
/// Gives contacts that are at rest, are about to slide and have no effective friction the mode of
/// their slip instead of sticking. `mode`: of the solution.
[[nodiscard]] NamedMode name_slow_starts(const Model& model, const State& state,
                                         const PerContact<ClosedContact>& closed, const Mode& mode,
                                         const ModeSolution& solution, double latest);

/// False if the mode ends as soon as it begins: a contact that sticks at a dead centre may have any
/// force, but once its mechanism has moved it slips, and its friction may break a law; or it begins
/// to slip the other way.
[[nodiscard]] bool starts_lawfully(const Model& model, const State& state,
                                   const PerContact<ClosedContact>& closed,
                                   const ModeSolution& solution, double latest,
                                   const Tolerances& tolerances);

}  // namespace slipstick
