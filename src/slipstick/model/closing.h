#pragma once

/// Completes a state so that chosen contacts are closed.

#include <span>

#include "slipstick/model/model.h"

namespace slipstick {

/// The closed configuration, or what stays open.
struct ClosingResult {
  VecQ q;
  bool closed = false;
  int open_contact = -1;  ///< the worst, if not closed
  double gap = 0.0;       ///< its gap [m]
};

/// Solves gap = 0 at every closing's contact for every closing's coordinate. A single coordinate
/// with `between` is bracketed; otherwise a damped Newton iteration starts at `near`, and its
/// result counts only inside `between`.
[[nodiscard]] ClosingResult solve_closing(const Model& model, const VecQ& q,
                                          std::span<const Closing> closings);

/// Sets the closings' rates so that gap_rate = 0 at their contacts; false if no rates do that.
[[nodiscard]] bool solve_closing_rates(const Model& model, std::span<const Closing> closings,
                                       State& state);

}  // namespace slipstick
