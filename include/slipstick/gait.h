#pragma once

/// Periodic motion: steps that repeat up to the model's relabelling. docs/theory/gaits.md.
///
///     const auto biped = slipstick::read_model("compass-biped", {});
///     const auto search = slipstick::find_orbit(*biped.model, biped.initial, {});
///     if (search.orbit) std::cout << search.orbit->period() << " s per step\n";

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/model.h"
#include "slipstick/run.h"
#include "slipstick/why.h"

namespace slipstick {

/// What the states just after an impact have in common, in the names that hold then.
struct SectionShape {
  std::vector<int> closed;    ///< gap zero: contacts that were closed before the impact or collided
  std::vector<int> held;      ///< gap rate zero
  std::vector<int> sticking;  ///< slip zero
  /// True if the same contacts are.
  bool operator==(const SectionShape&) const = default;
};

/// Steps of a gait: from just after an impact of the section to just after another one.
struct Walk {
  Run run;                ///< the motion
  bool complete = false;  ///< the run ended on the section and did not start with an impact
  SectionShape shape;     ///< of its end

  /// Time of the steps [s].
  [[nodiscard]] double duration() const { return run.end.time; }
  /// True if the start was just before an impact instead of after one.
  [[nodiscard]] bool starts_with_impact() const;
  /// The last impact at the section.
  [[nodiscard]] const Event& impact() const;
};

/// How a gait is searched for.
struct GaitOptions {
  SimulationOptions simulation;  ///< `until` is the longest step
  int steps = 1;                 ///< per period
};

/// A fixed point of the return map.
struct Orbit {
  State state;                                    ///< on the section, at time zero
  Walk walk;                                      ///< one period
  std::vector<std::complex<double>> multipliers;  ///< by decreasing modulus
  Eigen::MatrixXd tangents;    ///< of the section at the state: columns, in Section's coordinates
  Eigen::MatrixXd derivative;  ///< of the return map in those directions
  double residual = 0.0;       ///< distance from the state after a period, in scaled coordinates
  int maps = 0;                ///< periods that the search followed
  int derivatives = 0;         ///< and with their derivatives

  /// Time of one period [s].
  [[nodiscard]] double period() const { return walk.duration(); }
  /// True if all multipliers are inside of the unit circle.
  [[nodiscard]] bool stable() const;
};

/// What a search found.
struct OrbitSearch {
  std::optional<Orbit> orbit;  ///< nothing: see `why`
  Why why;                     ///< why there is none
};

/// Damped Newton's method on the return map. If it does not converge, the motion itself is followed
/// for a period. The model must have a gait section and must not depend on time.
[[nodiscard]] OrbitSearch find_orbit(const Model& model, const State& guess,
                                     const GaitOptions& options);

}  // namespace slipstick
