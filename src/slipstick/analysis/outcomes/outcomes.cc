#include "slipstick/outcomes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "slipstick/analysis/outcomes/border_search.h"
#include "slipstick/analysis/outcomes/changes.h"
#include "slipstick/analysis/outcomes/contours.h"
#include "slipstick/analysis/outcomes/counted_outcomes.h"
#include "slipstick/analysis/parallel_for.h"

namespace slipstick {
namespace {

/// Of the axis: thresholds are located to it, or to neighbours among doubles. A thousandth of what
/// is promised costs ten more evaluations, and keeps digits where the axis is long.
constexpr double kThresholdPlace = 1e-12;

/// Work on one question: the points first, then the borders between them.
class OutcomeSearch {
 public:
  explicit OutcomeSearch(const OutcomeQuestion& question)
      : question_(question), outcomes_(question) {}

  OutcomeMap find() {
    find_points();
    for (const FoundOutcome& point : points_) {
      if (point.label >= 0) static_cast<void>(number(point.label));
    }
    const std::size_t axes = question_.axes.size();
    if (question_.borders && axes == 1) find_thresholds();
    if (question_.borders && axes == 2) find_borders();
    fill_cells();
    if (axes == 2 && count(0) > 1 && count(1) > 1 && question_.levels.empty()) {
      out_.contours = find_contours(question_.axes[0], question_.axes[1], out_.numbers);
    }
    out_.found = outcomes_.count();
    out_.complete = !outcomes_.is_stopped();
    return std::move(out_);
  }

 private:
  using Points = std::vector<FoundOutcome>;

  [[nodiscard]] std::size_t count(std::size_t axis) const {
    return static_cast<std::size_t>(question_.axes[axis].count);
  }
  [[nodiscard]] double part(std::size_t axis, std::size_t i) const {
    return static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(count(axis), 2) - 1);
  }

  void find_points() {
    std::size_t total = 1;
    for (std::size_t k = 0; k < question_.axes.size(); ++k) total *= count(k);
    points_.resize(total);
    parallel_for(total, [&](std::size_t point) {
      std::vector<double> parts;
      std::size_t rest = point;
      for (std::size_t k = 0; k < question_.axes.size(); ++k) {
        parts.push_back(part(k, rest % count(k)));
        rest /= count(k);
      }
      points_[point] = outcomes_.find(parts);
    });
  }

  // --- one axis ---

  void find_thresholds() {
    const std::size_t cells = count(0) - 1;
    std::vector<WayPoint> line;
    for (std::size_t i = 0; i <= cells; ++i) line.push_back({part(0, i), points_[i]});
    const FindOnWay find = [&](double place) { return outcomes_.find(std::span(&place, 1)); };
    std::vector<OutcomeChanges> changes(cells);
    std::vector<std::vector<OutcomeThreshold>> thresholds(cells);
    parallel_for(cells, [&](std::size_t i) {
      const WayPoint* before = i > 0 ? &line[i - 1] : nullptr;
      const WayPoint* after = i + 2 < line.size() ? &line[i + 2] : nullptr;
      changes[i] = find_all_changes(find, before, line[i], line[i + 1], after, kThresholdPlace);
      for (const OutcomeChange& change : changes[i].list) {
        thresholds[i].push_back(make_threshold(find, change, line[i], line[i + 1]));
      }
    });
    if (outcomes_.is_stopped()) return;
    OutcomeInterval interval{question_.axes[0].value_at(0.0), 0.0, number(points_[0].label)};
    for (std::size_t i = 0; i < cells; ++i) {
      out_.unresolved += changes[i].is_whole ? 0 : 1;
      for (OutcomeThreshold& threshold : thresholds[i]) {
        threshold.between = {number(threshold.between[0]), number(threshold.between[1])};
        interval.to = threshold.value;
        out_.intervals.push_back(interval);
        interval = {threshold.value, 0.0, threshold.between[1]};
        out_.thresholds.push_back(threshold);
      }
      // Where there are more changes than were looked for, the next point's outcome goes on.
      interval.label = number(points_[i + 1].label);
    }
    interval.to = question_.axes[0].value_at(1.0);
    out_.intervals.push_back(interval);
  }

