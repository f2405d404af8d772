#pragma once

/// A branch of periodic motions over a parameter, with its bifurcations. docs/theory/gaits.md.
///
///     slipstick::ContinuationOptions options;
///     options.from = 0.02;  // of the slope [rad]
///     options.to = 0.09;
///     const auto slopes = slipstick::make_family(biped, "alpha");  // families.h
///     const slipstick::Branch branch = slipstick::continue_orbit(slopes, *search.orbit, options);

#include <complex>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/gait.h"
#include "slipstick/why.h"
#include "slipstick/words.h"

namespace slipstick {

/// The model at a value of the parameter. May throw InputError where there is none.
using GaitFamily = std::function<std::shared_ptr<const Model>(double)>;

/// How far to follow a branch.
struct ContinuationOptions {
  GaitOptions gait;             ///< of each of its gaits
  double from = 0.0, to = 1.0;  ///< of the parameter, in either order
  int max_points = 1000;        ///< the branch ends there
  /// Called after every point with its parameter; false ends the branch there.
  std::function<bool(double)> keep_going;
};

/// One gait of a branch.
struct BranchPoint {
  double parameter = 0.0;                         ///< its value
  State state;                                    ///< on the section
  double period = 0.0;                            ///< [s]
  std::vector<std::complex<double>> multipliers;  ///< by decreasing modulus
  bool stable = false;                            ///< all of them inside of the unit circle
  std::string sequence;                           ///< events of a period in words
};

/// What happens to a gait along a branch.
enum class BifurcationType {
  kPeriodDoubling,  ///< a multiplier passes -1
  kFold,            ///< a multiplier passes +1: the branch turns
  kNeimarkSacker,   ///< a pair passes the unit circle
  kGrazing,         ///< a contact that only touches changes the sequence of events
  kBorder,          ///< the sequence changes in another way
};
/// Their words in documents.
inline constexpr Words<5> kBifurcationTypes{"period-doubling", "fold", "neimark-sacker", "grazing",
                                            "border"};

/// One of them.
struct Bifurcation {
  BifurcationType type = BifurcationType::kFold;  ///< which
  BranchPoint at;                                 ///< the gait there
  std::string before, after;                      ///< sequences, of a grazing or a border
};

/// The whole branch.
struct Branch {
  std::vector<BranchPoint> points;        ///< along it
  std::vector<Bifurcation> bifurcations;  ///< along it
  Why end;                                ///< why it ended before the end of the range
  std::vector<std::string> notes;         ///< bifurcations that were seen but not located
  int maps = 0, derivatives = 0;          ///< what it cost, as in Orbit
};

/// Follows the branch through an orbit at `from`, through folds, until it leaves the range.
[[nodiscard]] Branch continue_orbit(const GaitFamily& family, const Orbit& start,
                                    const ContinuationOptions& options);

/// Follows the gait of twice the period that branches off at a period doubling, away from it until
/// it leaves the range. Nothing if no such gait is found near the doubling.
[[nodiscard]] std::optional<Branch> follow_doubled(const GaitFamily& family,
                                                   const Bifurcation& doubling,
                                                   const ContinuationOptions& options);

}  // namespace slipstick
