#include "slipstick/sim/hybrid/slow_start.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/contact/modes.h"
#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {
namespace {

constexpr double kSoon = 1e-5;  // of the motion's own time: a slip there is above rounding

/// The rate of a motion that may start from rest [1/s].
double eval_start_rate(const Model& model, const State& state, const VecQ& acceleration) {
  const double moving = eval_rate_scale(make_coordinate_scale(model), state.v, acceleration);
  const double falling = std::sqrt(model.gravity.norm() / model.length_scale);
  return std::max({moving, falling, model.depends_on_time ? 1.0 : 0.0});
}

/// True if the closed contacts prevent every motion of the contact along its surface, to first
/// order: W_t is zero or a combination of their W_n.
bool is_in_dead_centre(const Model& model, const State& state,
                       const PerContact<ClosedContact>& closed, int contact) {
  const VecQ scale = make_coordinate_scale(model);
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  Eigen::MatrixXd normals(model.size(), static_cast<Eigen::Index>(closed.size()));
  for (std::size_t i = 0; i < closed.size(); ++i) {
    normals.col(static_cast<Eigen::Index>(i)) =
        scale.cwiseProduct(contacts.W_n.col(closed[i].index));
  }
  const Eigen::VectorXd along = scale.cwiseProduct(contacts.W_t.col(contact));
  const Eigen::VectorXd left = along - normals * normals.colPivHouseholderQr().solve(along);
  // Mobilities, by which a mode is found redundant, go with the square of what is left.
  return left.norm() <= std::sqrt(kDependent) * (along.norm() + normals.norm());
}

/// True if a mode in which contacts slip that have not moved yet satisfies the laws of forces a
/// little later.
bool holds_soon(const Model& model, const State& state, const PerContact<ClosedContact>& closed,
                const ModeSolution& mode, double latest, const Tolerances& tolerances) {
  const VecQ a = eval_natural_field(model, make_mode(model, state, mode), state).acceleration;
  const double ahead = std::min(kSoon / eval_start_rate(model, state, a), latest - state.time);
  if (!a.allFinite()) return false;
  const State next{state.time + ahead, state.q + ahead * (state.v + 0.5 * ahead * a),
                   state.v + ahead * a};
  PerContact<ClosedContact> slipping = closed;
  for (ClosedContact& contact : slipping) {
    const ContactMode taken = mode.modes[static_cast<std::size_t>(contact.index)];
    if (is_sliding(taken)) contact.slip_sign = eval_slip_sign(taken);
  }
  const ContactProblem problem =
      make_contact_problem(model, next, eval_contact_kinematics(model, next), slipping, tolerances);
  const auto slack = eval_mode_slack(problem, mode, tolerances);
  constexpr double kBroken = 1e-8;  // of the terms: the motion has an error of kSoon squared
  return slack && *slack >= -kBroken;
}

bool rests(const PerContact<ClosedContact>& closed, int contact) {
  return std::any_of(closed.begin(), closed.end(), [&](const ClosedContact& at) {
    return at.index == contact && at.slip_sign == 0;
  });
}

}  // namespace

bool rests_at_dead_centre(const Model& model, const State& state,
                          const PerContact<ClosedContact>& closed, int contact) {
  return rests(closed, contact) && is_in_dead_centre(model, state, closed, contact);
}

SlowStart find_slow_start(const Model& model, const Mode& mode, const State& state, int contact,
                          double latest) {
  constexpr double kFarthest = 0.1;  // of the motion's own time: the way there is a parabola
  const VecQ now = eval_natural_field(model, mode, state).acceleration;
  const double rate = eval_start_rate(model, state, now);
  if (!(rate > 0.0)) return {};
  const auto eval_push = [&](double ahead) {
    const State next{state.time + ahead, state.q + ahead * (state.v + 0.5 * ahead * now),
                     state.v + ahead * now};
    const VecQ a = eval_natural_field(model, mode, next).acceleration;
    const ContactKinematics at = eval_contact_kinematics(model, next);
    const double size = model.gravity.norm() + std::abs(at.bias_t[contact]) +
                        at.W_t.col(contact).cwiseAbs().dot(a.cwiseAbs());
    return std::pair(at.W_t.col(contact).dot(a) + at.bias_t[contact], kMarginal * size);
  };
  for (double part = kSoon; part <= kFarthest; part *= 10.0) {
    if (state.time + 2.0 * part / rate > latest) break;
    const auto [push, noise] = eval_push(part / rate);
    if (std::abs(push) <= noise) continue;
    // Over twice the time the push doubles if it grows linearly; the slip is then quadratic.
    const double growth = eval_push(2.0 * part / rate).first / push;
    // Just beside a dead centre it is constant.
    constexpr double kLeast = 0.5;  // a push that halves is no start
    if (!(growth > kLeast)) return {};
    return {push > 0.0 ? 1 : -1, 1 + std::max(0, static_cast<int>(std::lround(std::log2(growth))))};
  }
  return {};
}

NamedMode name_slow_starts(const Model& model, const State& state,
                           const PerContact<ClosedContact>& closed, const Mode& mode,
                           const ModeSolution& solution, double latest) {
  NamedMode out{solution, PerContact<int>(model.contacts.size(), 0)};
  for (const ClosedMode& contact : mode.closed) {
    if (contact.slides() || !rests(closed, contact.contact)) continue;
    const bool acts = contact.has_friction &&
                      !(mode.redundant && is_in_dead_centre(model, state, closed, contact.contact));
    if (acts) continue;
    const auto i = static_cast<std::size_t>(contact.contact);
    ModeSolution sliding = out.solution;
    if (contact.has_friction) sliding.modes.set(i, ContactMode::kSlipPlus);
    const SlowStart start =
        find_slow_start(model, make_mode(model, state, sliding), state, contact.contact, latest);
    if (start.sign == 0) continue;
    out.solution.modes.set(i, make_slip_mode(start.sign));
    out.orders[i] = start.order;
    out.has_friction = out.has_friction || contact.has_friction;
  }
  return out;
}

bool starts_lawfully(const Model& model, const State& state,
                     const PerContact<ClosedContact>& closed, const ModeSolution& solution,
                     double latest, const Tolerances& tolerances) {
  const Mode mode = make_mode(model, state, solution);
  const auto turns_back = [&](const ClosedMode& contact) {
    if (!contact.slides_with_friction() ||
        !rests_at_dead_centre(model, state, closed, contact.contact)) {
      return false;
    }
    const SlowStart start = find_slow_start(model, mode, state, contact.contact, latest);
    return start.sign != 0 && start.sign != static_cast<int>(contact.slip_sign);
  };
  if (std::any_of(mode.closed.begin(), mode.closed.end(), turns_back)) return false;
  if (!mode.redundant) return true;
  const NamedMode named = name_slow_starts(model, state, closed, mode, solution, latest);
  return !named.has_friction ||
         holds_soon(model, state, closed, named.solution, latest, tolerances);
}

}  // namespace slipstick
