#pragma once

/// Periodic motion: steps that repeat up to the model's relabelling. docs/theory/gaits.md.

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/gait/step.h"

namespace slipstick {

struct GaitOptions {
  SimulationOptions simulation;  ///< `until` is the longest step
  int steps = 1;                 ///< per period
};

/// A fixed point of the return map.
struct Orbit {
  State state;                                    ///< on the section, at time zero
  std::vector<Step> steps;                        ///< of one period
  std::vector<std::complex<double>> multipliers;  ///< by decreasing modulus
  double residual = 0.0;  ///< distance from the state after a period, in scaled coordinates
  int maps = 0;           ///< periods that the search followed
  int derivatives = 0;    ///< and with their derivatives

  [[nodiscard]] double period() const;
  [[nodiscard]] bool stable() const;
};

struct OrbitSearch {
  std::optional<Orbit> orbit;
  std::string reason;  ///< why there is none
};

/// Newton's method on the return map, damped; where that does not lead on, the motion itself. The
/// model must have a gait section and must not depend on time.
[[nodiscard]] OrbitSearch find_orbit(const Model& model, const State& guess,
                                     const GaitOptions& options);

}  // namespace slipstick
