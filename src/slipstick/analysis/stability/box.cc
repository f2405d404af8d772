#include "slipstick/analysis/stability/box.h"

#include <algorithm>
#include <cmath>

#include "slipstick/analysis/stability/verdict_border.h"
#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

class BoxSearch {
 public:
  BoxSearch(const MakeBody& make_body, std::span<const Interval> box, const Tolerances& tolerances)
      : make_body_(make_body), box_(box), tolerances_(tolerances) {
    // An odd number of points per axis, so that one of them is the middle; some thousand points in
    // all.
    constexpr double kPoints = 2500.0;  // in all
    const double per_axis = std::pow(kPoints, 1.0 / static_cast<double>(box.size()));
    count_ = std::clamp(static_cast<int>(per_axis) | 1, 3, 201);
  }

  BoxVerdict find() {
    std::size_t total = 1;
    for (std::size_t axis = 0; axis < box_.size(); ++axis) {
      total *= static_cast<std::size_t>(count_);
    }
    for (std::size_t i = 0; i < total; ++i) grid_.push_back(judge(make_point(i)));
    BoxVerdict out;
    out.points = static_cast<int>(total);
    for (const Verdict verdict : grid_) {
      if (std::find(out.verdicts.begin(), out.verdicts.end(), verdict) == out.verdicts.end()) {
        out.verdicts.push_back(verdict);
      }
    }
    std::sort(out.verdicts.begin(), out.verdicts.end());
    std::size_t stride = 1;
    for (std::size_t axis = 0; axis < box_.size(); ++axis) {
      for (std::size_t i = 0; i < total; ++i) {
        const bool last =
            (i / stride) % static_cast<std::size_t>(count_) == static_cast<std::size_t>(count_ - 1);
        if (!last && grid_[i] != grid_[i + stride]) offer(i, i + stride, axis);
      }
      stride *= static_cast<std::size_t>(count_);
    }
    for (const Candidate& candidate : candidates_) out.borders.push_back(locate(candidate));
    return out;
  }

 private:
  using Point = std::vector<double>;
  struct Candidate {
    std::size_t from = 0, to = 0, axis = 0;
    double distance = 0.0;
  };

  [[nodiscard]] Verdict judge(const Point& point) const {
    return find_stability(make_body_(point), tolerances_).verdict;
  }

  [[nodiscard]] Point make_point(std::size_t index) const {
    Point out;
    for (const Interval& range : box_) {
      const auto step = static_cast<double>(index % static_cast<std::size_t>(count_));
      out.push_back(range.low + (range.high - range.low) * step / (count_ - 1));
      index /= static_cast<std::size_t>(count_);
    }
    return out;
  }

  [[nodiscard]] double eval_distance(const Point& point) const {
    double out = 0.0;
    for (std::size_t i = 0; i < box_.size(); ++i) {
      const Interval& range = box_[i];
      const double middle = 0.5 * (range.low + range.high);
      out += std::pow((point[i] - middle) / (range.high - range.low), 2);
    }
    return out;
  }

  /// Keeps the border nearest to the middle for each pair of verdicts.
  void offer(std::size_t from, std::size_t to, std::size_t axis) {
    const Candidate candidate{from, to, axis, eval_distance(make_point(from))};
    const auto [low, high] = std::minmax(grid_[from], grid_[to]);
    for (Candidate& known : candidates_) {
      const auto [a, b] = std::minmax(grid_[known.from], grid_[known.to]);
      if (a != low || b != high) continue;
      if (candidate.distance < known.distance) known = candidate;
      return;
    }
    candidates_.push_back(candidate);
  }

  [[nodiscard]] BoxBorder locate(const Candidate& candidate) const {
    BoxBorder out{make_point(candidate.from), grid_[candidate.from], grid_[candidate.to],
                  candidate.axis};
    const auto judge_at = [&](double value) {
      Point point = out.at;
      point[candidate.axis] = value;
      return find_stability(make_body_(point), tolerances_);
    };
    const Interval& range = box_[candidate.axis];
    const VerdictEnd end =
        find_verdict_end(judge_at, out.at[candidate.axis], make_point(candidate.to)[candidate.axis],
                         out.from, range.high - range.low, kSumRounding);
    out.at[candidate.axis] = end.outside;
    out.to = end.beyond;
    return out;
  }

  const MakeBody& make_body_;
  std::span<const Interval> box_;
  Tolerances tolerances_;
  int count_ = 3;
  std::vector<Verdict> grid_;
  std::vector<Candidate> candidates_;
};

}  // namespace

BoxVerdict find_box_verdict(const MakeBody& make_body, std::span<const Interval> box,
                            const Tolerances& tolerances) {
  return BoxSearch(make_body, box, tolerances).find();
}

}  // namespace slipstick
