#pragma once

#include <string>
#include <vector>

#include "slipstick/analysis/stability/stability_report.h"
#include "slipstick/io/json/json_parts.h"
#include "slipstick/model_file.h"

namespace slipstick {

/// One text per step: "FP", or "(FP)" for an impact.
[[nodiscard]] std::vector<std::string> list_path(const ZeroOrder& dynamics, const Path& path);

/// How a motion that does not return ends, in words.
[[nodiscard]] const char* describe_end(PathEnd end);

/// "stable everywhere", or that a border lies inside, in words.
[[nodiscard]] std::string describe_box(const BoxVerdict& box);

[[nodiscard]] Json make_stability_json(const LoadedModel& loaded, const StabilityReport& report);

}  // namespace slipstick
