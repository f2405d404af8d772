#include "slipstick/analysis/paradox/case_contour.h"

#include <algorithm>
#include <map>
#include <utility>

#include "slipstick/analysis/parallel_for.h"
#include "slipstick/core/roots.h"

namespace slipstick {
namespace {

class Contour {
 public:
  Contour(const CaseGrid& grid, std::size_t which, const FindCaseValue& find)
      : grid_(grid), which_(which), find_(find) {}

  std::vector<std::vector<Vec2>> find() {
    const auto nx = static_cast<int>(grid_.points[0].size());
    const auto ny = static_cast<int>(grid_.points[1].size());
    Signs below = list_signs(0);
    for (int j = 0; j + 1 < ny; ++j) {
      Signs above = list_signs(j + 1);
      for (int i = 0; i + 1 < nx; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const int positive = below[k] + below[k + 1] + above[k] + above[k + 1];
        if (positive != 0 && positive != 4) add_cell(i, j);  // few cells have a crossing
      }
      below = std::move(above);
    }
    return chain();
  }

 private:
  /// An edge of the grid: from (i, j) to the right (0) or up (1).
  using Edge = std::array<int, 3>;

  [[nodiscard]] double value(int i, int j) const {
    const auto column = static_cast<std::size_t>(i);
    return grid_.values[grid_.index_of(column, static_cast<std::size_t>(j), which_)];
  }
  [[nodiscard]] bool positive(int i, int j) const { return value(i, j) > 0.0; }
  [[nodiscard]] double value_at(std::size_t axis, int i) const {
    return grid_.points[axis][static_cast<std::size_t>(i)];
  }
  [[nodiscard]] int kind(int i, int j) const {
    if (grid_.kinds.empty()) return 0;
    return grid_.kinds[static_cast<std::size_t>(j) * grid_.width() + static_cast<std::size_t>(i)];
  }
  /// True if the contacts close at a point, and slide as at the cell's first point.
  [[nodiscard]] bool has_value(int i, int j, int of_kind) const {
    return grid_.cases[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] != 0 &&
           kind(i, j) == of_kind;
  }

  /// 1 where a row's value is positive, 0 elsewhere.
  using Signs = std::vector<unsigned char>;
  [[nodiscard]] Signs list_signs(int j) const {
    Signs out(grid_.width());
    const double* values = grid_.values.data();  // a copy, since a char might point to the grid
    const std::size_t step = grid_.value_count;
    std::size_t at = grid_.index_of(0, static_cast<std::size_t>(j), which_);
    for (unsigned char& sign : out) {
      sign = values[at] > 0.0 ? 1 : 0;
      at += step;
    }
    return out;
  }

  void add_cell(int i, int j) {
    const int own = kind(i, j);
    if (own < 0 || !has_value(i, j, own) || !has_value(i + 1, j, own) ||
        !has_value(i, j + 1, own) || !has_value(i + 1, j + 1, own)) {
      return;
    }
    std::vector<Edge> crossed;
    if (positive(i, j) != positive(i + 1, j)) crossed.push_back({i, j, 0});
    if (positive(i + 1, j) != positive(i + 1, j + 1)) crossed.push_back({i + 1, j, 1});
    if (positive(i, j + 1) != positive(i + 1, j + 1)) crossed.push_back({i, j + 1, 0});
    if (positive(i, j) != positive(i, j + 1)) crossed.push_back({i, j, 1});
    if (crossed.size() == 2) link(crossed[0], crossed[1]);
    if (crossed.size() == 4) {  // a saddle: the centre's sign says which corners belong together
      const double x = 0.5 * (value_at(0, i) + value_at(0, i + 1));
      const double y = 0.5 * (value_at(1, j) + value_at(1, j + 1));
      const std::optional<double> centre = find_(i, j, {x, y}, which_);
      const bool with_first = centre && (*centre > 0.0) == positive(i, j);
      link(crossed[0], crossed[with_first ? 1 : 3]);
      link(crossed[2], crossed[with_first ? 3 : 1]);
    }
  }

  void link(const Edge& a, const Edge& b) {
    links_[a].push_back(b);
    links_[b].push_back(a);
  }

  /// Where the value vanishes on an edge; nothing if the contacts open on the way.
  [[nodiscard]] std::optional<Vec2> refine(const Edge& edge) const {
    const int i = edge[0];
    const int j = edge[1];
    const bool up = edge[2] != 0;
    const Vec2 from(value_at(0, i), value_at(1, j));
    const Vec2 to = up ? Vec2(from.x(), value_at(1, j + 1)) : Vec2(value_at(0, i + 1), from.y());
    bool opens = false;
    const auto eval_at = [&](double s) {
      if (s <= 0.0) return value(i, j);
      if (s >= 1.0) return up ? value(i, j + 1) : value(i + 1, j);
      const auto found = find_(i, j, from + s * (to - from), which_);
      opens = opens || !found;
      return found.value_or(0.0);
    };
    const double s = find_zero_between(eval_at, 0.0, 1.0);
    if (opens) return std::nullopt;
    return from + s * (to - from);
  }

  /// Edges do not depend on each other, so the result does not depend on the threads.
  void refine_all() {
    std::vector<Edge> edges;
    for (const auto& [edge, next] : links_) edges.push_back(edge);
    std::vector<std::optional<Vec2>> found(edges.size());
    parallel_for(edges.size(), [&](std::size_t k) { found[k] = refine(edges[k]); });
    for (std::size_t k = 0; k < edges.size(); ++k) crossings_[edges[k]] = found[k];
  }

  /// Joins the links to polylines: open ones from their ends, then closed ones.
  std::vector<std::vector<Vec2>> chain() {
    refine_all();
    std::vector<std::vector<Vec2>> out;
    const auto walk = [&](const Edge& start) {
      std::vector<Vec2> line;
      Edge here = start;
      while (true) {
        if (const auto& point = crossings_.at(here)) {
          line.push_back(*point);
        } else if (!line.empty()) {
          out.push_back(std::exchange(line, {}));
        }
        auto& next = links_[here];
        if (next.empty()) break;
        const Edge to = next.back();
        next.pop_back();
        auto& back = links_[to];
        back.erase(std::find(back.begin(), back.end(), here));
        here = to;
      }
      if (!line.empty()) out.push_back(std::move(line));
    };
    for (const std::size_t ends : {std::size_t{1}, std::size_t{2}}) {
      for (const auto& [edge, next] : std::map(links_)) {
        if (links_[edge].size() == ends) walk(edge);
      }
    }
    return out;
  }

  const CaseGrid& grid_;
  std::size_t which_;
  const FindCaseValue& find_;
  std::map<Edge, std::vector<Edge>> links_;
  std::map<Edge, std::optional<Vec2>> crossings_;
};

}  // namespace

CaseGrid make_case_grid(const MapAxis& first, const MapAxis& second, std::size_t value_count) {
  CaseGrid out;
  out.value_count = value_count;
  const auto add_points = [](const MapAxis& axis, std::vector<double>& points) {
    for (int k = 0; k < axis.count; ++k) points.push_back(axis.value_at(k));
  };
  add_points(first, out.points[0]);
  add_points(second, out.points[1]);
  const auto height = static_cast<std::size_t>(second.count);
  out.cases.assign(height, std::vector<int>(out.width(), 0));
  out.values.resize(height * out.width() * value_count);
  return out;
}

std::vector<std::vector<Vec2>> find_case_contours(const CaseGrid& grid, std::size_t which,
                                                  const FindCaseValue& find) {
  return Contour(grid, which, find).find();
}

}  // namespace slipstick
