#include "slipstick/analysis/outcomes/contours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "slipstick/analysis/outcomes/border_search.h"

namespace slipstick {
namespace {

/// Round numbers inside of a range: multiples of 1, 2 or 5 times a power of ten.
std::vector<double> list_round_levels(double least, double most) {
  constexpr double kLevels = 8.0;  // that a reader can tell apart
  const double step = (most - least) / kLevels;
  if (!(step > 0.0) || !std::isfinite(step)) return {};
  const double ten = std::pow(10.0, std::floor(std::log10(step)));
  double round = 10.0 * ten;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * ten >= step) round = factor * ten;
  }
  std::vector<double> out;
  for (double k = std::ceil(least / round); k * round < most; k += 1.0) {
    if (k * round > least) out.push_back(k * round);
  }
  return out;
}

struct NumberedPoint {
  Vec2 at = Vec2::Zero();  // parts of the axes
  double number = 0.0;
};

/// Where a number on the line between two points has the level.
std::optional<Vec2> find_crossing(const NumberedPoint& a, const NumberedPoint& b, double level) {
  if ((a.number < level) == (b.number < level)) return std::nullopt;
  return a.at + (level - a.number) / (b.number - a.number) * (b.at - a.at);
}

void cross_triangle(const std::array<NumberedPoint, 3>& corners, double level,
                    std::vector<BorderPiece>& out) {
  BorderPiece piece;
  for (std::size_t i = 0; i < 3; ++i) {
    if (const auto at = find_crossing(corners[i], corners[(i + 1) % 3], level)) {
      piece.points.push_back(*at);
    }
  }
  if (piece.points.size() == 2) out.push_back(std::move(piece));
}

}  // namespace

std::vector<OutcomeContour> find_contours(const OutcomeAxis& first, const OutcomeAxis& second,
                                          std::span<const double> numbers) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    least = std::min(least, number);
    most = std::max(most, number);
  }
  const auto columns = static_cast<std::size_t>(first.count);
  const auto rows = static_cast<std::size_t>(second.count);
  const auto point = [&](std::size_t i, std::size_t j) {
    return NumberedPoint{{static_cast<double>(i) / static_cast<double>(columns - 1),
                          static_cast<double>(j) / static_cast<double>(rows - 1)},
                         numbers[j * columns + i]};
  };
  std::vector<OutcomeContour> out;
  for (const double level : list_round_levels(least, most)) {
    std::vector<BorderPiece> pieces;
    for (std::size_t j = 0; j + 1 < rows; ++j) {
      for (std::size_t i = 0; i + 1 < columns; ++i) {
        const NumberedPoint low = point(i, j);
        const NumberedPoint high = point(i + 1, j + 1);
        for (const NumberedPoint& corner : {point(i + 1, j), point(i, j + 1)}) {
          const bool known = std::isfinite(low.number) && std::isfinite(high.number) &&
                             std::isfinite(corner.number);
          if (known) cross_triangle({low, corner, high}, level, pieces);
        }
      }
    }
    for (const BorderPiece& curve : join_pieces(pieces)) {
      OutcomeContour& contour = out.emplace_back(OutcomeContour{level, {}});
      for (const Vec2& at : curve.points) {
        contour.points.emplace_back(first.value_at(at.x()), second.value_at(at.y()));
      }
    }
  }
  return out;
}

}  // namespace slipstick
