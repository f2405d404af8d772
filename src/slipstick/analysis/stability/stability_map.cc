#include "slipstick/analysis/stability/stability_map.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "slipstick/analysis/stability/body_family.h"

namespace slipstick {
namespace {

class VerdictMapper {
 public:
  VerdictMapper(const MakeBody& make_body, std::span<const StabilityAxis> axes,
                const Tolerances& tolerances)
      : axes_(axes), tolerances_(tolerances), family_(make_body, list_ranges(axes)) {}

  StabilityMap find(const MapProgress& progress) {
    const auto rows = static_cast<std::size_t>(axes_.size() == 2 ? axes_[1].count : 1);
    const auto columns = static_cast<std::size_t>(axes_[0].count);
    StabilityMap out;
    out.verdicts.assign(rows, std::vector(columns, Verdict::kUndecided));
    out.theorems.assign(rows, std::vector(columns, Theorem::kNone));
    out.growths.assign(rows, std::vector(columns, std::numeric_limits<double>::quiet_NaN()));
    std::vector<std::vector<Crossing>> along(rows), across(rows);
    for_each_row(rows, progress, [&](std::size_t j) {
      for (std::size_t i = 0; i < columns; ++i) {
        const Stability stability = judge(value_at(0, i), value_at(1, j));
        out.verdicts[j][i] = stability.verdict;
        out.theorems[j][i] = stability.theorem;
        out.growths[j][i] = stability.growth();
      }
      for (std::size_t i = 0; i + 1 < columns; ++i) {
        const Verdict from = out.verdicts[j][i];
        const Verdict to = out.verdicts[j][i + 1];
        if (from != to) along[j].push_back(locate(0, i, j, from, to));
      }
    });
    for_each_row(rows - 1, {}, [&](std::size_t j) {
      for (std::size_t i = 0; i < columns; ++i) {
        const Verdict from = out.verdicts[j][i];
        const Verdict to = out.verdicts[j + 1][i];
        if (from != to) across[j].push_back(locate(1, i, j, from, to));
      }
    });
    gather(along, out);
    gather(across, out);
    return out;
  }

 private:
  struct Crossing {
    Verdict from = Verdict::kUndecided, to = Verdict::kUndecided;
    Vec2 at = Vec2::Zero();
  };

  static std::vector<Interval> list_ranges(std::span<const StabilityAxis> axes) {
    std::vector<Interval> out;
    for (const StabilityAxis& axis : axes) out.push_back(axis.range);
    return out;
  }

  template <class F>
  static void for_each_row(std::size_t rows, const MapProgress& progress, const F& work) {
    std::atomic<int> done = 0;
    std::atomic<bool> stopped = false;
    tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t j) {
      if (stopped) return;
      work(j);
      const int count = ++done;
      if (progress && !progress(count)) stopped = true;
    });
  }

  [[nodiscard]] double value_at(std::size_t axis, std::size_t i) const {
    return axis < axes_.size() ? axes_[axis].value(i) : 0.0;
  }

  [[nodiscard]] Stability judge(double first, double second) const {
    const std::array<double, 2> values{first, second};
    return find_stability(family_.make(std::span(values).first(axes_.size())), tolerances_);
  }

  /// Bisects between two neighbours of the grid.
  [[nodiscard]] Crossing locate(std::size_t axis, std::size_t i, std::size_t j, Verdict from,
                                Verdict to) const {
    Vec2 inside(value_at(0, i), value_at(1, j));
    Vec2 outside = inside;
    const auto k = static_cast<Eigen::Index>(axis);
    outside[k] = value_at(axis, (axis == 0 ? i : j) + 1);
    const Interval& range = axes_[axis].range;
    const double enough = 1e-10 * (range.high - range.low);
    while (outside[k] - inside[k] > enough) {
      Vec2 middle = inside;
      middle[k] = 0.5 * (inside[k] + outside[k]);
      (judge(middle.x(), middle.y()).verdict == from ? inside : outside) = middle;
    }
    // Another verdict may lie between the two; just at a border everything is marginal.
    const Vec2 border = 0.5 * (inside + outside);
    for (double further = enough; further < 1e4 * enough; further *= 10.0) {
      const Verdict beyond = judge(outside.x(), outside.y()).verdict;
      if (beyond != Verdict::kMarginal) return {from, beyond, border};
      outside[k] = std::min(border[k] + further, range.high);
    }
    return {from, to, border};
  }

  static void gather(const std::vector<std::vector<Crossing>>& rows, StabilityMap& out) {
    for (const auto& row : rows) {
      for (const Crossing& crossing : row) {
        const Verdict from = std::min(crossing.from, crossing.to);
        const Verdict to = std::max(crossing.from, crossing.to);
        auto border = std::find_if(out.borders.begin(), out.borders.end(), [&](const auto& known) {
          return known.from == from && known.to == to;
        });
        if (border == out.borders.end()) border = out.borders.insert(border, {from, to, {}});
        border->points.push_back(crossing.at);
      }
    }
  }

  std::span<const StabilityAxis> axes_;
  Tolerances tolerances_;
  BodyFamily family_;
};

}  // namespace

StabilityMap find_stability_map(const MakeBody& make_body, std::span<const StabilityAxis> axes,
                                const Tolerances& tolerances, const MapProgress& progress) {
  return VerdictMapper(make_body, axes, tolerances).find(progress);
}

}  // namespace slipstick
