#pragma once

/// The tree seen from its centre of mass, in tables for the hot path: docs/theory/planar-trees.md.
/// With the total mass m and P_e = sum_b m_b w_be, the relative motion has the vectors
/// w_be - P_e/m, so the translation of a free base drops out of the mass matrix before any number
/// is computed. All angles grow counter-clockwise here, whatever their sense in the model.

#include <array>
#include <vector>

#include "slipstick/model/tree.h"

namespace slipstick {

/// Place of entry (row, column) in the rows of a lower triangle, one after the other.
[[nodiscard]] constexpr std::size_t triangle_index(std::size_t row, std::size_t column) {
  return row * (row + 1) / 2 + column;
}
inline constexpr std::size_t kMaxTriangle = triangle_index(kMaxCoordinates, 0);

/// A point from the centre of mass: the vectors w_e per element, in two orthogonal axes.
using Arm = std::array<Vec2, kMaxCoordinates>;

/// A contact point from the centre of mass and from the base's origin; without a base the latter
/// is the surface's origin, and both are the same.
struct CentroidalContact {
  Arm arm, from_base;                        ///< in the axes t, n of its surface
  double gap_offset = 0.0;                   ///< constant part of the gap [m]
  std::array<double, kMaxCoordinates> roll;  ///< rim speed of a disc along t per turn rate [m]
  Vec2 tangent, normal;                      ///< of its surface
  int surface = 0;
  bool surface_accelerates = false;
};

struct CentroidalTree {
  bool has_base = false;      ///< false: this is the whole tree, and gravity acts through `weight`
  double inverse_mass = 0.0;  ///< of all that a free base carries [1/kg]; without one 0
  std::size_t base_x = 0, base_y = 0;  ///< coordinates of the free base
  Arm centre;                          ///< centre of mass from the base's origin, in world axes

  Tree tree;                                             ///< the elements other than the base
  std::array<std::size_t, kMaxCoordinates> coordinates;  ///< of the model, per element
  std::array<double, kMaxCoordinates> senses;            ///< z of the model per element's z: +-1

  /// The same tables without gaps, for trees of angles only: M_ee, the moments of each pair of
  /// elements, second > first, and cosine and sine terms of the work of gravity.
  struct Moments {
    double dot = 0.0, cross = 0.0;
  };
  bool only_angles = false;
  std::array<double, kMaxCoordinates> inertia;
  std::array<Moments, kMaxTriangle> moments;  ///< at triangle_index(second, first)
  std::array<Vec2, kMaxCoordinates> weight;

  std::vector<CentroidalContact> contacts;  ///< in the model's order
};

}  // namespace slipstick
