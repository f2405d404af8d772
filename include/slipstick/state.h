#pragma once

/// A state of a mechanism: when, where, and how fast.
///
///     slipstick::State state = arm.initial;  // of a model that was read
///     state.v[0] = -2.0;

#include "slipstick/linalg.h"

namespace slipstick {

/// Entries are in the order of coordinate_names().
struct State {
  double time = 0.0;  ///< [s]
  VecQ q;             ///< coordinates [m, rad]
  VecQ v;             ///< their rates [m/s, rad/s]

  /// True if every number is the same.
  [[nodiscard]] bool operator==(const State& other) const {
    return time == other.time && are_equal(q, other.q) && are_equal(v, other.v);
  }
};

/// A state stored elsewhere, in a State or in an integrator's array; it is read without a copy.
struct StateView {
  double time;                  ///< [s]
  Eigen::Map<const VecQ> q, v;  ///< as in State

  /// Of `size` coordinates.
  StateView(double at, const double* coordinates, const double* rates, Eigen::Index size)
      : time(at), q(coordinates, size), v(rates, size) {}
  /// Of vectors that outlive it.
  StateView(double at, const VecQ& coordinates, const VecQ& rates)
      : StateView(at, coordinates.data(), rates.data(), coordinates.size()) {}
  /// Every State can be read as one.
  // NOLINTNEXTLINE(google-explicit-constructor)
  StateView(const State& state) : StateView(state.time, state.q, state.v) {}
};

}  // namespace slipstick
