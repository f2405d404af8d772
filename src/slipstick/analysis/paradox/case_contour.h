#pragma once

/// Curves over a grid on which a value vanishes, as polylines. Internal to this folder.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "slipstick/linalg.h"
#include "slipstick/paradox.h"

namespace slipstick {

/// Cases and values at all points of a map.
struct CaseGrid {
  std::array<std::vector<double>, 2> points;  ///< values of the axes
  std::size_t value_count = 0;
  std::vector<std::vector<int>> cases;  ///< [second axis][first axis]
  std::vector<double> values;           ///< those of one point are adjacent; not set in case 0
  /// Per point, by rows: which contacts slide in which direction, as any number. Values of points
  /// of different kinds are not comparable; those of a negative kind are not set. Empty: one kind.
  std::vector<int> kinds{};

  [[nodiscard]] std::size_t width() const { return points[0].size(); }
  [[nodiscard]] std::size_t index_of(std::size_t i, std::size_t j, std::size_t which) const {
    return (j * width() + i) * value_count + which;
  }
};

/// A grid of these axes with case 0 everywhere.
[[nodiscard]] CaseGrid make_case_grid(const MapAxis& first, const MapAxis& second,
                                      std::size_t value_count);

/// The value of that index at a place near a point of the grid; nothing where there is none.
/// Several threads call it.
using FindCaseValue =
    std::function<std::optional<double>(int i, int j, const Vec2& at, std::size_t which)>;

/// Marching squares for one of the values, with crossings refined on the edges.
[[nodiscard]] std::vector<std::vector<Vec2>> find_case_contours(const CaseGrid& grid,
                                                                std::size_t which,
                                                                const FindCaseValue& find);

}  // namespace slipstick
