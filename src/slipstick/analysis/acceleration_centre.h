#pragma once

/// The point of a body that is not accelerated, seen from one of its contacts. Where it comes to
/// the line through the contact along the normal while the body turns, sliding jams [Meltz2007],
/// section 5: docs/theory/paradox.md.

#include <optional>

#include "slipstick/model/model.h"

namespace slipstick {

/// From the contact point, in the axes of its surface [m]. The jamming line is along_t = 0.
struct AccelerationCentre {
  double along_t = 0.0, along_n = 0.0;
};

/// Of the body that a contact belongs to. Nothing where the body neither turns nor begins to.
[[nodiscard]] std::optional<AccelerationCentre> find_acceleration_centre(const Model& model,
                                                                         int contact,
                                                                         const State& state,
                                                                         const VecQ& acceleration);

}  // namespace slipstick
