#pragma once

/// Borders between outcomes in the plane of two axes, triangle by triangle. All places are parts of
/// the axes, from 0 to 1. Internal to this folder.

#include <array>
#include <functional>
#include <vector>

#include "slipstick/analysis/outcomes/changes.h"
#include "slipstick/linalg.h"

namespace slipstick {

/// Of both axes: places on borders are known to this.
inline constexpr double kBorderPlace = 1e-6;

/// Ends of pieces that meet are known to that each, from different sides of triangles.
inline constexpr double kBordersMeet = 4.0 * kBorderPlace;

/// A place of the plane and its label.
struct LabelledPoint {
  Vec2 at = Vec2::Zero();
  int label = -1;
};

/// A side of a triangle with the changes on it.
struct TriangleSide {
  LabelledPoint from, to;
  std::vector<OutcomeChange> changes;  ///< at parts of the way from one to the other
};

/// The same from its end to its start.
[[nodiscard]] TriangleSide turn_side(const TriangleSide& side);

/// Part of a border between two labels.
struct BorderPiece {
  std::array<int, 2> between{};
  std::vector<Vec2> points;
};
/// A point where three or more labels meet.
struct BorderCorner {
  Vec2 at = Vec2::Zero();
  std::vector<int> labels;
};
struct BorderParts {
  std::vector<BorderPiece> pieces;
  std::vector<BorderCorner> corners;
  bool is_whole = true;  ///< false: the borders are finer than what was followed
};

/// The label at a place of the plane.
using FindLabel = std::function<int(const Vec2&)>;

/// The borders inside a triangle. Side i goes from corner i to corner i + 1.
[[nodiscard]] BorderParts find_borders_in(const FindLabel& find,
                                          const std::array<TriangleSide, 3>& sides);

/// Joins pieces between the same labels whose ends meet into curves.
[[nodiscard]] std::vector<BorderPiece> join_pieces(const std::vector<BorderPiece>& pieces);

}  // namespace slipstick
