#pragma once

/// The least friction with which sliding can be paradoxical somewhere, over all configurations in
/// which the contacts are closed. docs/theory/paradox.md.
///
///     const auto least = slipstick::find_critical_friction(problem, {});  // paradox.h
///     if (least) std::cout << "mu_min = " << least->scale * least->friction[0] << '\n';

#include <optional>
#include <span>
#include <vector>

#include "slipstick/paradox.h"
#include "slipstick/why.h"

namespace slipstick {

/// The critical friction scale over one or two coordinates; the others are as at its minimum.
struct FrictionLandscape {
  std::vector<CoordinateRange> axes;  ///< empty: there is none to vary
  int count = 0;                      ///< points per axis, ends included
  std::vector<double> scale;          ///< the first axis fastest; NaN where the contacts are open

  /// The value of a point of an axis.
  [[nodiscard]] double value_at(std::size_t axis, int index) const {
    return axes[axis].low + (axes[axis].high - axes[axis].low) * index / (count - 1);
  }
};

/// The answer: the factor, and where it is attained.
struct CriticalFriction {
  /// Smallest factor on the contacts' friction at which the paradox is possible somewhere;
  /// infinite if it never is.
  double scale = 0.0;
  /// What the factor multiplies, per sliding contact: the model's mu, or 1 for a single contact
  /// without friction.
  std::vector<double> friction;
  VecQ at;                         ///< the configuration that attains it
  std::vector<double> slip_signs;  ///< and the slip directions, per sliding contact
  /// Smallest factor above which the contact force can grow without bound.
  std::optional<double> jam_scale;
  VecQ jam_at;  ///< where it can, to 1e-6; empty: nowhere
  Why no_jam;   ///< why there is no such factor, or why it is not known
  /// The coordinates on which p and b depend, as far as they are searched; one contact only.
  std::vector<CoordinateRange> deciding;
  FrictionLandscape landscape;  ///< for pictures
};

/// Global search over the configurations in which the contacts are closed: one full turn per angle,
/// or the given ranges. The gaps of other contacts are ignored, and the worse slip direction is
/// taken. Nothing if the contacts close nowhere in these ranges.
[[nodiscard]] std::optional<CriticalFriction> find_critical_friction(
    const ParadoxProblem& problem, std::span<const CoordinateRange> over);

/// The same over the shapes that the mechanism can take. Coordinates that follow the contacts are
/// within their range, too. `over` replaces the range of its coordinates.
[[nodiscard]] std::optional<CriticalFriction> find_reachable_friction(
    const ParadoxProblem& problem, std::span<const CoordinateRange> range,
    std::span<const CoordinateRange> over);

}  // namespace slipstick
