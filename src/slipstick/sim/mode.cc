#include "slipstick/sim/mode.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "slipstick/model/dynamics.h"

namespace slipstick {
namespace {

/// The contact equations of a mode: forces F x, with E x = r where the mode's accelerations vanish.
struct ModeEquations {
  Mat2C F, E;
  Vec2C r;
  double determinant_scale = 1.0;  ///< of unit mobilities
};

/// Entries of forces and accelerations that the mode sets to zero acceleration.
PerContact<int> list_tangent_rows(const Mode& mode) {
  PerContact<int> out;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if (mode.closed[i].sticks()) out.push_back(static_cast<int>(2 * i + 1));
  }
  return out;
}

ModeEquations make_equations(const Mode& mode, const ContactDynamics& dynamics) {
  const auto k = static_cast<int>(mode.closed.size());
  const PerContact<int> tangents = list_tangent_rows(mode);
  const auto m = k + static_cast<int>(tangents.size());
  ModeEquations out{Mat2C::Zero(2 * k, m), Mat2C(m, m), Vec2C(m), 1.0};
  for (int i = 0; i < k; ++i) {
    const ContactMode& contact = mode.closed[static_cast<std::size_t>(i)];
    out.F(2 * i, i) = 1.0;
    if (contact.slides_with_friction()) {
      out.F(2 * i + 1, i) = -contact.slip_sign * contact.force_sign * contact.mu;
    }
  }
  for (int j = k; j < m; ++j) out.F(tangents[static_cast<std::size_t>(j - k)], j) = 1.0;
  const Mat2C accelerations = dynamics.G * out.F;
  for (int i = 0; i < m; ++i) {
    const int row = i < k ? 2 * i : tangents[static_cast<std::size_t>(i - k)];
    out.E.row(i) = accelerations.row(row);
    out.r[i] = -dynamics.a_free[row];
    out.determinant_scale *= dynamics.G(row, row);
  }
  return out;
}

/// One contact that slides: E is the number p.
ModeField eval_one_slider(const Mode& mode, const ContactDynamics& dynamics) {
  const ContactMode& contact = mode.closed[0];
  const double friction = contact.slip_sign * contact.force_sign * contact.mu;
  const double unit = 1.0 / dynamics.G(0, 0);
  ModeField out;
  out.determinant = (dynamics.G(0, 0) - friction * dynamics.G(0, 1)) * unit;
  out.rate = std::abs(out.determinant);
  const double force = (out.determinant < 0.0 ? dynamics.a_free[0] : -dynamics.a_free[0]) * unit;
  out.impulse_rate.resize(2);
  out.impulse_rate[0] = force;
  out.impulse_rate[1] = -friction * force;
  out.acceleration =
      out.rate * dynamics.free_acceleration + dynamics.M_inverse_W * out.impulse_rate;
  return out;
}

/// The change of coordinates or rates of least kinetic energy that removes an excess along the
/// normals and tangents of some contacts.
struct Correction {
  Correction(const Model& model, const State& state, std::span<const int> normals,
             std::span<const int> tangents) {
    PerContact<int> contacts;
    boost::container::static_vector<Eigen::Index, 2 * kMaxContacts> rows;
    const auto add = [&](int contact, Eigen::Index side) {
      const auto at = std::find(contacts.begin(), contacts.end(), contact);
      rows.push_back(2 * (at - contacts.begin()) + side);
      if (at == contacts.end()) contacts.push_back(contact);
    };
    for (const int i : normals) add(i, 0);
    for (const int i : tangents) add(i, 1);
    const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(contacts));
    const auto size = static_cast<Eigen::Index>(rows.size());
    response.resize(model.size(), size);
    G.resize(size, size);
    excess.resize(size);
    for (Eigen::Index j = 0; j < size; ++j) {
      const Eigen::Index column = rows[static_cast<std::size_t>(j)];
      response.col(j) = dynamics.M_inverse_W.col(column);
      for (Eigen::Index i = 0; i < size; ++i) {
        G(i, j) = dynamics.G(rows[static_cast<std::size_t>(i)], column);
      }
    }
  }

  [[nodiscard]] VecQ find() const {
    // A ball on a rail cannot move along its surface: nothing to correct there.
    if (G.rows() == 1) return response.col(0) * (G(0, 0) > 0.0 ? excess[0] / G(0, 0) : 0.0);
    return response * G.completeOrthogonalDecomposition().solve(excess);
  }

