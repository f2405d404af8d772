#pragma once

/// The modes of at most one closed contact where no decision is close. This is the usual case along
/// a motion and in a map, at a small part of the cost of the general enumeration.

#include "slipstick/contact/mode_list.h"

namespace slipstick {

/// Finds the same solutions as find_consistent_modes, without marginal entries and families, into
/// an empty list. False if there are several closed contacts or a bilateral one, or if a quantity
/// that decides is within 1e-6 of zero relative to its terms; then the general enumeration must be
/// used.
[[nodiscard]] bool find_clear_modes(const ContactProblem& problem, ModeList& out);

}  // namespace slipstick
