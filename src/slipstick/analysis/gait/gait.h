#pragma once

/// Periodic motion: steps that repeat up to the model's relabelling. docs/theory/gaits.md.

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/gait/section.h"
#include "slipstick/core/why.h"

namespace slipstick {

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

  [[nodiscard]] double period() const { return walk.duration(); }
  [[nodiscard]] bool stable() const;
};

/// The events of a period in words: where it changes along a branch, the return map is not smooth.
[[nodiscard]] std::string describe_sequence(const Model& model, const Orbit& orbit);

struct OrbitSearch {
  std::optional<Orbit> orbit;
  Why why;  ///< there is none
};

/// Newton's method on the return map, damped; where that does not lead on, the motion itself. The
/// model must have a gait section and must not depend on time.
[[nodiscard]] OrbitSearch find_orbit(const Model& model, const State& guess,
                                     const GaitOptions& options);

/// Newton's method alone, from a state near an orbit whose section is known: finds that orbit, or
/// none.
[[nodiscard]] OrbitSearch refine_orbit(const Model& model, const State& near,
                                       const SectionShape& shape, const GaitOptions& options);

/// The return map at one state of its section, with its derivative there.
struct ReturnEvaluation {
  State end;
  Eigen::MatrixXd tangents, derivative;  ///< as in Orbit
  Why why;                               ///< there is none
};
[[nodiscard]] ReturnEvaluation eval_return_map(const Model& model, const Section& section,
                                               const State& state, const GaitOptions& options);

}  // namespace slipstick
