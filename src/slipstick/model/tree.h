#pragma once

/// The kinematics and inertia of a planar tree in internal coordinates z: absolute angles and
/// slides, one *element* per coordinate. A material point is
///   r = constant + sum_e amplitude_e R(angle of frame_e) w_e,
/// with amplitude 1 for an angle and z_e for a slide, so the mass matrix is made of constants
/// times cos and sin of angle differences: docs/theory/planar-trees.md.

#include <array>
#include <vector>

#include "slipstick/linalg.h"

namespace slipstick {

inline constexpr int kWorldFrame = -1;

/// The motion of one coordinate.
struct Element {
  bool is_angle = false;
  int frame = kWorldFrame;  ///< the angle coordinate that turns this element's vectors
  double sense = 0.0;       ///< +1: the frame's coordinate grows counter-clockwise, -1: clockwise
};

/// Moments of all masses over two elements' vectors, with nonzero effect on M or h.
struct ElementPair {
  int first = 0, second = 0;  ///< first <= second
  double dot = 0.0;           ///< sum_b m_b w_first . w_second [kg m^2, kg m or kg]
  double cross = 0.0;         ///< sum_b m_b w_first x w_second
};

/// d . r of a material point for a fixed world direction d:
/// offset + sum_e amplitude_e (cosine_e cos(angle) + sine_e sin(angle)).
struct Row {
  struct Term {
    int element = 0;
    double cosine = 0.0, sine = 0.0;
  };
  double offset = 0.0;
  std::vector<Term> terms;
};

/// Orientation of a body: sense z_frame + turn.
struct Orientation {
  int frame = kWorldFrame;
  double turn = 0.0;  ///< [rad]
};

struct Tree {
  std::vector<Element> elements;
  MatQ M_constant;  ///< the part of M that does not depend on z
  std::vector<ElementPair> pairs;
  Row weight;                            ///< the work of gravity, minus the potential energy [J]
  MatQ C, C_inverse;                     ///< z = C q
  bool coordinates_are_internal = true;  ///< C is the identity

  [[nodiscard]] int size() const { return static_cast<int>(elements.size()); }
};

// What follows is evaluated with numbers (Scalar = double), or with their rates along a change of
// the state (Dual).

/// What every row and pair needs at a state, per element.
template <class Scalar>
struct BasicTreeState {
  std::array<Scalar, kMaxCoordinates> cosine, sine;  ///< of the frame's angle
  std::array<Scalar, kMaxCoordinates> turn_rate;     ///< of the frame [rad/s]
  std::array<Scalar, kMaxCoordinates> amplitude, amplitude_rate;
};
using TreeState = BasicTreeState<double>;

/// A row at a state: value, rate, the part of its acceleration not linear in z'', and gradient.
template <class Scalar>
struct BasicRowValue {
  Scalar value = 0.0, rate = 0.0, bias = 0.0;
  BasicVecQ<Scalar> gradient;  ///< by internal coordinates
};
using RowValue = BasicRowValue<double>;

template <class Scalar>
[[nodiscard]] Scalar eval_angle(const Tree& tree, const Orientation& turn,
                                const BasicVecQ<Scalar>& z) {
  if (turn.frame == kWorldFrame) return turn.turn;
  return tree.elements[static_cast<std::size_t>(turn.frame)].sense * z[turn.frame] + turn.turn;
}
template <class Scalar>
[[nodiscard]] BasicTreeState<Scalar> eval_tree_state(const Tree& tree, const BasicVecQ<Scalar>& z,
                                                     const BasicVecQ<Scalar>& z_rate);
template <class Scalar>
[[nodiscard]] BasicRowValue<Scalar> eval_row(const Tree& tree, const BasicTreeState<Scalar>& state,
                                             const Row& row);

/// Writes M and the velocity and gravity terms h of M z'' + h = ... in internal coordinates.
template <class Scalar>
void eval_tree_dynamics(const Tree& tree, const BasicTreeState<Scalar>& state, BasicMatQ<Scalar>& M,
                        BasicVecQ<Scalar>& h);

}  // namespace slipstick
