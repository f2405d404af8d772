#pragma once

/// Steps of a gait: from just after the section's contact has collided to just after it has done so
/// again, once or several times, in the names that hold then.

#include <string>

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
  bool complete = false;  ///< the run ended on the section
  SectionShape shape;     ///< of its end

  [[nodiscard]] double duration() const { return run.end.time; }
  /// The last impact at the section.
  [[nodiscard]] const Event& impact() const;
};

/// Follows the motion from a state, at time zero, over this many steps.
[[nodiscard]] Walk walk(const Model& model, const State& start, int steps,
                        const SimulationOptions& options);

/// When and how a run ended that did not reach the section, in words.
[[nodiscard]] std::string describe_failure(const Run& run, double time);

/// The relabelling that an impact of these contacts brings, if any.
[[nodiscard]] const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts);

}  // namespace slipstick
