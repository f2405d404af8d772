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

  /// The cells that are neither safe nor transient.
  [[nodiscard]] std::vector<std::size_t> find_bad() {
    find_leads();
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const bool transient = !leads_[i][i] && !cells_[i].reaches(cells_[i]);
      if (!cells_[i].safe() && !transient) out.push_back(i);
    }
    return out;
  }

  /// Halves these cells, together with all cells on their loops.
  void refine(std::span<const std::size_t> bad) {
    const std::vector<Cell> before = std::move(cells_);
    cells_.clear();
    for (std::size_t j = 0; j < before.size(); ++j) {
      const bool split = std::any_of(bad.begin(), bad.end(), [&](std::size_t i) {
        return i == j || (leads_[i][j] && leads_[j][i]);
      });
      if (!split) {
        cells_.push_back(before[j]);
        continue;
      }
      const double middle = 0.5 * (before[j].low + before[j].high);
      add(before[j].low, middle);
      add(middle, before[j].high);
    }
  }

  [[nodiscard]] const Cell& cell(std::size_t i) const { return cells_[i]; }
  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] std::vector<PartitionInterval> list() const {
    std::vector<PartitionInterval> out;
    for (const Cell& cell : cells_) {
      out.push_back({cell.low, cell.high, cell.safe(), cell.growth_max});
    }
    return out;
  }

 private:
  void find_leads() {
    const std::size_t n = cells_.size();
    leads_.assign(n, std::vector<bool>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) leads_[i][j] = i != j && cells_[i].reaches(cells_[j]);
    }
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        if (!leads_[i][k]) continue;
        for (std::size_t j = 0; j < n; ++j) leads_[i][j] = leads_[i][j] || leads_[k][j];
      }
    }
  }

  const ZeroOrder& dynamics_;
  const ReturnMap& maps_;
  std::vector<Cell> cells_;
  std::vector<std::vector<bool>> leads_;  ///< from one cell to another, in one step or more
};

}  // namespace

std::vector<PartitionInterval> find_stable_partition(const ZeroOrder& dynamics,
                                                     const ReturnMap& maps,
                                                     std::span<const FixedPoint> fixed,
                                                     Why& missing) {
  // Fixed points lie inside intervals of their own, not at ends.
  constexpr double kQuarter = std::numbers::pi / 2;  // [rad]
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
  while (true) {
    const std::vector<std::size_t> bad = partition.find_bad();
    if (bad.empty()) return partition.list();
    if (partition.size() > kMostCells) {
      const Cell& cell = partition.cell(bad.front());
      missing = {
          WhyCode::kMayGrow,
          fmt::format(
              "no stable partition: near {:.6g} the growth reaches {:.6g} on a closed loop of R",
              0.5 * (cell.low + cell.high), cell.growth_max)};
      return {};
    }
    partition.refine(bad);
  }
}

}  // namespace slipstick
