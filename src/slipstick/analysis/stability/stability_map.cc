#include "slipstick/stability_map.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "slipstick/analysis/parallel_for.h"
#include "slipstick/analysis/stability/body_family.h"
#include "slipstick/analysis/stability/verdict_border.h"

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
        locate(0, i, j, out, along[j]);
      }
    });
    for_each_row(rows - 1, {}, [&](std::size_t j) {
      for (std::size_t i = 0; i < columns; ++i) {
        locate(1, i, j, out, across[j]);
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
    parallel_for(rows, [&](std::size_t j) {
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

  /// Locates the borders between two neighbours of the grid, in their order.
  void locate(std::size_t axis, std::size_t i, std::size_t j, const StabilityMap& map,
              std::vector<Crossing>& out) const {
    Vec2 at(value_at(0, i), value_at(1, j));
    const auto k = static_cast<Eigen::Index>(axis);
    Verdict from = map.verdicts[j][i];
    const Verdict to = axis == 0 ? map.verdicts[j][i + 1] : map.verdicts[j + 1][i];
    double inside = at[k];
    const double outside = value_at(axis, (axis == 0 ? i : j) + 1);
    const double range = axes_[axis].range.high - axes_[axis].range.low;
    constexpr double kLocated = 1e-10;  // of the axis: as exact as verdicts are
    const auto judge_at = [&](double value) {
      Vec2 moved = at;
      moved[k] = value;
      return judge(moved.x(), moved.y());
    };
    constexpr int kMost = 8;  // between two neighbours; with more the grid is too coarse
    for (int count = 0; from != to && count < kMost; ++count) {
      const VerdictEnd end = find_verdict_end(judge_at, inside, outside, from, range, kLocated);
      at[k] = 0.5 * (end.inside + end.outside);
      out.push_back({from, end.beyond, at});
      if (!end.resumes) from = end.beyond;
      inside = end.past;
    }
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
