#pragma once

/// The whole answer about one state: every admissible continuation, none, one or several.

#include "slipstick/contact/modes.h"
#include "slipstick/contact/sliding.h"

namespace slipstick {

/// `marginal` has the decisions about p, b and P as well, before those about the modes.
// NOLINTNEXTLINE(bugprone-exception-escape): as ModeSolutions
struct Classification : ModeSolutions {
  ContactClass contact_class = ContactClass::kConsistent;
  ContactKinematics kinematics;
  PerContact<ContactStatus> status;
  Sliding sliding;

  /// Contacts at which an impact comes first.
  [[nodiscard]] std::vector<int> list_colliding() const;
};

/// Solves the contact problem of all closed contacts together. A colliding contact (gap 0, closing)
/// is left out of the solutions: an impact comes first there.
[[nodiscard]] Classification classify(const Model& model, const State& state,
                                      const Tolerances& tolerances);

}  // namespace slipstick
