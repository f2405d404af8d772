#pragma once

/// Vectors and matrices of coordinates and contacts: Eigen types whose storage is bounded at
/// compile time, so that no evaluation allocates.
///
///     const slipstick::VecQ q = slipstick::VecQ::Zero(2);  // of a model with two coordinates

#include <Eigen/Core>

namespace slipstick {

// Options such as -march=native change Eigen's alignment, and with it the layout of every type
// here. The package's CMake target defines this; who compiles without it has to.
static_assert(EIGEN_MAX_ALIGN_BYTES == 16,
              "define EIGEN_MAX_ALIGN_BYTES=16, as the library was built");

/// Largest number of generalised coordinates and of contacts a model may have.
inline constexpr int kMaxCoordinates = 16;
inline constexpr int kMaxContacts = 8;  ///< see kMaxCoordinates

/// A point or a direction in the plane.
using Vec2 = Eigen::Vector2d;

/// Vectors and matrices of numbers with bounded storage.
template <int max_rows>
using BoundedVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_rows, 1>;
/// The same with columns.
template <int max_rows, int max_cols>
using BoundedMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_rows, max_cols>;

/// One entry per coordinate, of any kind of number.
template <class Scalar>
using BasicVecQ = Eigen::Matrix<Scalar, Eigen::Dynamic, 1, Eigen::ColMajor, kMaxCoordinates, 1>;
/// Coordinate by coordinate.
template <class Scalar>
using BasicMatQ = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor,
                                kMaxCoordinates, kMaxCoordinates>;

using VecQ = BasicVecQ<double>;                              ///< one entry per coordinate
using MatQ = BasicMatQ<double>;                              ///< coordinate by coordinate
using VecC = BoundedVector<kMaxContacts>;                    ///< one entry per contact
using MatQC = BoundedMatrix<kMaxCoordinates, kMaxContacts>;  ///< one column per contact

/// Entries and columns 2 i and 2 i + 1 belong to the normal and the tangent of contact i.
using Vec2C = BoundedVector<2 * kMaxContacts>;
using Mat2C = BoundedMatrix<2 * kMaxContacts, 2 * kMaxContacts>;  ///< rows and columns as Vec2C
using MatQ2C = BoundedMatrix<kMaxCoordinates, 2 * kMaxContacts>;  ///< columns as Vec2C

/// The same size and the same numbers.
template <class Derived>
[[nodiscard]] bool are_equal(const Eigen::MatrixBase<Derived>& a,
                             const Eigen::MatrixBase<Derived>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a == b;
}

/// Turns a vector by +90 degrees.
[[nodiscard]] inline Vec2 turn_left(const Vec2& a) { return {-a.y(), a.x()}; }
/// Turns a vector by -90 degrees: the tangent of a surface is its normal turned so.
[[nodiscard]] inline Vec2 turn_right(const Vec2& a) { return {a.y(), -a.x()}; }
/// Out-of-plane component of a x b.
[[nodiscard]] inline double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

}  // namespace slipstick
