#pragma once

/// The configurations over a plane of coordinates in which the contacts are closed, on the branch
/// of the initial state, which is followed without a jump. Internal to this folder.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "slipstick/paradox.h"

namespace slipstick {

/// Moves the driven coordinates of a closed configuration along a straight line to their targets,
/// while the followers keep the contacts closed. False if that is impossible, or possible only
/// beyond a fold; q is then undefined.
[[nodiscard]] bool follow_to(const ParadoxProblem& problem, std::span<const Closing> followers,
                             std::span<const int> driven, std::span<const double> targets, VecQ& q);

class ClosedBranch {
 public:
  /// Follows the branch over the grid of those axes that are coordinates: from the initial state to
  /// its nearest point, then from point to point.
  ClosedBranch(const ParadoxProblem& problem, std::array<MapAxis, 2> axes,
               std::vector<Closing> followers);

  /// The configuration at a point of the grid; nothing where the branch does not reach.
  [[nodiscard]] std::optional<VecQ> find_at(int i, int j) const;
  /// The configuration at a place of the plane near a point of the grid.
  [[nodiscard]] std::optional<VecQ> find_near(int i, int j, double x, double y) const;

 private:
  [[nodiscard]] std::size_t index_of(int i, int j) const;
  [[nodiscard]] std::vector<double> list_targets(double x, double y) const;
  [[nodiscard]] double value_at(std::size_t axis, int i) const;
  void store(int i, int j, const VecQ& q);
  [[nodiscard]] std::optional<std::array<int, 2>> find_start();
  void spread(std::array<int, 2> start);

  const ParadoxProblem& problem_;
  std::array<MapAxis, 2> axes_;
  std::vector<Closing> followers_;
  std::vector<int> driven_;
  std::array<int, 2> counts_{};    ///< points per axis; 1 for a rate
  std::vector<char> closed_;       ///< per point of the grid
  std::vector<double> following_;  ///< the followers' values, point by point
};

}  // namespace slipstick