  MatQ2C response;
  Mat2C G;
  Vec2C excess;
};

}  // namespace

Mode make_mode(const Model& model, const State& state, const ModeSolution& solution) {
  Mode out;
  out.word = solution.modes;
  for (int i = 0; i < model.contact_count(); ++i) {
    const char letter = solution.modes[static_cast<std::size_t>(i)];
    if (letter == 'F') continue;
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    ContactMode mode{i,   letter, contact.mu_s > 0.0, contact.bilateral,
                     0.0, 1.0,    contact.mu,         contact.mu_s};
    if (letter != 'S') mode.slip_sign = letter == 'P' ? 1.0 : -1.0;
    if (contact.bilateral && solution.force_n[i] < 0.0) mode.force_sign = -1.0;
    out.closed.push_back(mode);
    out.indices.push_back(i);
    out.stretched = out.stretched || mode.slides_with_friction();
  }
  if (out.closed.size() > 1) {
    const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(out.indices));
    // With friction left out the equations are symmetric: singular only if directions depend.
    Mode without = out;
    for (ContactMode& contact : without.closed) {
      if (contact.letter != 'S') contact.has_friction = false;
    }
    const ModeEquations equations = make_equations(without, dynamics);
    const Eigen::MatrixXd E = equations.E;
    const Eigen::VectorXd scale = E.diagonal().cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scale.asDiagonal() * E *
                                                                scale.asDiagonal());
    constexpr double kDependent = 1e-10;
    out.redundant = solver.eigenvalues()[0] < kDependent;
    if (out.redundant) out.stretched = false;
  }
  return out;
}

ModeField eval_mode_field(const Model& model, const Mode& mode, const State& state) {
  const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(mode.indices));
  ModeField out;
  out.regular = dynamics.regular;
  if (!out.regular) return out;
  if (mode.closed.empty()) {
    out.acceleration = dynamics.free_acceleration;
    out.impulse_rate.resize(0);
    return out;
  }
  if (mode.closed.size() == 1 && mode.stretched) return eval_one_slider(mode, dynamics);
  const ModeEquations equations = make_equations(mode, dynamics);
  if (mode.redundant) {
    const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(equations.E);
    out.impulse_rate = equations.F * Vec2C(solver.solve(Eigen::VectorXd(equations.r)));
  } else if (!mode.stretched) {
    const Eigen::LDLT<Mat2C> solver(equations.E);
    out.impulse_rate = equations.F * solver.solve(equations.r);
  } else {
    const Eigen::PartialPivLU<Mat2C> solver(equations.E);
    out.determinant = solver.determinant() / equations.determinant_scale;
    out.rate = std::abs(out.determinant);
    out.impulse_rate = equations.F * (out.rate * solver.solve(equations.r));
  }
  out.acceleration =
      out.rate * dynamics.free_acceleration + dynamics.M_inverse_W * out.impulse_rate;
  out.regular = out.acceleration.allFinite();
  return out;
}

void stop_velocities(const Model& model, std::span<const int> normals,
                     std::span<const int> tangents, State& state) {
  if (normals.empty() && tangents.empty()) return;
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  Correction correction(model, state, normals, tangents);
  for (std::size_t i = 0; i < normals.size(); ++i) {
    correction.excess[static_cast<Eigen::Index>(i)] = contacts.gap_rate[normals[i]];
  }
  for (std::size_t i = 0; i < tangents.size(); ++i) {
    correction.excess[static_cast<Eigen::Index>(normals.size() + i)] = contacts.slip[tangents[i]];
  }
  state.v -= correction.find();
}

void project_onto_mode(const Model& model, const Mode& mode, State& state) {
  if (mode.closed.empty()) return;
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  Correction correction(model, state, as_span(mode.indices), {});
  for (std::size_t i = 0; i < mode.indices.size(); ++i) {
    correction.excess[static_cast<Eigen::Index>(i)] = contacts.gap[mode.indices[i]];
  }
  state.q -= correction.find();
  PerContact<int> tangents;
  for (const ContactMode& contact : mode.closed) {
    if (contact.sticks()) tangents.push_back(contact.contact);
  }
  stop_velocities(model, as_span(mode.indices), as_span(tangents), state);
}

}  // namespace slipstick
