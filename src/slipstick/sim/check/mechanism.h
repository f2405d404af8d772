#pragma once

/// The mechanism as its file describes it, placed at a state by walking from body to body. Shares
/// no code with model/tree, model/dynamics and model/contact_dynamics, by which motions are
/// computed.
///
/// All evaluations are per theta of the step, with dt/d(theta) = `pace`: w is dv/d(theta), and
/// forces are impulses per theta. At a jam the pace goes to zero and everything stays finite.

#include <array>
#include <vector>

#include "slipstick/linalg.h"
#include "slipstick/model/model.h"
#include "slipstick/state.h"

namespace slipstick::check {

/// One entry per coordinate, padded with zeros so that loops can work on whole blocks.
using Gradient = std::array<double, kMaxCoordinates>;

struct ContactMotion {
  double gap = 0.0, gap_rate = 0.0, slip = 0.0;  ///< [m], [m/s], [m/s]
  double surface_speed = 0.0;                    ///< [m/s]
  double bias_n = 0.0;  ///< part of the gap's acceleration without v' [m/s^2]
  double bias_t = 0.0;  ///< the same for the slip, without the surface's own acceleration
  double reach = 0.0;   ///< size of the lengths whose difference is the gap [m]
  bool exists = true;   ///< `active_when` holds
  Gradient W_n, W_t;
  /// Largest |W_i|/sqrt(M_ii): the square root of a mobility [1/sqrt(kg)].
  double mobility_n = 0.0, mobility_t = 0.0;
};

struct Placed {
  double kinetic = 0.0, potential = 0.0;         ///< [J]
  double load_power = 0.0, damping_power = 0.0;  ///< [W]
  Gradient root;                                 ///< sqrt(M_ii); behind them ones
  Gradient balance;                              ///< M w + pace (h - loads), without contacts
  Gradient size;                                 ///< sum of the absolute values of its terms
  Gradient load;  ///< sum of the absolute values of the terms of h - loads [N, N m]
  std::array<ContactMotion, kMaxContacts> contacts;
};

class Mechanism {
 public:
  explicit Mechanism(const Model& model);

  /// Writes all of Placed.
  void place(const State& state, const double* w, double pace, Placed& out);

  /// Mass matrix at a state.
  [[nodiscard]] MatQ eval_mass_matrix(const State& state);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] int size() const { return n_; }
  /// Largest distance of a contact point or mass from its body's joint, of a joint from the next,
  /// or radius of gyration [m]; 0 if all bodies are points.
  [[nodiscard]] double find_size() const;
  [[nodiscard]] bool is_angle(int coordinate) const {
    return angles_[static_cast<std::size_t>(coordinate)];
  }

 private:
  /// A point of a body: place, velocity, acceleration at v' = 0, and gradients.
  struct Point {
    Vec2 at, velocity, bias;
    Gradient J_x, J_y;
  };
  struct Body {
    Point origin;
    double angle = 0.0, turn_rate = 0.0;
    double cosine = 1.0, sine = 0.0;
    Gradient turn;
  };

  // All loops over coordinates have a length known to the compiler: n_ or a little more.
  template <int width>
  void place_tree(const State& state, double pace, Placed& out);
  template <int width>
  void place_body(std::size_t index, const State& state);
  template <int width>
  void write_point(int index, const Vec2& at, Point& out) const;
  template <int width>
  void add_inertia(double pace, Placed& out);
  template <int width>
  void add_force(const Point& point, const Vec2& force, double pace, Placed& out) const;
  template <int width>
  void add_torque(int index, double torque, double pace, Placed& out) const;
  template <int width>
  void add_springs(double pace, Placed& out);
  template <int width>
  void add_loads(const State& state, double pace, Placed& out);
  template <int width>
  void place_contacts(Placed& out);
  void place_frozen(const State& state, double pace, Placed& out) const;
  [[nodiscard]] double eval(const Function& function) const {
    return function.eval({variables_.data(), 1 + 2 * static_cast<std::size_t>(n_)});
  }

  const Model& model_;
  int n_;
  std::vector<std::size_t> order_;  ///< parents before children
  std::array<bool, kMaxCoordinates> angles_{};
  std::vector<Body> bodies_;
  Body world_;
  Point point_, other_;  ///< scratch
  Gradient w_{};
  std::array<double, 1 + 2 * kMaxCoordinates> variables_{};
};

}  // namespace slipstick::check
