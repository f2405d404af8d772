#pragma once

/// The verdict and the theorems behind a stability report (include/slipstick/stability.h).

#include <span>
#include <vector>

#include "slipstick/analysis/stability/return_map.h"
#include "slipstick/stability.h"

namespace slipstick {

/// The answer with the maps it comes from.
struct Stability : StabilityAnswer {
  ReturnMap maps;  ///< if the rest is feasible, unambiguous and without paradox

  [[nodiscard]] bool has_maps() const { return !maps.pieces.empty(); }
};

[[nodiscard]] Stability find_stability(const TwoContactBody& body, const Tolerances& tolerances);

/// Fixed points of R, in rising order.
[[nodiscard]] std::vector<FixedPoint> find_fixed_points(const ZeroOrder& dynamics,
                                                        const ReturnMap& maps);

/// A part of a piece on which R is monotone, with the ranges of R and of the growth over it.
struct PieceRange {
  double low = 0.0, high = 0.0;                  ///< angles
  double reduced_low = 0.0, reduced_high = 0.0;  ///< R at these
  double growth_max = 0.0;
  double steepest = 0.0;  ///< largest |slope| of R at the ends
};

/// R and growth over an interval of one returning piece, cut where R turns.
[[nodiscard]] std::vector<PieceRange> find_ranges(const ZeroOrder& dynamics, const ReturnMap& maps,
                                                  const Piece& piece, double low, double high);

/// Constructs a stable partition; if there is none, returns an empty list and the reason.
[[nodiscard]] std::vector<PartitionInterval> find_stable_partition(
    const ZeroOrder& dynamics, const ReturnMap& maps, std::span<const FixedPoint> fixed,
    Why& missing);

}  // namespace slipstick
