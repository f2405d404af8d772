#pragma once

/// What the viewer draws: the mechanism, and how it moved (docs/formats.md#pages).

#include <span>
#include <string>
#include <vector>

#include "slipstick/io/json/json_parts.h"
#include "slipstick/io/run_rows.h"

namespace slipstick {

/// Bodies, joints, surfaces, contacts and springs.
[[nodiscard]] Json make_scene(const Model& model);

struct MotionDocument {
  Json json;
  std::vector<std::string> notices;  ///< sentences: what was left out
};

/// One entry per run. Beyond kMostRows in all, only some rows are kept; those at events always.
[[nodiscard]] MotionDocument make_motion(const Model& model, std::span<const MotionRows> runs);
inline constexpr std::size_t kMostRows = 100000;

}  // namespace slipstick
