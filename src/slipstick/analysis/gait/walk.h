#pragma once

/// Steps of a gait: from just after the section's contact has collided to just after it has done so
/// again, once or several times, in the names that hold then.

#include <string>

#include "slipstick/core/why.h"
#include "slipstick/sim/run.h"

namespace slipstick {

/// What the states just after an impact have in common, in the names that hold then.
struct SectionShape {
  PerContact<int> closed;    ///< gap zero: contacts that were closed before the impact or collided
  PerContact<int> held;      ///< gap rate zero
  PerContact<int> sticking;  ///< slip zero
  bool operator==(const SectionShape&) const = default;
};

struct Walk {
  Run run;
  bool complete = false;  ///< the run ended on the section and did not start with an impact
  SectionShape shape;     ///< of its end

  [[nodiscard]] double duration() const { return run.end.time; }
  /// The start was just before an impact, not after one.
  [[nodiscard]] bool starts_with_impact() const;
  /// The last impact at the section.
  [[nodiscard]] const Event& impact() const;
};

/// Follows the motion from a state, at time zero, over this many steps. Besides `keep_going`, a
/// limit on the integration's own steps ends a motion that becomes too fast.
[[nodiscard]] Walk walk(const Model& model, const State& start, int steps,
                        const SimulationOptions& options);

/// The same of a single state: what is zero there.
[[nodiscard]] SectionShape find_shape(const Model& model, const State& state);

/// When and how a run ended that did not reach the section, in words.
[[nodiscard]] Why explain_failure(const Model& model, const Run& run, double time);

/// The relabelling that an impact of these contacts brings, if any.
[[nodiscard]] const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts);

}  // namespace slipstick
