#pragma once

/// The return map of a gait, and refinement near a known orbit.

#include <string>

#include "slipstick/analysis/gait/section.h"
#include "slipstick/gait.h"

namespace slipstick {

/// The events of a period in words. Where this text changes along a branch, the return map is not
/// smooth.
[[nodiscard]] std::string describe_sequence(const Model& model, const Orbit& orbit);

/// Newton's method alone, from a state near an orbit whose section is known. Finds that orbit or
/// none.
[[nodiscard]] OrbitSearch refine_orbit(const Model& model, const State& near,
                                       const SectionShape& shape, const GaitOptions& options);

/// The return map at one state of its section, with its derivative there.
struct ReturnEvaluation {
  State end;
  Eigen::MatrixXd tangents, derivative;  ///< as in Orbit
  Why why;                               ///< why there is none
};
[[nodiscard]] ReturnEvaluation eval_return_map(const Model& model, const Section& section,
                                               const State& state, const GaitOptions& options);

}  // namespace slipstick
