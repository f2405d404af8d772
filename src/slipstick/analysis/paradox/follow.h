#pragma once

/// The curve of configurations along one coordinate on which the contacts stay closed; the other
/// coordinates follow or stay. Internal to this folder.

#include <optional>
#include <vector>

#include "slipstick/paradox.h"

namespace slipstick {

/// Which coordinates are the first choice to follow: those that the file closes contacts with (for
/// a path along one coordinate), or translations of the world (for a search over shapes: they close
/// the contact and leave every shape free).
enum class FollowFirst { kFile, kTranslation };

/// For each holding contact a coordinate, none of them in `driven`, such that together they keep
/// the contacts closed. Preferred are the first choice, then the coordinates of the file's
/// closings, then those that move the gap most. Empty if there are none.
[[nodiscard]] std::vector<Closing> choose_followers(const ParadoxProblem& problem,
                                                    std::span<const int> driven, FollowFirst first);

/// A stretch of the curve in its own parameter: the configurations near `start` with
/// tangent . (u - start) = s, where u are the driven and the following coordinates in their units.
struct Chart {
  VecQ start;               ///< configuration at s = 0
  std::vector<int> active;  ///< driven coordinate first, then the followers
  Eigen::VectorXd tangent;  ///< unit, over `active`
  double low = 0.0, high = 0.0;

  /// The configuration at s, or nothing if the contacts cannot close there.
  [[nodiscard]] std::optional<VecQ> find_configuration(const ParadoxProblem& problem,
                                                       double s) const;
  /// The same within [low, high]. Throws std::domain_error if the contacts cannot close there: the
  /// follower has tested some places only.
  [[nodiscard]] VecQ find_closed(const ParadoxProblem& problem, double s) const;
  /// dq/ds at a configuration of the chart.
  [[nodiscard]] VecQ find_direction(const ParadoxProblem& problem, const VecQ& q) const;
};

/// Rounding error of a configuration that is solved for, in units of coordinates.
[[nodiscard]] double eval_rounding(const ParadoxProblem& problem, const VecQ& q);

/// Throws InputError if a range is too far from the initial state, or too long, to be followed.
void check_range(const ParadoxProblem& problem, const CoordinateRange& along);

/// Charts over the range, followed from the initial state both ways until the range ends or the
/// coordinate turns back, in rising order of it. `active`: this coordinate, then its followers.
[[nodiscard]] std::vector<Chart> follow_branch(const ParadoxProblem& problem,
                                               const CoordinateRange& along,
                                               const std::vector<int>& active);

/// The same with the followers that the file names first. Throws InputError as check_range does,
/// and if the contacts hold the coordinate.
[[nodiscard]] std::vector<Chart> follow_coordinate(const ParadoxProblem& problem,
                                                   const CoordinateRange& along);

}  // namespace slipstick
