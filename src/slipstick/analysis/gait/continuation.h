#pragma once

/// A branch of periodic motions over a parameter, with its bifurcations. docs/theory/gaits.md.

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/analysis/gait/gait.h"
#include "slipstick/core/why.h"
#include "slipstick/core/words.h"

namespace slipstick {

/// The model at a value of the parameter. May throw InputError where there is none.
using GaitFamily = std::function<Model(double)>;

struct ContinuationOptions {
  GaitOptions gait;
  double from = 0.0, to = 1.0;  ///< of the parameter, in either order
  int max_points = 1000;
  /// Asked after every point with the parameter reached; false ends the branch there.
  std::function<bool(double)> keep_going;
};

struct BranchPoint {
  double parameter = 0.0;
  State state;
  double period = 0.0;
  std::vector<std::complex<double>> multipliers;
  bool stable = false;
  std::string sequence;  ///< describe_sequence
};

enum class BifurcationType {
  kPeriodDoubling,  ///< a multiplier passes -1
  kFold,            ///< a multiplier passes +1: the branch turns
  kNeimarkSacker,   ///< a pair passes the unit circle
  kGrazing,         ///< a contact that only touches makes the sequence of events another one
  kBorder,          ///< the sequence changes in another way
};
inline constexpr Words<5> kBifurcationTypes{"period-doubling", "fold", "neimark-sacker", "grazing",
                                            "border"};

struct Bifurcation {
  BifurcationType type = BifurcationType::kFold;
  BranchPoint at;
  std::string before, after;  ///< sequences, of a grazing or a border
};

struct Branch {
  std::vector<BranchPoint> points;
  std::vector<Bifurcation> bifurcations;
  Why end;                         ///< it ended before the end of the range
  std::vector<std::string> notes;  ///< bifurcations that were seen but not located
  int maps = 0, derivatives = 0;
};

/// Follows the branch through an orbit at `from`, through folds, until it leaves the range.
[[nodiscard]] Branch continue_orbit(const GaitFamily& family, const Orbit& start,
                                    const ContinuationOptions& options);

/// Follows the gait of twice the period that leaves a branch at a period doubling, away from it
/// until it leaves the range; nothing if no such gait is found beside it.
[[nodiscard]] std::optional<Branch> follow_doubled(const GaitFamily& family,
                                                   const Bifurcation& doubling,
                                                   const ContinuationOptions& options);

}  // namespace slipstick
