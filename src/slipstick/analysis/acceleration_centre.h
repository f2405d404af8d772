#pragma once

/// The point of a body that is not accelerated, seen from one of its contacts. If the body turns
/// and this point reaches the line through the contact along the normal, sliding jams [Meltz2007],
/// section 5: docs/theory/paradox.md.

#include <optional>

#include "slipstick/model/model.h"

namespace slipstick {

/// Relative to the contact point, in the axes of its surface [m]. The jamming line is along_t = 0.
struct AccelerationCentre {
  double along_t = 0.0, along_n = 0.0;
};

/// The centre of the body that a contact belongs to. Nothing if the body neither turns nor begins
/// to.
[[nodiscard]] std::optional<AccelerationCentre> find_acceleration_centre(const Model& model,
                                                                         int contact,
                                                                         const State& state,
                                                                         const VecQ& acceleration);

}  // namespace slipstick
