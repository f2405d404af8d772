#pragma once

/// Is a body's rest on two frictional contacts stable against small kicks, and by which theorem?
/// [Or2021]; docs/theory/stability.md.

#include <string>
#include <vector>

#include "slipstick/analysis/stability/return_map.h"
#include "slipstick/core/why.h"
#include "slipstick/core/words.h"

namespace slipstick {

enum class Verdict { kStable, kUnstable, kInfeasible, kPainleve, kMarginal, kUndecided };
inline constexpr Words<6> kVerdicts{"stable",   "unstable", "infeasible",
                                    "painleve", "marginal", "undecided"};

enum class Theorem { kNone, k1, k2, k3, k4a, k5 };
inline constexpr Words<6> kTheorems{"", "1", "2", "3", "4a", "5"};

/// Whether sliding on both contacts goes on to rest [Or2021] Definition 2.
enum class Persistence {
  kNone,
  kWeak,        ///< it does wherever it can be reached
  kPersistent,  ///< it does, both ways
};
inline constexpr Words<3> kPersistences{"none", "weak", "persistent"};

/// R(angle) = angle: a motion that repeats itself, scaled by the growth.
struct FixedPoint {
  double angle = 0.0, growth = 0.0;
  double slope = 0.0;  ///< of R
};

/// A member of a stable partition [Or2021] Definitions 3-8a.
struct PartitionInterval {
  double low = 0.0, high = 0.0;
  bool safe = false;        ///< G < 1 on it; else it is transient: left for good
  double growth_max = 0.0;  ///< least upper bound of G; infinite at a grazing end
};

struct Stability {
  Verdict verdict = Verdict::kUndecided;
  Theorem theorem = Theorem::kNone;
  Persistence persistence = Persistence::kNone;
  std::vector<ModeWord> ambiguous_modes;  ///< besides SS, at rest
  std::vector<std::string> paradox;       ///< moving states with no mode or several
  std::vector<std::string> marginal;      ///< what vanishes
  bool maps_swapped = false;              ///< the maps speak of the contacts in the other order
  bool verdict_swapped = false;           ///< the verdict needed the other order
  bool monotone = false;                  ///< R does not decrease
  ReturnMap maps;  ///< if the rest is feasible, unambiguous and without paradox
  std::vector<FixedPoint> fixed_points;
  std::vector<PartitionInterval> partition;  ///< of Theorem 4a
  Why missing;                               ///< it stays undecided

  [[nodiscard]] bool has_maps() const { return !maps.pieces.empty(); }
  /// Largest growth at a fixed point; NaN if there is none.
  [[nodiscard]] double growth() const;
};

[[nodiscard]] Stability find_stability(const TwoContactBody& body, const Tolerances& tolerances);

/// Fixed points of R, rising.
[[nodiscard]] std::vector<FixedPoint> find_fixed_points(const ZeroOrder& dynamics,
                                                        const ReturnMap& maps);

/// A part of a piece on which R is monotone, with the ranges of R and G over it.
struct PieceRange {
  double low = 0.0, high = 0.0;                  ///< angles
  double reduced_low = 0.0, reduced_high = 0.0;  ///< R at these
  double growth_max = 0.0;
  double steepest = 0.0;  ///< largest |slope| of R at the ends
};

/// R and G over an interval of one returning piece, cut where R turns.
[[nodiscard]] std::vector<PieceRange> find_ranges(const ZeroOrder& dynamics, const ReturnMap& maps,
                                                  const Piece& piece, double low, double high);

/// Constructs a stable partition, or returns none and says what stands against it.
[[nodiscard]] std::vector<PartitionInterval> find_stable_partition(
    const ZeroOrder& dynamics, const ReturnMap& maps, std::span<const FixedPoint> fixed,
    Why& missing);

}  // namespace slipstick
