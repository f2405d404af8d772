#pragma once

#include "slipstick/core/linalg.h"

namespace slipstick {

struct State {
  double time = 0.0;  ///< [s]
  VecQ q;             ///< coordinates [m, rad]
  VecQ v;             ///< their rates [m/s, rad/s]

  [[nodiscard]] bool operator==(const State& other) const {
    return time == other.time && are_equal(q, other.q) && are_equal(v, other.v);
  }
};

/// A state that lies elsewhere, in a State or among an integrator's numbers: read, not copied.
struct StateView {
  double time;
  Eigen::Map<const VecQ> q, v;

  StateView(double at, const double* coordinates, const double* rates, Eigen::Index size)
      : time(at), q(coordinates, size), v(rates, size) {}
  StateView(double at, const VecQ& coordinates, const VecQ& rates)
      : StateView(at, coordinates.data(), rates.data(), coordinates.size()) {}
  // Every State can be read as one.
  // NOLINTNEXTLINE(google-explicit-constructor)
  StateView(const State& state) : StateView(state.time, state.q, state.v) {}
};

}  // namespace slipstick
