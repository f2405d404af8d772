#include "slipstick/sim/mode/mode.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/sim/mode/family_forces.h"

namespace slipstick {
namespace {

/// The destination of a field. The pace is initially that of natural time.
struct FieldOutput {
  ModePace& pace;
  Eigen::Map<VecQ> acceleration;
  Eigen::Map<Vec2C> impulse_rate;

  /// Number by number: for these few, vectors without known alignment cost more.
  template <class F>
  void accelerate(const F& eval) {
    for (Eigen::Index i = 0; i < acceleration.size(); ++i) acceleration[i] = eval(i);
  }
};

/// One contact that slides: E is the number p.
void write_one_slider(const Mode& mode, const ContactDynamics& dynamics, FieldOutput& out) {
  const ClosedMode& contact = mode.closed[0];
  const double friction = contact.slip_sign * contact.force_sign * contact.mu;
  const double unit = 1.0 / dynamics.G(0, 0);
  const double determinant = (dynamics.G(0, 0) - friction * dynamics.G(0, 1)) * unit;
  const double rate = std::abs(determinant);
  const double force = (determinant < 0.0 ? dynamics.a_free[0] : -dynamics.a_free[0]) * unit;
  out.pace.determinant = determinant;
  out.pace.rate = rate;
  out.impulse_rate[0] = force;
  out.impulse_rate[1] = -friction * force;
  const MatQ2C& response = dynamics.M_inverse_W;
  out.accelerate([&](Eigen::Index i) {
    return rate * dynamics.free_acceleration[i] +
           force * (response(i, 0) - friction * response(i, 1));
  });
}

/// Two contacts of which none sticks: E is P, solved by Cramer's rule.
void write_two_sliders(const Mode& mode, const ContactDynamics& dynamics, FieldOutput& out) {
  const Mat2C& G = dynamics.G;
  const auto find_friction = [&](std::size_t i) {
    const ClosedMode& contact = mode.closed[i];
    return contact.has_friction ? contact.slip_sign * contact.force_sign * contact.mu : 0.0;
  };
  const double friction_0 = find_friction(0);
  const double friction_1 = find_friction(1);
  const double P_00 = G(0, 0) - friction_0 * G(0, 1);
  const double P_01 = G(0, 2) - friction_1 * G(0, 3);
  const double P_10 = G(2, 0) - friction_0 * G(2, 1);
  const double P_11 = G(2, 2) - friction_1 * G(2, 3);
  const double unit = 1.0 / (G(0, 0) * G(2, 2));
  const double determinant = (P_00 * P_11 - P_01 * P_10) * unit;
  const double rate = std::abs(determinant);
  out.pace.determinant = determinant;
  out.pace.rate = rate;
  const double signed_unit = determinant < 0.0 ? -unit : unit;
  const double b_0 = dynamics.a_free[0];
  const double b_1 = dynamics.a_free[2];
  const double force_0 = (P_01 * b_1 - P_11 * b_0) * signed_unit;
  const double force_1 = (P_10 * b_0 - P_00 * b_1) * signed_unit;
  const double tangential_0 = -friction_0 * force_0;
  const double tangential_1 = -friction_1 * force_1;
  out.impulse_rate[0] = force_0;
  out.impulse_rate[1] = tangential_0;
  out.impulse_rate[2] = force_1;
  out.impulse_rate[3] = tangential_1;
  const MatQ2C& response = dynamics.M_inverse_W;
  out.accelerate([&](Eigen::Index i) {
    return rate * dynamics.free_acceleration[i] +
           (force_0 * response(i, 0) + tangential_0 * response(i, 1) + force_1 * response(i, 2) +
            tangential_1 * response(i, 3));
  });
}

/// One contact that sticks, or slides without friction: E is positive definite.
void write_one_holder(const Mode& mode, const ContactDynamics& dynamics, FieldOutput& out) {
  const Mat2C& G = dynamics.G;
  const double a_n = dynamics.a_free[0];
  const double a_t = dynamics.a_free[1];
  double normal = 0.0;
  double tangential = 0.0;
  if (mode.closed[0].sticks()) {
    const double unit = 1.0 / (G(0, 0) * G(1, 1) - G(0, 1) * G(0, 1));
    normal = (a_t * G(0, 1) - a_n * G(1, 1)) * unit;
    tangential = (a_n * G(0, 1) - a_t * G(0, 0)) * unit;
  } else {
    normal = -a_n / G(0, 0);
  }
  const MatQ2C& response = dynamics.M_inverse_W;
  out.impulse_rate[0] = normal;
  out.impulse_rate[1] = tangential;
  out.accelerate([&](Eigen::Index i) {
    return dynamics.free_acceleration[i] + normal * response(i, 0) + tangential * response(i, 1);
  });
  out.pace.regular = std::isfinite(normal) && std::isfinite(tangential);
}

/// Normals and tangents of some contacts: rows 2 i and 2 i + 1 belong to the i-th of them.
struct Directions {
  PerContact<int> contacts;
  boost::container::static_vector<Eigen::Index, 2 * kMaxContacts> rows;

