#include "slipstick/analysis/outcomes/border_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace slipstick {
namespace {

/// Of one triangle of the grid: evaluations after which its borders are called unresolved. A corner
/// of three curves needs some six hundred.
constexpr int kMostEvaluations = 4000;

std::array<int, 2> make_pair_of(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

class TriangleSearch {
 public:
  explicit TriangleSearch(const FindLabel& find) : find_(find) {}

  void search(const std::array<TriangleSide, 3>& sides) {
    std::vector<std::pair<Vec2, OutcomeChange>> changes;
    double size = 0.0;
    bool is_simple = true;
    for (const TriangleSide& side : sides) {
      const Vec2 way = side.to.at - side.from.at;
      size = std::max(size, way.norm());
      is_simple = is_simple && side.changes.size() <= 1;
      for (const OutcomeChange& change : side.changes) {
        changes.emplace_back(side.from.at + change.middle() * way, change);
      }
    }
    if (changes.empty() || !can_go_on()) return;
    std::vector<int> labels;
    for (const auto& [at, change] : changes) {
      labels.push_back(change.from);
      labels.push_back(change.to);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    if (is_simple && changes.size() == 2 && labels.size() == 2) {
      return follow(changes[0].first, changes[1].first, {labels[0], labels[1]});
    }
    if (size > kBorderPlace) return divide(sides);
    if (labels.size() > 2) {
      out_.corners.push_back(
          {(sides[0].from.at + sides[1].from.at + sides[2].from.at) / 3.0, std::move(labels)});
    }
  }

  [[nodiscard]] BorderParts take() { return std::move(out_); }

 private:
  [[nodiscard]] int find(const Vec2& at) {
    ++evaluations_;
    return find_(at);
  }

  [[nodiscard]] bool can_go_on() {
    if (evaluations_ > kMostEvaluations) out_.is_whole = false;
    return out_.is_whole;
  }

  /// A side between two points, with the changes on it that bisection finds.
  [[nodiscard]] TriangleSide make_side(const LabelledPoint& from, const LabelledPoint& to) {
    TriangleSide out{from, to, {}};
    if (from.label == to.label) return out;
    const Vec2 way = to.at - from.at;
    const auto find_on_way = [&](double place) {
      return FoundOutcome{find(from.at + place * way), 0.0, {}, 0.0};
    };
    const WayPoint start{0.0, {from.label, 0.0, {}, 0.0}};
    const WayPoint end{1.0, {to.label, 0.0, {}, 0.0}};
    OutcomeChanges changes = find_changes(find_on_way, start, end, kBorderPlace / way.norm());
    out_.is_whole = out_.is_whole && changes.is_whole;
    out.changes = std::move(changes.list);
    return out;
  }

  /// The two halves of a side, which keep its changes where they agree with the label in its
  /// middle.
  [[nodiscard]] std::array<TriangleSide, 2> halve(const TriangleSide& side) {
    LabelledPoint middle{0.5 * (side.from.at + side.to.at), -1};
    int expected = side.from.label;
    std::array<std::vector<OutcomeChange>, 2> changes;
    bool is_apart = true;
    for (const OutcomeChange& change : side.changes) {
      if (change.after <= 0.5) {
        expected = change.to;
        changes[0].push_back(
            {2.0 * change.before, 2.0 * change.after, change.from, change.to, change.tolerance});
      } else if (change.before >= 0.5) {
        changes[1].push_back({2.0 * change.before - 1.0, 2.0 * change.after - 1.0, change.from,
                              change.to, change.tolerance});
      } else {
        is_apart = false;
      }
    }
    middle.label = find(middle.at);
    if (!is_apart || middle.label != expected) {
      return {make_side(side.from, middle), make_side(middle, side.to)};
    }
    return {TriangleSide{side.from, middle, changes[0]}, TriangleSide{middle, side.to, changes[1]}};
  }

  /// Into four triangles of half the size.
  void divide(const std::array<TriangleSide, 3>& sides) {
    std::array<std::array<TriangleSide, 2>, 3> halves;
    for (std::size_t i = 0; i < 3; ++i) halves[i] = halve(sides[i]);
    std::array<TriangleSide, 3> inner;  // from the middle of side i to that of side i + 1
    for (std::size_t i = 0; i < 3; ++i) {
      inner[i] = make_side(halves[i][0].to, halves[(i + 1) % 3][0].to);
    }
    for (std::size_t i = 0; i < 3; ++i) {  // at corner i + 1
      search({halves[i][1], halves[(i + 1) % 3][0], turn_side(inner[i])});
    }
    search(inner);
  }

  /// A border that enters at one point and leaves at another.
  void follow(const Vec2& from, const Vec2& to, const std::array<int, 2>& between) {
    BorderPiece piece{make_pair_of(between[0], between[1]), {from}};
    const double length = (to - from).norm();
    constexpr double kFirstBend = 0.05;  // of the length: a guess of how far the curve bends
    bend(from, to, between, kFirstBend * length, piece);
    out_.pieces.push_back(std::move(piece));
  }

  /// Adds the points between `from` and `to`, and `to`, so that straight lines between neighbours
  /// are as near to the curve as its points are. `guess` is the bend to look for first.
  void bend(const Vec2& from, const Vec2& to, const std::array<int, 2>& between, double guess,
            BorderPiece& piece) {
    const Vec2 way = to - from;
    const double length = way.norm();
    // A straight line bends by no more than what its ends are off. Shorter than 1/2000 of the axes
    // nothing is drawn.
    constexpr double kShortest = 5e-4;
    if (length > kShortest && can_go_on()) {
      if (const auto middle = find_beside(from, to, between, std::max(guess, kBorderPlace))) {
        const double bent = (*middle - 0.5 * (from + to)).norm();
        if (bent > 2.0 * kBorderPlace) {
          bend(from, *middle, between, 0.25 * bent, piece);
          bend(*middle, to, between, 0.25 * bent, piece);
          return;
        }
      }
    }
    piece.points.push_back(to);
  }

  /// The point of the border beside the middle of a line between two of its points; nothing if
  /// there is none within a quarter of the line's length.
  [[nodiscard]] std::optional<Vec2> find_beside(const Vec2& from, const Vec2& to,
                                                const std::array<int, 2>& between, double guess) {
    const Vec2 way = to - from;
    const Vec2 across = turn_left(way).normalized();
    const Vec2 middle = 0.5 * (from + to);
    const auto at = [&](double distance) -> Vec2 { return middle + distance * across; };
    const int here = find_inside(middle);
    if (here != between[0] && here != between[1]) return std::nullopt;
    for (double reach = guess; reach < 0.25 * way.norm(); reach *= 4.0) {
      for (const double sign : {1.0, -1.0}) {
        double inside = 0.0;
        double outside = sign * reach;
        const int there = find_inside(at(outside));
        if (there == here) continue;
        if (there != between[0] && there != between[1]) return std::nullopt;
        while (std::abs(outside - inside) > kBorderPlace) {
          const double half = 0.5 * (inside + outside);
          (find_inside(at(half)) == here ? inside : outside) = half;
        }
        return at(0.5 * (inside + outside));
      }
    }
    return std::nullopt;
  }

  /// The label at a place; -1 outside of the axes.
  [[nodiscard]] int find_inside(const Vec2& at) {
    const bool is_inside = at.minCoeff() >= 0.0 && at.maxCoeff() <= 1.0;
    return is_inside ? find(at) : -1;
  }

  const FindLabel& find_;
  BorderParts out_;
  int evaluations_ = 0;
};

/// The ends of pieces by place, so that the piece that goes on from a point is found at once.
class PieceEnds {
 public:
  explicit PieceEnds(const std::vector<BorderPiece>& pieces) : pieces_(pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      ends_.emplace(cell_of(pieces[i].points.front(), 0, 0), i);
      ends_.emplace(cell_of(pieces[i].points.back(), 0, 0), i);
    }
  }

  /// The first unused piece between the same labels that has an end here.
  [[nodiscard]] std::optional<std::size_t> find(const Vec2& at, const std::array<int, 2>& between,
                                                const std::vector<bool>& is_used) const {
    std::optional<std::size_t> out;
    for (long dx = -1; dx <= 1; ++dx) {
      for (long dy = -1; dy <= 1; ++dy) {
        const auto [begin, end] = ends_.equal_range(cell_of(at, dx, dy));
        for (auto entry = begin; entry != end; ++entry) {
          const BorderPiece& piece = pieces_[entry->second];
          const bool fits = !is_used[entry->second] && piece.between == between &&
                            (meets(piece.points.front(), at) || meets(piece.points.back(), at));
          if (fits && (!out || entry->second < *out)) out = entry->second;
        }
      }
    }
    return out;
  }

  [[nodiscard]] static bool meets(const Vec2& a, const Vec2& b) {
    return (a - b).norm() <= kBordersMeet;
  }

 private:
  using Cell = std::pair<long, long>;
  [[nodiscard]] static Cell cell_of(const Vec2& at, long dx, long dy) {
    return {std::lround(std::floor(at.x() / kBordersMeet)) + dx,
            std::lround(std::floor(at.y() / kBordersMeet)) + dy};
  }

  const std::vector<BorderPiece>& pieces_;
  std::multimap<Cell, std::size_t> ends_;
};

/// Adds a piece that begins or ends where the curve ends.
void join(BorderPiece& curve, const BorderPiece& piece) {
  const auto add = [&](auto begin, auto end) {
    curve.points.insert(curve.points.end(), begin + 1, end);
  };
  if (PieceEnds::meets(curve.points.back(), piece.points.front())) {
    add(piece.points.begin(), piece.points.end());
  } else {
    add(piece.points.rbegin(), piece.points.rend());
  }
}

}  // namespace

TriangleSide turn_side(const TriangleSide& side) {
  TriangleSide out{side.to, side.from, {}};
  for (auto change = side.changes.rbegin(); change != side.changes.rend(); ++change) {
    out.changes.push_back(
        {1.0 - change->after, 1.0 - change->before, change->to, change->from, change->tolerance});
  }
  return out;
}

BorderParts find_borders_in(const FindLabel& find, const std::array<TriangleSide, 3>& sides) {
  TriangleSearch search(find);
  search.search(sides);
  return search.take();
}

std::vector<BorderPiece> join_pieces(const std::vector<BorderPiece>& pieces) {
  const PieceEnds ends(pieces);
  std::vector<BorderPiece> out;
  std::vector<bool> is_used(pieces.size(), false);
  for (std::size_t first = 0; first < pieces.size(); ++first) {
    if (is_used[first]) continue;
    is_used[first] = true;
    BorderPiece curve = pieces[first];
    for (int end = 0; end < 2; ++end) {
      while (const auto next = ends.find(curve.points.back(), curve.between, is_used)) {
        is_used[*next] = true;
        join(curve, pieces[*next]);
      }
      std::reverse(curve.points.begin(), curve.points.end());
    }
    out.push_back(std::move(curve));
  }
  return out;
}

}  // namespace slipstick
