#pragma once

/// One step of a gait: from just after the section's contact has collided to just after it has done
/// so again, in the names that hold then.

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

struct Step {
  Run run;
  bool complete = false;  ///< the run ended on the section
  SectionShape shape;     ///< of its end
  std::string failure;    ///< of a step that is not complete: when it ended, and how

  [[nodiscard]] double duration() const { return run.end.time; }
  /// The impact at the section.
  [[nodiscard]] const Event& impact() const;
};

/// Follows the motion from a state, at time zero, to the next crossing.
[[nodiscard]] Step take_step(const Model& model, const State& start,
                             const SimulationOptions& options);

/// The relabelling that an impact of these contacts brings, if any.
[[nodiscard]] const Relabel* find_relabel(const Model& model, const std::vector<int>& contacts);

}  // namespace slipstick