  /// With the band around the change in which rounding decides: places some brackets away are
  /// looked at, as far as the neighbours on the grid.
  [[nodiscard]] OutcomeThreshold make_threshold(const FindOnWay& find, const OutcomeChange& change,
                                                const WayPoint& low, const WayPoint& high) {
    const OutcomeAxis& axis = question_.axes[0];
    const double width = change.after - change.before;
    double before = change.before;
    double after = change.after;
    for (const double far : {4.0, 16.0, 64.0, 256.0}) {
      const double left = change.before - far * width;
      const double right = change.after + far * width;
      if (left > low.place && find(left).label == change.to) before = left;
      if (right < high.place && find(right).label == change.from) after = right;
    }
    OutcomeThreshold out;
    const double from = axis.value_at(before);
    const double to = axis.value_at(after);
    out.value = axis.value_at(change.middle());
    const double size = std::max(std::abs(out.value), axis.range.high - axis.range.low);
    out.error = std::max({out.value - from, to - out.value, change.tolerance * size});
    out.between = {change.from, change.to};
    out.decided_by_rounding = before < change.before || after > change.after;
    return out;
  }

  // --- two axes ---

  /// The sides of the grid along an axis, [line][cell]; of diagonals, from the lower left to the
  /// upper right corner of a cell.
  using Sides = std::vector<std::vector<TriangleSide>>;

  [[nodiscard]] LabelledPoint make_point(std::size_t i, std::size_t j) const {
    return {{part(0, i), part(1, j)}, points_[j * count(0) + i].label};
  }

  [[nodiscard]] TriangleSide make_side(const LabelledPoint& from, const LabelledPoint& to,
                                       const FoundOutcome* before, const FoundOutcome& first,
                                       const FoundOutcome& second, const FoundOutcome* after,
                                       bool& is_whole) {
    const Vec2 way = to.at - from.at;
    const FindOnWay find = [&](double place) {
      const Vec2 at = from.at + place * way;
      return outcomes_.find(std::span(at.data(), 2));
    };
    const auto make_beyond = [](double place, const FoundOutcome* outcome) {
      return outcome != nullptr ? std::optional(WayPoint{place, *outcome}) : std::nullopt;
    };
    const auto left = make_beyond(-1.0, before);
    const auto right = make_beyond(2.0, after);
    OutcomeChanges changes =
        find_all_changes(find, left ? &*left : nullptr, {0.0, first}, {1.0, second},
                         right ? &*right : nullptr, kBorderPlace / way.norm());
    is_whole = is_whole && changes.is_whole;
    return {from, to, std::move(changes.list)};
  }

  /// The sides in one direction: from points (i, j) to (i + right, j + up).
  [[nodiscard]] Sides find_sides(std::size_t right, std::size_t up) {
    const std::size_t columns = count(0) - right;
    const std::size_t rows = count(1) - up;
    Sides out(rows, std::vector<TriangleSide>(columns));
    parallel_for(rows * columns, [&](std::size_t cell) {
      const std::size_t i = cell % columns;
      const std::size_t j = cell / columns;
      const std::size_t step = up * count(0) + right;
      const std::size_t at = j * count(0) + i;
      const bool has_before = i >= right && j >= up;
      const bool has_after = i + 2 * right < count(0) && j + 2 * up < count(1);
      bool is_whole = true;
      out[j][i] =
          make_side(make_point(i, j), make_point(i + right, j + up),
                    has_before ? &points_[at - step] : nullptr, points_[at], points_[at + step],
                    has_after ? &points_[at + 2 * step] : nullptr, is_whole);
    });
    return out;
  }

  void find_borders() {
    const Sides across = find_sides(1, 0);
    const Sides along = find_sides(0, 1);
    const Sides diagonal = find_sides(1, 1);
    if (outcomes_.is_stopped()) return;
    const std::size_t columns = count(0) - 1;
    const std::size_t rows = count(1) - 1;
    std::vector<std::array<BorderParts, 2>> parts(rows * columns);
    const FindLabel find = [&](const Vec2& at) {
      return outcomes_.find(std::span(at.data(), 2)).label;
    };
    parallel_for(rows * columns, [&](std::size_t cell) {
      const std::size_t i = cell % columns;
      const std::size_t j = cell / columns;
      const TriangleSide back = turn_side(diagonal[j][i]);
      parts[cell][0] = find_borders_in(find, {across[j][i], along[j][i + 1], back});
      parts[cell][1] = find_borders_in(
          find, {diagonal[j][i], turn_side(across[j + 1][i]), turn_side(along[j][i])});
    });
    if (!outcomes_.is_stopped()) gather(parts);
  }