  void add(int contact, Eigen::Index side) {
    const auto at = std::find(contacts.begin(), contacts.end(), contact);
    rows.push_back(2 * (at - contacts.begin()) + side);
    if (at == contacts.end()) contacts.push_back(contact);
  }
};

/// Sum of the normal and tangential mobility of the contact to which a row belongs [1/kg].
double find_mobility(const Mat2C& G, Eigen::Index row) {
  const Eigen::Index normal = row - row % 2;
  return G(normal, normal) + G(normal + 1, normal + 1);
}

/// The change of coordinates or rates with the least kinetic energy that removes an excess along
/// these directions, as far as they can move.
VecQ find_correction(const ContactDynamics& dynamics, const Directions& directions,
                     const Vec2C& excess) {
  const Eigen::Index size = excess.size();
  const auto& rows = directions.rows;
  const Mat2C& G = dynamics.G;
  if (size == 1) {
    const Eigen::Index row = rows[0];
    const bool moves = G(row, row) > kImmobile * find_mobility(G, row);
    return dynamics.M_inverse_W.col(row) * (moves ? excess[0] / G(row, row) : 0.0);
  }
  if (size == 2) {
    const double G_00 = G(rows[0], rows[0]);
    const double G_01 = G(rows[0], rows[1]);
    const double G_11 = G(rows[1], rows[1]);
    const double determinant = G_00 * G_11 - G_01 * G_01;
    if (determinant > kImmobile * find_mobility(G, rows[0]) * find_mobility(G, rows[1])) {
      return (dynamics.M_inverse_W.col(rows[0]) * (excess[0] * G_11 - excess[1] * G_01) +
              dynamics.M_inverse_W.col(rows[1]) * (excess[1] * G_00 - excess[0] * G_01)) /
             determinant;
    }
  }
  MatQ2C response(dynamics.M_inverse_W.rows(), size);
  Mat2C scaled(size, size);
  Vec2C unit(size);
  for (Eigen::Index j = 0; j < size; ++j) {
    const double mobility = find_mobility(G, rows[static_cast<std::size_t>(j)]);
    unit[j] = mobility > 0.0 ? 1.0 / std::sqrt(mobility) : 0.0;
  }
  for (Eigen::Index j = 0; j < size; ++j) {
    const Eigen::Index column = rows[static_cast<std::size_t>(j)];
    response.col(j) = unit[j] * dynamics.M_inverse_W.col(column);
    for (Eigen::Index i = 0; i < size; ++i) {
      scaled(i, j) = unit[i] * unit[j] * G(rows[static_cast<std::size_t>(i)], column);
    }
  }
  const Eigen::SelfAdjointEigenSolver<Mat2C> solver(scaled);
  Vec2C parts = solver.eigenvectors().transpose() * unit.cwiseProduct(excess);
  for (Eigen::Index i = 0; i < size; ++i) {
    parts[i] = solver.eigenvalues()[i] > kImmobile ? parts[i] / solver.eigenvalues()[i] : 0.0;
  }
  return response.lazyProduct(Vec2C(solver.eigenvectors() * parts));
}

/// True if one of the contacts opens or closes faster than by the rounding of the velocities.
bool has_gap_rate(std::span<const int> list, const ContactKinematics& contacts,
                  const State& state) {
  return std::any_of(list.begin(), list.end(), [&](int i) {
    const double terms = contacts.W_n.col(i).cwiseAbs().dot(state.v.cwiseAbs()) +
                         std::abs(contacts.gap_rate[i] - contacts.W_n.col(i).dot(state.v));
    return std::abs(contacts.gap_rate[i]) > kSolveRounding * terms;
  });
}

/// Smallest eigenvalue of a symmetric E in units of its diagonal: zero if directions depend on each
/// other.
double find_independence(const Mat2C& E) {
  const Vec2C scale = make_force_units(E.diagonal());
  const Mat2C scaled = scale.asDiagonal() * E * scale.asDiagonal();
  if (E.rows() == 1) return scaled(0, 0);
  if (E.rows() == 2) {
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver;
    return solver.computeDirect(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
  }
  return Eigen::SelfAdjointEigenSolver<Mat2C>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

/// Names the contacts whose forces are a family. Time is stretched for others that slide with
/// friction, if redundant contacts do not feel them: a box may rest while a rod jams. `without`:
/// the mode without friction of its sliding contacts.
void mark_shared_forces(const Model& model, const ContactDynamics& dynamics, const Mode& without,
                        Mode& mode) {
  PerContact<bool> seen(mode.closed.size(), false);
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if (seen[i]) continue;
    // Contacts of one tree of bodies may feel each other, if not at this state then later.
    const auto tree_of = [&](std::size_t j) {
      return model.contacts[static_cast<std::size_t>(mode.closed[j].contact)].group;
    };
    PerContact<bool> taken(mode.closed.size(), false);
    for (std::size_t j = 0; j < taken.size(); ++j) taken[j] = tree_of(j) == tree_of(i);
    Mode group = without;
    for (std::size_t j = 0; j < taken.size(); ++j) {
      group.closed[j].shares = taken[j];
      seen[j] = seen[j] || taken[j];
    }
    const ModePart part = take_part(group, dynamics, true);
    const bool depends =
        find_independence(make_mode_equations(part.mode, part.dynamics).E) < kDependent;
    for (std::size_t j = 0; j < taken.size(); ++j) {
      if (taken[j]) mode.closed[j].shares = depends;
    }
  }
  const auto any = [&](const auto& is) {
    return std::any_of(mode.closed.begin(), mode.closed.end(), is);
  };
  const bool parts = any([](const ClosedMode& c) { return c.shares; });
  mode.stretched =
      parts && any([](const ClosedMode& c) { return c.slides_with_friction() && !c.shares; });
  if (mode.stretched) return;
  for (ClosedMode& contact : mode.closed) contact.shares = true;
}

/// Redundant contacts beside others that slide with friction.
void write_parts(const Mode& mode, const ContactDynamics& dynamics, FieldOutput& out) {
  const ModePart own = take_part(mode, dynamics, false);
  const ModePart family = take_part(mode, dynamics, true);
  const ModeField field = make_mode_field(own.mode, own.dynamics);
  out.pace = field;
  if (!field.regular) return;
  const Vec2C forces =
      field.rate *
      find_family_forces(family.mode, make_mode_equations(family.mode, family.dynamics));
  Vec2C all(static_cast<Eigen::Index>(2 * mode.closed.size()));
  place_forces(own, field.impulse_rate, all);
  place_forces(family, forces, all);
  out.impulse_rate = all;
  out.acceleration = field.acceleration + family.dynamics.M_inverse_W.lazyProduct(forces);
}

}  // namespace

Mode make_mode(const Model& model, const State& state, const ModeSolution& solution) {
  Mode out;
  out.word = solution.modes;
  out.gravity = model.gravity.norm();
  for (int i = 0; i < model.contact_count(); ++i) {
    const ContactMode taken = solution.modes[static_cast<std::size_t>(i)];
    if (!is_closed(taken)) continue;
    const Contact& contact = model.contacts[static_cast<std::size_t>(i)];
    ClosedMode mode{i,   taken, contact.mu_s > 0.0, contact.bilateral,
                    0.0, 1.0,   contact.mu,         contact.mu_s};
    mode.slip_sign = eval_slip_sign(taken);
    if (contact.bilateral && std::signbit(solution.force_n[i])) mode.force_sign = -1.0;
    out.closed.push_back(mode);
    out.indices.push_back(i);
    out.stretched = out.stretched || mode.slides_with_friction();
  }
  if (!out.closed.empty()) {
    const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(out.indices));
    // Without friction the equations are symmetric, so they are singular only if directions depend
    // on each other.
    Mode without = out;
    for (ClosedMode& contact : without.closed) {
      if (contact.slides()) contact.has_friction = false;
    }
    const ModeEquations equations = make_mode_equations(without, dynamics);
    out.redundant = find_independence(equations.E) < kDependent;
    if (out.redundant) mark_shared_forces(model, dynamics, without, out);
  }
  return out;
}

ModeField eval_mode_field(const Model& model, const Mode& mode, const State& state) {
  return make_mode_field(mode, eval_contact_dynamics(model, state, as_span(mode.indices)));
}

ModeField make_mode_field(const Mode& mode, const ContactDynamics& dynamics) {
  ModeField out;
  out.acceleration.resize(dynamics.regular ? dynamics.free_acceleration.size() : 0);
  out.impulse_rate.resize(static_cast<Eigen::Index>(2 * mode.closed.size()));
  write_mode_field(mode, dynamics, out, out.acceleration.data(), out.impulse_rate.data());
  return out;
}

void write_mode_field(const Mode& mode, const ContactDynamics& dynamics, ModePace& pace,
                      double* acceleration, double* impulse_rate) {
  pace = {dynamics.regular, 1.0, 1.0};
  if (!dynamics.regular) return;
  FieldOutput out{pace,
                  {acceleration, dynamics.free_acceleration.size()},
                  {impulse_rate, static_cast<Eigen::Index>(2 * mode.closed.size())}};
  if (mode.closed.empty()) {
    out.accelerate([&](Eigen::Index i) { return dynamics.free_acceleration[i]; });
    return;
  }
  if (mode.closed.size() == 1 && !mode.redundant) {
    return mode.stretched ? write_one_slider(mode, dynamics, out)
                          : write_one_holder(mode, dynamics, out);
  }
  if (mode.redundant && mode.stretched) return write_parts(mode, dynamics, out);
  if (mode.closed.size() == 2 && mode.stretched && !mode.closed[0].sticks() &&
      !mode.closed[1].sticks()) {
    return write_two_sliders(mode, dynamics, out);
  }
  const ModeEquations equations = make_mode_equations(mode, dynamics);
  if (mode.redundant) {
    out.impulse_rate = find_family_forces(mode, equations);
  } else if (!mode.stretched) {
    const Eigen::LDLT<Mat2C> solver(equations.E);
    out.impulse_rate = equations.F.lazyProduct(Vec2C(solver.solve(equations.r)));
  } else {
    const Eigen::PartialPivLU<Mat2C> solver(equations.E);
    pace.determinant = solver.determinant() / equations.determinant_scale;
    pace.rate = std::abs(pace.determinant);
    out.impulse_rate = equations.F.lazyProduct(Vec2C(pace.rate * solver.solve(equations.r)));
  }
  out.acceleration =
      pace.rate * dynamics.free_acceleration + dynamics.M_inverse_W.lazyProduct(out.impulse_rate);
  pace.regular = out.acceleration.allFinite();
}

void stop_velocities(const Model& model, std::span<const int> normals,
                     std::span<const int> tangents, State& state) {
  if (normals.empty() && tangents.empty()) return;
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  Directions directions;
  Vec2C excess(static_cast<Eigen::Index>(normals.size() + tangents.size()));
  Eigen::Index row = 0;
  for (const int i : normals) {
    directions.add(i, 0);
    excess[row++] = contacts.gap_rate[i];
  }
  for (const int i : tangents) {
    directions.add(i, 1);
    excess[row++] = contacts.slip[i];
  }
  const ContactDynamics dynamics =
      eval_contact_dynamics(model, state, as_span(directions.contacts));
  state.v -= find_correction(dynamics, directions, excess);
  // Just beside a dead centre the direction that moves least is left out, and gap rates with it.
  // They must vanish whatever the slips do.
  if (!tangents.empty() && has_gap_rate(normals, eval_contact_kinematics(model, state), state)) {
    stop_velocities(model, normals, {}, state);
  }
}

void project_onto_mode(const Model& model, const Mode& mode, State& state) {
  if (mode.closed.empty()) return;
  // A large correction moves the directions along which rates must vanish.
  constexpr int kMost = 3;  // each squares the error that is left, in units of lengths and speeds
  ContactKinematics contacts = eval_contact_kinematics(model, state);
  for (int i = 0; i < kMost; ++i) {
    project_onto_mode(mode, contacts, eval_contact_dynamics(model, state, as_span(mode.indices)),
                      state);
    contacts = eval_contact_kinematics(model, state);
    if (!has_gap_rate(as_span(mode.indices), contacts, state)) return;
  }
  stop_velocities(model, as_span(mode.indices), {}, state);
}

void project_onto_mode(const Mode& mode, const ContactKinematics& contacts,
                       const ContactDynamics& dynamics, State& state) {
  if (mode.closed.empty()) return;
  Directions directions;
  const auto k = static_cast<Eigen::Index>(mode.closed.size());
  Vec2C gaps(k);
  Vec2C rates(2 * k);
  Eigen::Index row = 0;
  for (const int i : mode.indices) {
    directions.add(i, 0);
    gaps[row] = contacts.gap[i];
    rates[row++] = contacts.gap_rate[i];
  }
  for (const ClosedMode& contact : mode.closed) {
    if (!contact.sticks()) continue;
    directions.add(contact.contact, 1);
    rates[row++] = contacts.slip[contact.contact];
  }
  rates.conservativeResize(row);
  state.q -= find_correction(dynamics, directions, gaps);
  state.v -= find_correction(dynamics, directions, rates);
}

void project_onto_contacts(const Model& model, const PerContact<ClosedContact>& closed,
                           State& state) {
  Mode mode;
  for (const ClosedContact& contact : closed) {
    ClosedMode& added = mode.closed.emplace_back();
    added.contact = contact.index;
    added.mode = make_slip_mode(contact.slip_sign);
    added.has_friction = contact.mu_s > 0.0;
    mode.indices.push_back(contact.index);
  }
  project_onto_mode(model, mode, state);
}

}  // namespace slipstick
