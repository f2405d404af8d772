#include "slipstick/sim/singular/passage.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"

namespace slipstick {
namespace {

constexpr int kNodes = SmoothForces::kNodes;
using Square = Eigen::Matrix<double, kNodes, kNodes>;

/// Chebyshev points of the first kind over a span of length one: none at its start, where the
/// contact equations are singular.
struct PassageNodes {
  Eigen::Matrix<double, kNodes, 1> part;  ///< of the span, rising
  Square to_coefficients;                 ///< from values at the nodes
  Square integrate;                       ///< values at the nodes to integrals from the start

  PassageNodes() {
    Square integrals;  // row: node; column: integral of T_k up to it
    for (int i = 0; i < kNodes; ++i) {
      const double angle = std::numbers::pi * (kNodes - i - 0.5) / kNodes;
      part[i] = 0.5 * (1.0 + std::cos(angle));
      for (int k = 0; k < kNodes; ++k) {
        to_coefficients(k, i) = (k == 0 ? 1.0 : 2.0) / kNodes * std::cos(k * angle);
        integrals(i, k) = 0.5 * (eval_primitive(k, angle) - eval_primitive(k, std::numbers::pi));
      }
    }
    integrate = integrals * to_coefficients;
  }

 private:
  /// Integral of T_k(u) over u, at u = cos(angle).
  static double eval_primitive(int k, double angle) {
    if (k == 0) return std::cos(angle);
    if (k == 1) return 0.25 * std::cos(2.0 * angle);
    return 0.5 * (std::cos((k + 1) * angle) / (k + 1) - std::cos((k - 1) * angle) / (k - 1));
  }
};

/// The terms of the equations at one node.
struct NodeTerms {
  ModeEquations equations;
  VecQ free_acceleration;
  MatQ2C response;         ///< of v' to the unknowns of the equations
  Eigen::MatrixXd r_by_v;  ///< derivative of the equations' right side
};

/// Collocation over one span. Each round solves the contact equations at all nodes together; they
/// are linear in the forces because these act through the velocities. Then it moves the states.
/// Only slow dependences lag by a round, so each round reduces the error in proportion to the span.
class Collocation {
 public:
  Collocation(const Model& model, const Mode& mode, const State& start, double length)
      : model_(model), mode_(mode), start_(start), length_(length) {
    for (int i = 0; i < kNodes; ++i) {
      const double time = length * nodes().part[i];
      states_[static_cast<std::size_t>(i)] = {start.time + time, start.q + time * start.v, start.v};
    }
  }

  /// True once a round changes nothing beyond rounding; the forces are then known.
  [[nodiscard]] bool solve() {
    constexpr int kRounds = 30;
    constexpr double kTimesRounding = 10.0;  // rounds differ by some roundings
    for (int round = 0; round < kRounds; ++round) {
      const Eigen::MatrixXd before = unknowns_;
      if (!run_round()) return false;
      const double size = unknowns_.cwiseAbs().maxCoeff();
      const double same = kTimesRounding * find_rounding() * size;
      if (round > 0 && (unknowns_ - before).cwiseAbs().maxCoeff() <= same) return true;
    }
    return false;
  }

  [[nodiscard]] SmoothForces make_forces() const {
    SmoothForces out;
    out.start = start_.time;
    out.length = length_;
    out.coefficients = terms_[0].equations.F * unknowns_ * nodes().to_coefficients.transpose();
    return out;
  }

  /// Relative rounding of the forces: that of d divided by d, where d is smallest.
  [[nodiscard]] double find_rounding() const {
    const ModeEquations& first = terms_[0].equations;
    return kNumberRounding * std::abs(first.determinant_scale / first.E.determinant());
  }

  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  static const PassageNodes& nodes() {
    static const PassageNodes kAll;
    return kAll;
  }

  [[nodiscard]] bool run_round() {
    for (std::size_t i = 0; i < kNodes; ++i) {
      if (!eval_terms(states_[i], terms_[i])) return false;
    }
    return solve_forces() && move_states();
  }

  [[nodiscard]] bool eval_terms(const State& state, NodeTerms& out) {
    ContactDynamics dynamics;
    const auto eval_equations = [&](const State& at) {
      ++evaluations_;
      eval_contact_dynamics(model_, at, as_span(mode_.indices), dynamics);
      return dynamics.regular;
    };
    if (!eval_equations(state)) return false;
    out.equations = make_mode_equations(mode_, dynamics);
    out.free_acceleration = dynamics.free_acceleration;
    out.response = dynamics.M_inverse_W * out.equations.F;
    const VecQ scale = make_coordinate_scale(model_);
    const double rate = eval_rate_scale(scale, state.v, dynamics.free_acceleration);
    out.r_by_v.resize(out.equations.r.size(), state.v.size());
    for (Eigen::Index i = 0; i < state.v.size(); ++i) {
      // Accelerations are quadratic in velocities, so the central difference is exact except for
      // rounding.
      State moved = state;
      const double step = rate * scale[i];
      moved.v[i] = state.v[i] + step;
      if (!eval_equations(moved)) return false;
      const Vec2C after = make_mode_equations(mode_, dynamics).r;
      moved.v[i] = state.v[i] - step;
      if (!eval_equations(moved)) return false;
      out.r_by_v.col(i) = (after - make_mode_equations(mode_, dynamics).r) / (2.0 * step);
    }
    return true;
  }