  /// Labels that no point has, in the order of their names.
  void number_labels_of(const std::vector<std::array<BorderParts, 2>>& parts) {
    std::map<std::string, int> labels;
    for (const auto& cell : parts) {
      for (const BorderParts& triangle : cell) {
        for (const BorderPiece& piece : triangle.pieces) {
          for (const int label : piece.between) labels.emplace(outcomes_.name(label), label);
        }
        for (const BorderCorner& corner : triangle.corners) {
          for (const int label : corner.labels) labels.emplace(outcomes_.name(label), label);
        }
      }
    }
    for (const auto& [name, label] : labels) static_cast<void>(number(label));
  }

  void gather(const std::vector<std::array<BorderParts, 2>>& parts) {
    number_labels_of(parts);
    std::vector<BorderPiece> pieces;
    for (const auto& cell : parts) {
      out_.unresolved += cell[0].is_whole && cell[1].is_whole ? 0 : 1;
      for (const BorderParts& triangle : cell) {
        for (const BorderPiece& piece : triangle.pieces) {
          pieces.push_back(piece);
          auto& between = pieces.back().between;
          between = {number(between[0]), number(between[1])};
          std::sort(between.begin(), between.end());
        }
        for (const BorderCorner& corner : triangle.corners) add_corner(corner);
      }
    }
    for (const BorderPiece& curve : join_pieces(pieces)) {
      if (is_within_a_corner(curve)) continue;
      OutcomeBorder border{curve.between, {}};
      for (const Vec2& point : curve.points) border.points.push_back(value_at(point));
      out_.borders.push_back(std::move(border));
    }
  }

  /// Shorter than the places of its ends are uncertain: what a corner leaves.
  [[nodiscard]] static bool is_within_a_corner(const BorderPiece& curve) {
    return std::all_of(curve.points.begin(), curve.points.end(), [&](const Vec2& point) {
      return (point - curve.points.front()).norm() <= kBordersMeet;
    });
  }

  /// A corner on a side is found from both of its triangles. Corners that are as near to each other
  /// as their places are uncertain are one, where more than three outcomes meet.
  void add_corner(const BorderCorner& corner) {
    std::vector<int> labels;
    for (const int label : corner.labels) labels.push_back(number(label));
    const Vec2 at = value_at(corner.at);
    const Vec2 size = value_at(Vec2::Ones()) - value_at(Vec2::Zero());
    const auto known =
        std::find_if(out_.corners.begin(), out_.corners.end(), [&](const OutcomeCorner& other) {
          return (other.at - at).cwiseQuotient(size).norm() <= kBordersMeet;
        });
    OutcomeCorner& out =
        known != out_.corners.end() ? *known : out_.corners.emplace_back(OutcomeCorner{at, {}});
    out.labels.insert(out.labels.end(), labels.begin(), labels.end());
    std::sort(out.labels.begin(), out.labels.end());
    out.labels.erase(std::unique(out.labels.begin(), out.labels.end()), out.labels.end());
  }

  [[nodiscard]] Vec2 value_at(const Vec2& parts) const {
    return {question_.axes[0].value_at(parts.x()), question_.axes[1].value_at(parts.y())};
  }

  // --- labels in an order that does not depend on threads ---

  /// The number of a label in the answer: labels of points first, then those of borders.
  [[nodiscard]] int number(int label) {
    const auto [place, is_new] = numbers_.try_emplace(label, static_cast<int>(out_.labels.size()));
    if (is_new) out_.labels.push_back(outcomes_.name(label));
    return place->second;
  }

  void fill_cells() {
    for (const FoundOutcome& point : points_) {
      out_.cells.push_back(point.label < 0 ? -1 : number(point.label));
      out_.numbers.push_back(point.number);
    }
    out_.whys.resize(out_.labels.size());
    for (const auto& [label, place] : numbers_) {
      out_.whys[static_cast<std::size_t>(place)] = outcomes_.why(label);
    }
  }

  const OutcomeQuestion& question_;
  CountedOutcomes outcomes_;
  Points points_;
  std::map<int, int> numbers_;
  OutcomeMap out_;
};

}  // namespace

double OutcomeAxis::value_at(double part) const {
  if (part == 1.0) return range.high;
  if (logarithmic) return range.low * std::pow(range.high / range.low, part);
  return (1.0 - part) * range.low + part * range.high;
}

double OutcomeAxis::value(std::size_t i) const {
  return count < 2 ? range.low : value_at(static_cast<double>(i) / (count - 1));
}

OutcomeMap find_outcomes(const OutcomeQuestion& question) { return OutcomeSearch(question).find(); }

}  // namespace slipstick
