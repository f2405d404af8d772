#pragma once

/// The whole answer about one state: every admissible continuation, none, one or several.

#include <string>
#include <vector>

#include "slipstick/contact/modes.h"
#include "slipstick/contact/sliding.h"

namespace slipstick {

struct Classification {
  ContactClass contact_class = ContactClass::kConsistent;
  std::vector<ModeSolution> solutions;
  ContactKinematics kinematics;
  PerContact<ContactStatus> status;
  Sliding sliding;
  std::vector<std::string> marginal;  ///< of the modes and of p, b, P
};

/// Solves the contact problem of all closed contacts together. A colliding contact (gap 0, closing)
/// is left out: an impact comes first there.
[[nodiscard]] Classification classify(const Model& model, const State& state,
                                      const Tolerances& tolerances);

}  // namespace slipstick
