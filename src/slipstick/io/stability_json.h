#pragma once

#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/stability/box.h"
#include "slipstick/analysis/stability/margins.h"
#include "slipstick/io/model_file.h"

namespace slipstick {

/// R and G at one angle.
struct MapSample {
  double angle = 0.0;
  std::optional<MapValue> value;
};

/// A parameter that is known only to lie in a range.
struct UncertainParameter {
  std::string name;
  Interval range;
};

/// What `stability` answers about one state.
struct StabilityReport {
  TwoContactBody body;
  Stability stability;
  ZeroOrder dynamics;  ///< in the order of contacts that the maps use
  std::vector<MapSample> samples;
  std::vector<Margin> margins;
  std::vector<UncertainParameter> uncertain;
  BoxVerdict box;  ///< over them
};

/// "FP", or "(FP)" for an impact, per step.
[[nodiscard]] std::vector<std::string> list_path(const ZeroOrder& dynamics, const Path& path);

/// How a motion that does not return ends, in words.
[[nodiscard]] const char* describe_end(PathEnd end);

/// "stable everywhere", or that a border lies inside, in words.
[[nodiscard]] std::string describe_box(const BoxVerdict& box);

[[nodiscard]] std::string make_stability_json(const LoadedModel& loaded,
                                              const StabilityReport& report);

}  // namespace slipstick
