/// Stable partitions [Or2021] Definitions 3-8a, by refinement.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "slipstick/analysis/stability/stability.h"

namespace slipstick {
namespace {

/// An interval with its image under R: one range per monotone part.
struct Cell {
  double low = 0.0, high = 0.0;
  std::vector<PieceRange> images;
  double growth_max = 0.0;

  [[nodiscard]] bool safe() const { return growth_max < 1.0; }
  [[nodiscard]] bool reaches(const Cell& other) const {
    return std::any_of(images.begin(), images.end(), [&](const PieceRange& image) {
      const auto [from, to] = std::minmax(image.reduced_low, image.reduced_high);
      return from <= other.high && to >= other.low;
    });
  }
};

class Partitioner {
 public:
  Partitioner(const ZeroOrder& dynamics, const ReturnMap& maps)
      : dynamics_(dynamics), maps_(maps) {}

  void add(double low, double high) {
    Cell cell{low, high, {}, 0.0};
    for (const Piece& piece : maps_.pieces) {
      const double from = std::max(low, piece.low);
      const double to = std::min(high, piece.high);
      if (from >= to || !piece.returns()) continue;
      for (const PieceRange& range : find_ranges(dynamics_, maps_, piece, from, to)) {
        cell.images.push_back(range);
        cell.growth_max = std::max(cell.growth_max, range.growth_max);
      }
    }
    cells_.push_back(std::move(cell));
  }

  /// Halves the cells that are neither safe nor transient, with all on their loops.
  /// Returns the first of them before that, if any.
  std::optional<Cell> refine() {
    const std::size_t n = cells_.size();
    std::vector<std::vector<bool>> leads(n, std::vector<bool>(n));  // in one step or more
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) leads[i][j] = i != j && cells_[i].reaches(cells_[j]);
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        if (!leads[i][k]) continue;
        for (std::size_t j = 0; j < n; ++j) leads[i][j] = leads[i][j] || leads[k][j];
      }
    }
    std::optional<Cell> bad;
    std::vector<bool> split(n, false);
    for (std::size_t i = 0; i < n; ++i) {
      if (cells_[i].safe() || (!leads[i][i] && !cells_[i].reaches(cells_[i]))) continue;
      if (!bad) bad = cells_[i];
      split[i] = true;
      for (std::size_t j = 0; j < n; ++j) {
        if (leads[i][j] && leads[j][i]) split[j] = true;
      }
    }
    if (!bad) return std::nullopt;
    const std::vector<Cell> before = std::move(cells_);
    cells_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (!split[i]) {
        cells_.push_back(before[i]);
        continue;
      }
      const double middle = 0.5 * (before[i].low + before[i].high);
      add(before[i].low, middle);
      add(middle, before[i].high);
    }
    return bad;
  }

  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] std::vector<PartitionInterval> list() const {
    std::vector<PartitionInterval> out;
    for (const Cell& cell : cells_) {
      out.push_back({cell.low, cell.high, cell.safe(), cell.growth_max});
    }
    return out;
  }

 private:
  const ZeroOrder& dynamics_;
  const ReturnMap& maps_;
  std::vector<Cell> cells_;
};

}  // namespace

std::vector<PartitionInterval> find_stable_partition(const ZeroOrder& dynamics,
                                                     const ReturnMap& maps,
                                                     std::span<const FixedPoint> fixed,
                                                     std::string& missing) {
  // Fixed points lie inside intervals of their own, not at ends.
  constexpr double kQuarter = std::numbers::pi / 2;
  std::vector<double> cuts;
  for (const Piece& piece : maps.pieces) cuts.push_back(piece.low);
  for (const FixedPoint& point : fixed) {
    const double apart = std::min(1e-3, 0.1 * (kQuarter - std::abs(point.angle)));
    std::erase_if(cuts, [&](double cut) { return std::abs(cut - point.angle) < apart; });
    cuts.push_back(point.angle - apart);
    cuts.push_back(point.angle + apart);
  }
  cuts.push_back(kQuarter);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  Partitioner partition(dynamics, maps);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) partition.add(cuts[i], cuts[i + 1]);
  constexpr std::size_t kMostCells = 256;
  std::optional<Cell> bad;
  while (partition.size() <= kMostCells) {
    bad = partition.refine();
    if (!bad) return partition.list();
  }
  missing = fmt::format("no stable partition: near {:.6g} G reaches {:.6g} on a closed loop of R",
                        0.5 * (bad->low + bad->high), bad->growth_max);
  return {};
}

}  // namespace slipstick
