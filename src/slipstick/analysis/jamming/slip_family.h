#pragma once

/// One mechanism at different slips of a contact, all else as at a state. Internal to this folder.

#include <memory>
#include <optional>

#include "slipstick/model/model.h"
#include "slipstick/paradox.h"
#include "slipstick/state.h"

namespace slipstick {

/// The velocities of a mechanism that moves as a whole by 1 m/s along the tangent of a closed
/// contact, so that no closed contact opens. Nothing if it cannot: its base is fixed.
[[nodiscard]] std::optional<VecQ> find_translation(const Model& model, const State& state,
                                                   int contact);

/// The same mechanism as a function of the slip. A mechanism that cannot move along the contact's
/// tangent has its surface moved instead.
class SlipFamily {
 public:
  SlipFamily(const Model& model, const State& initial, const SlidingContact& contact);

  /// A mechanism at a state. The model may be another one than that of the family.
  struct Member {
    std::shared_ptr<const Model> own;  ///< a model with another surface speed, or null
    const Model* model = nullptr;
    State state;
  };
  /// With this slip in the contact's direction [m/s].
  [[nodiscard]] Member make(double slip) const;

  [[nodiscard]] double own_slip() const { return own_slip_; }
  [[nodiscard]] bool by_translation() const { return translation_.has_value(); }
  [[nodiscard]] int surface() const { return surface_; }
  /// False: the base is fixed, and the surface's speed is a formula of time.
  [[nodiscard]] bool can_vary() const;

 private:
  const Model& model_;
  const State& initial_;
  double sign_ = 1.0, own_slip_ = 0.0;
  std::optional<VecQ> translation_;
  int surface_ = -1;
};

}  // namespace slipstick