  /// E_i f_i = r_i + (dr/dv)_i (v - v_i) with v = v_0 + integral of (a_free + Y f) up to node i.
  [[nodiscard]] bool solve_forces() {
    const Eigen::Index m = terms_[0].equations.r.size();
    Eigen::MatrixXd A(m * kNodes, m * kNodes);
    Eigen::VectorXd b(m * kNodes);
    for (Eigen::Index i = 0; i < kNodes; ++i) {
      const NodeTerms& here = terms_[static_cast<std::size_t>(i)];
      VecQ change = start_.v - states_[static_cast<std::size_t>(i)].v;
      for (Eigen::Index j = 0; j < kNodes; ++j) {
        const NodeTerms& there = terms_[static_cast<std::size_t>(j)];
        const double weight = length_ * nodes().integrate(i, j);
        change += weight * there.free_acceleration;
        A.block(m * i, m * j, m, m) = -weight * here.r_by_v * there.response;
      }
      A.block(m * i, m * i, m, m) += here.equations.E;
      b.segment(m * i, m) = here.equations.r + here.r_by_v * change;
    }
    unknowns_ = Eigen::PartialPivLU<Eigen::MatrixXd>(A).solve(b).reshaped(m, kNodes);
    return unknowns_.allFinite();
  }

  [[nodiscard]] bool move_states() {
    const Eigen::Index n = start_.v.size();
    Eigen::MatrixXd accelerations(n, kNodes);
    for (Eigen::Index i = 0; i < kNodes; ++i) {
      const NodeTerms& here = terms_[static_cast<std::size_t>(i)];
      accelerations.col(i) = here.free_acceleration + here.response * unknowns_.col(i);
    }
    const Square transposed = length_ * nodes().integrate.transpose();
    const Eigen::MatrixXd v = (accelerations * transposed).colwise() + Eigen::VectorXd(start_.v);
    const Eigen::MatrixXd q = (v * transposed).colwise() + Eigen::VectorXd(start_.q);
    for (Eigen::Index i = 0; i < kNodes; ++i) {
      State& state = states_[static_cast<std::size_t>(i)];
      state.q = q.col(i);
      state.v = v.col(i);
    }
    return q.allFinite() && v.allFinite();
  }

  const Model& model_;
  const Mode& mode_;
  const State& start_;
  double length_;
  std::array<State, kNodes> states_;
  std::array<NodeTerms, kNodes> terms_;
  Eigen::MatrixXd unknowns_;  ///< x of the equations E x = r, a column for each node
  int evaluations_ = 0;
};

/// The last two coefficients show how large the neglected ones would be.
bool is_resolved(const SmoothForces& forces, double tolerance) {
  const double size = forces.coefficients.cwiseAbs().maxCoeff();
  return forces.coefficients.rightCols(2).cwiseAbs().maxCoeff() <= tolerance * size;
}

}  // namespace

Vec2C SmoothForces::eval(double time) const {
  const double u = std::clamp(2.0 * (time - start) / length - 1.0, -1.0, 1.0);
  const double angle = std::acos(u);
  Vec2C out = coefficients.col(0);
  for (Eigen::Index k = 1; k < kNodes; ++k) {
    out += std::cos(static_cast<double>(k) * angle) * coefficients.col(k);
  }
  return out;
}

std::optional<SmoothForces> find_smooth_forces(const Model& model, const Mode& mode,
                                               const State& state, double tolerance) {
  const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(mode.indices));
  if (!dynamics.regular || mode.redundant) return std::nullopt;
  const double rate =
      eval_rate_scale(make_coordinate_scale(model), state.v, dynamics.free_acceleration);
  constexpr double kLongestSpan = 0.1;    // of the motion's own time: where the search begins
  constexpr double kShortestSpan = 1e-3;  // the same: rounding counts for more in a shorter span
  int evaluations = 0;
  for (double part = kLongestSpan; part > kShortestSpan; part *= 0.5) {
    Collocation collocation(model, mode, state, part / rate);
    const bool solved = collocation.solve();
    evaluations += collocation.evaluations();
    if (!solved) continue;
    SmoothForces out = collocation.make_forces();
    out.evaluations = evaluations;
    if (is_resolved(out, std::max(tolerance, collocation.find_rounding()))) return out;
  }
  return std::nullopt;
}

ModeField eval_natural_field(const Model& model, const Mode& mode, const State& state) {
  ModeField out = eval_mode_field(model, mode, state);
  constexpr double kOfForces = 1e-12;  // of the forces: three digits above rounding
  const auto forces = mode.stretched && !is_resolved(out.rate)
                          ? find_smooth_forces(model, mode, state, kOfForces)
                          : std::nullopt;
  if (forces) {
    const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(mode.indices));
    out.impulse_rate = forces->eval(state.time);
    out.acceleration = dynamics.free_acceleration + dynamics.M_inverse_W * out.impulse_rate;
  } else {
    out.impulse_rate /= out.rate;
    out.acceleration /= out.rate;
  }
  out.rate = 1.0;
  return out;
}

}  // namespace slipstick
