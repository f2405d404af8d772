#pragma once

#include "slipstick/model/model.h"
#include "slipstick/state.h"

namespace slipstick {

/// The model with zero-order dynamics about a configuration: M, h at zero velocity and the contact
/// directions stay as they are there, so that gaps and slips are linear in the coordinates and
/// every mode has one acceleration [Or2021] section III-A. Relabelling and loads that change are
/// left out.
[[nodiscard]] Model make_frozen_model(const Model& model, const State& state);

}  // namespace slipstick
