#pragma once

/// All that is answered about the stability of one rest: the verdict, the maps it comes from, how
/// far it is from changing, and whether it holds over a box of parameters.

#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/stability/box.h"
#include "slipstick/analysis/stability/margins.h"

namespace slipstick {

/// A parameter that is known only to lie in a range.
struct UncertainParameter {
  std::string name;
  Interval range;
};

struct StabilityQuestion {
  std::vector<double> angles;  ///< at which to sample R and G, within (-pi/2, pi/2) [rad]
  std::vector<UncertainParameter> uncertain;
  MakeBody make_body;  ///< at values of these; called by several threads; not needed without any
};

/// `count` angles in the middle of equal parts of (-pi/2, pi/2) [rad]: at its ends R and G have
/// limits only.
[[nodiscard]] std::vector<double> make_sample_angles(int count);

/// R and G at one angle.
struct MapSample {
  double angle = 0.0;
  std::optional<MapValue> value;
};

struct StabilityReport {
  TwoContactBody body;
  Stability stability;
  ZeroOrder dynamics;              ///< in the order of contacts that the maps use
  std::vector<MapSample> samples;  ///< none without maps
  std::vector<Margin> margins;
  std::vector<UncertainParameter> uncertain;
  BoxVerdict box;  ///< over them
};

[[nodiscard]] StabilityReport make_stability_report(const TwoContactBody& body,
                                                    const StabilityQuestion& question,
                                                    const Tolerances& tolerances);

}  // namespace slipstick
