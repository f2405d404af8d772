#include "slipstick/sim/singular/jam.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/events/crossing.h"
#include "slipstick/sim/mode/family_forces.h"

namespace slipstick {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();  // [s] or part of a way

/// What stays fixed on the way: the direction of the contact forces, except for small turns, and
/// the side of d = 0.
struct Frame {
  Vec2C direction;
  double side = 1.0;
};

/// Contact forces times |d| near d = 0: n along a direction of length one, and |d| times the rest,
/// which has a limit. With E in units of unit mobility and its singular values s_1 >= ... >= s_m, d
/// is their product up to sign, and n is the product of all but s_m times u_m r. Nothing is divided
/// by s_m.
struct NearForces {
  double n = 0.0;
  Vec2C direction, rest;
  double side = 1.0;  ///< sign of the d for which n was computed, even of rounding size: n changes
                      ///< sign with it
};

/// For one sliding contact the rest is zero.
NearForces find_one_near_force(const Mode& mode, const ModeField& field) {
  NearForces out;
  const ClosedMode& contact = mode.closed[0];
  const double friction = contact.slip_sign * contact.force_sign * contact.mu;
  const double unit = 1.0 / std::sqrt(1.0 + friction * friction);
  out.direction = Vec2(unit, -friction * unit);
  out.n = unit * (field.impulse_rate[0] - friction * field.impulse_rate[1]);
  out.rest = Vec2C::Zero(2);
  out.side = field.determinant < 0.0 ? -1.0 : 1.0;
  return out;
}

NearForces find_near_forces(const Mode& mode, const ContactDynamics& dynamics,
                            const ModeField& field);

/// Forces of redundant contacts do not feel the others; they belong to the rest.
NearForces find_near_forces_of_parts(const Mode& mode, const ContactDynamics& dynamics) {
  const ModePart own = take_part(mode, dynamics, false);
  const ModePart family = take_part(mode, dynamics, true);
  NearForces out =
      find_near_forces(own.mode, own.dynamics, make_mode_field(own.mode, own.dynamics));
  const auto size = static_cast<Eigen::Index>(2 * mode.closed.size());
  Vec2C direction = Vec2C::Zero(size);
  Vec2C rest = Vec2C::Zero(size);
  place_forces(own, out.direction, direction);
  place_forces(own, out.rest, rest);
  place_forces(family,
               find_family_forces(family.mode, make_mode_equations(family.mode, family.dynamics)),
               rest);
  out.direction = direction;
  out.rest = rest;
  return out;
}

/// The same for any number of contacts; `field` is the mode's field at the state.
NearForces find_near_forces(const Mode& mode, const ContactDynamics& dynamics,
                            const ModeField& field) {
  if (mode.closed.size() == 1) return find_one_near_force(mode, field);
  if (mode.redundant) return find_near_forces_of_parts(mode, dynamics);
  const ModeEquations equations = make_mode_equations(mode, dynamics);
  const Eigen::VectorXd unit = equations.mobility.cwiseSqrt().cwiseInverse();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(unit.asDiagonal() * equations.E * unit.asDiagonal(),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::VectorXd r = svd.matrixU().transpose() * unit.cwiseProduct(equations.r);
  const Eigen::Index last = r.size() - 1;
  const auto make_forces = [&](const Eigen::VectorXd& x) -> Vec2C {
    return equations.F * unit.cwiseProduct(x);
  };
  NearForces out;
  out.direction = make_forces(svd.matrixV().col(last));
  const double length = out.direction.norm();
  out.direction /= length;
  out.n = length * svd.singularValues().head(last).prod() * r[last];
  out.rest = make_forces(svd.matrixV().leftCols(last) *
                         r.head(last).cwiseQuotient(svd.singularValues().head(last)));
  // The matrices are orthogonal, so their determinants are +1 or -1.
  out.side = std::copysign(1.0, svd.matrixU().determinant() * svd.matrixV().determinant());
  return out;
}

/// The linear motion about d = n = 0 with coefficients at one state.
struct Linear {
  double d = 0.0, n = 0.0, alpha = 0.0, beta = 0.0, gamma = 0.0;
  VecQ free_acceleration;  ///< with the rest of the forces
  VecQ response;           ///< to unit forces along the direction

  [[nodiscard]] bool attracts() const { return alpha < 0.0 && beta < 0.0; }
  [[nodiscard]] double fast(double d_start) const { return gamma * d_start / (alpha - beta); }
};

class Approach {
 public:
  Approach(const Model& model, const Mode& mode, const Frame& frame)
      : model_(model), mode_(mode), frame_(frame) {}

  static constexpr int kEvaluations = 7;
  [[nodiscard]] Linear eval(const State& state) const {
    const ContactDynamics dynamics = eval_contact_dynamics(model_, state, as_span(mode_.indices));
    const ModeField field = make_mode_field(mode_, dynamics);
    const NearForces forces = find_forces(dynamics, field);
    Linear out;
    out.free_acceleration =
        dynamics.free_acceleration + dynamics.M_inverse_W.lazyProduct(forces.rest);
    out.response = dynamics.M_inverse_W * forces.direction;
    const Sizes here = make_sizes(field, forces);
    out.d = here.d;
    out.n = here.n;
    constexpr double kStep = 1e-3;  // of the motion's own scales: the error is its fourth power
    const VecQ scale = make_coordinate_scale(model_);
    const double rate = eval_rate_scale(scale, state.v, out.free_acceleration);
    const auto after = [&](double time) {
      return eval_sizes(
          {state.time + time, state.q + time * state.v, state.v + time * out.free_acceleration});
    };
    const double step = kStep / rate;
    const Sizes near = after(step) - after(-step);
    const Sizes far = after(2.0 * step) - after(-2.0 * step);
    out.alpha = (8.0 * near.d - far.d) / (12.0 * step);
    out.gamma = (8.0 * near.n - far.n) / (12.0 * step);
    // n is quadratic in the velocities, so the central difference is exact.
    const double kick = kStep * rate / out.response.cwiseAbs().cwiseQuotient(scale).maxCoeff();
    const auto struck = [&](double impulse) {
      return eval_sizes({state.time, state.q, state.v + impulse * out.response}).n;
    };
    out.beta = (struck(kick) - struck(-kick)) / (2.0 * kick);
    return out;
  }

 private:
  struct Sizes {
    double d = 0.0, n = 0.0;
    Sizes operator-(const Sizes& other) const { return {d - other.d, n - other.n}; }
  };
  /// The forces at a state. Their direction is only known up to its sign.
  [[nodiscard]] NearForces find_forces(const ContactDynamics& dynamics,
                                       const ModeField& field) const {
    NearForces out = find_near_forces(mode_, dynamics, field);
    if (out.direction.dot(frame_.direction) < 0.0) {
      out.direction = -out.direction;
      out.n = -out.n;
    }
    return out;
  }
  /// With signs such that both are smooth through d = 0.
  [[nodiscard]] Sizes eval_sizes(const State& state) const {
    const ContactDynamics dynamics = eval_contact_dynamics(model_, state, as_span(mode_.indices));
    const ModeField field = make_mode_field(mode_, dynamics);
    return make_sizes(field, find_forces(dynamics, field));
  }
  [[nodiscard]] Sizes make_sizes(const ModeField& field, const NearForces& forces) const {
    const double side = forces.side * frame_.side;
    return {side * field.rate, side * forces.n};
  }

  const Model& model_;
  const Mode& mode_;
  const Frame& frame_;
};

/// The fixed point, from coefficients `here` at the state and `there` near the fixed point. Along
/// the way n falls with exp(beta tau) and d with exp(alpha tau), so what depends on the impulse
/// left varies with d^(beta/alpha), which weighs the two ends in each integral.
State find_limit(const State& state, const Linear& here, const Linear& there, const VecQ& v_there) {
  const double power = there.beta / there.alpha;
  const double weight = 1.0 / (1.0 + power);
  const double fast = there.fast(here.d);
  const double time =
      -here.d / there.alpha * (1.0 - weight * (here.alpha - there.alpha) / there.alpha);
  const double impulse =
      -(here.n - fast) / there.beta * (1.0 - 0.5 * (here.beta - there.beta) / there.beta) -
      fast / there.alpha;
  const auto mean = [](const VecQ& a, const VecQ& b, double part) -> VecQ {
    return b + part * (a - b);
  };
  return {state.time + time, state.q + time * mean(state.v, v_there, weight),
          state.v + time * mean(here.free_acceleration, there.free_acceleration, weight) +
              impulse * mean(here.response, there.response, power * weight)};
}

/// Nothing if the mode's equations are singular or no force acts.
std::optional<Frame> find_frame(const Model& model, const Mode& mode, const State& state) {
  const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(mode.indices));
  const ModeField field = make_mode_field(mode, dynamics);
  if (!field.regular) return std::nullopt;
  const NearForces forces = find_near_forces(mode, dynamics, field);
  if (!(std::abs(forces.n) > 0.0)) return std::nullopt;
  return Frame{std::copysign(1.0, forces.n) * forces.direction, forces.side};
}

/// The forces that grow move nothing: the contacts hold each other, and surfaces drive them. Their
/// work on the bodies, per square of the force, beside that of each force alone.
bool is_locked(const Model& model, const Mode& mode, const State& state) {
  const auto frame = find_frame(model, mode, state);
  if (!frame) return false;
  const Mat2C G = eval_contact_dynamics(model, state, as_span(mode.indices)).G;
  const Vec2C& f = frame->direction;
  return std::abs(f.dot(G * f)) <= kSolveRounding * f.cwiseAbs2().dot(G.diagonal());
}

/// A sliding contact whose normal force near d = 0 is rest + (n/|d|) growth.
struct JammingContact {
  int contact = 0;
  double growth = 0.0, rest = 0.0;
  /// The n/|d| at which the force vanishes.
  [[nodiscard]] double release() const { return -rest / growth; }
};

/// The sign of the direction is chosen such that the growing forces push.
PerContact<JammingContact> list_jamming_contacts(const Model& model, const Mode& mode,
                                                 const State& state) {
  const ContactDynamics dynamics = eval_contact_dynamics(model, state, as_span(mode.indices));
  const NearForces forces = find_near_forces(mode, dynamics, make_mode_field(mode, dynamics));
  constexpr double kNone = 1e-6;  // of the direction's length: such a contact does not jam
  PerContact<JammingContact> out;
  double push = 0.0;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ClosedMode& contact = mode.closed[i];
    const auto row = static_cast<Eigen::Index>(2 * i);
    if (!contact.slides_with_friction() || std::abs(forces.direction[row]) <= kNone) continue;
    out.push_back({contact.contact, contact.force_sign * forces.direction[row],
                   contact.force_sign * forces.rest[row]});
    push += out.back().growth;
  }
  if (push < 0.0) {
    for (JammingContact& jamming : out) jamming.growth = -jamming.growth;
  }
  return out;
}

}  // namespace

JamApproach find_jam_ahead(const Model& model, const Mode& mode, const State& state) {
  JamApproach out;
  const auto frame = find_frame(model, mode, state);
  if (!frame) return out;
  const Approach approach(model, mode, *frame);
  const Linear here = approach.eval(state);
  if (!here.attracts()) return out;
  const State guess = find_limit(state, here, here, state.v);
  const Linear there = approach.eval(guess);
  if (!there.attracts()) return out;
  out.limit = find_limit(state, here, there, guess.v);
  project_onto_mode(model, mode, out.limit);
  out.d = here.d;
  out.n = here.n;
  out.alpha = there.alpha;
  out.beta = there.beta;
  out.slow = here.n - there.fast(here.d);
  out.regular = out.limit.q.allFinite() && out.limit.v.allFinite();
  return out;
}

PerContact<int> list_jamming(const Model& model, const Mode& mode, const State& state) {
  PerContact<int> out;
  for (const JammingContact& jamming : list_jamming_contacts(model, mode, state)) {
    out.push_back(jamming.contact);
  }
  return out;
}

PerContact<int> list_first_released(const Model& model, const Mode& mode, const State& state) {
  const PerContact<JammingContact> all = list_jamming_contacts(model, mode, state);
  double first = -kNever;
  double size = 0.0;
  for (const JammingContact& jamming : all) {
    first = std::max(first, jamming.release());
    size = std::max(size, std::abs(jamming.release()));
  }
  constexpr double kSameRelease = 1e-9;  // of the largest: a tie up to rounding of G
  PerContact<int> out;
  for (const JammingContact& jamming : all) {
    if (jamming.release() >= first - kSameRelease * size) out.push_back(jamming.contact);
  }
  return out;
}

JamWatch::JamWatch(const Model& model, const Mode& mode, double tolerance)
    : model_(model),
      mode_(mode),
      tolerance_(tolerance),
      scale_(make_coordinate_scale(model)),
      last_d_(std::numeric_limits<double>::infinity()) {}

bool JamWatch::is_due(double d) const {
  constexpr double kNearJam = 1e-3;  // d, in unit mobilities: the limit can be extrapolated
  constexpr double kFall = 20.0;     // d falls by this between two looks, which are costly
  return mode_.stretched && d <= kNearJam && (d * kFall <= last_d_ || !is_resolved(d));
}

std::optional<JamEnd> JamWatch::look(const State& state, double d, double rate) {
  last_d_ = d;
  evaluations_ = 2 + 2 * Approach::kEvaluations;
  const bool unresolved = !is_resolved(d);
  // Surfaces alone determine the motion: n stays and d falls linearly in time.
  constexpr double kLockExponent = -1.0;  // of f_n = n/d in t* - t
  if (unresolved && is_locked(model_, mode_, state)) {
    return JamEnd{JamEndType::kLocks, state, kLockExponent, false};
  }
  const JamApproach approach = find_jam_ahead(model_, mode_, state);
  const std::optional<JamApproach> before = std::exchange(last_, std::nullopt);
  if (!approach.regular) {
    return unresolved ? follow_impulse(state) : std::nullopt;
  }
  last_ = approach;
  const bool settled = before && agree(*before, approach, rate) && is_decided(approach, rate);
  if (!settled) {
    if (!unresolved) return std::nullopt;
    // The limit is exact to third order in n, but n may still be far from zero.
    auto end = follow_impulse(state);
    if (end && end->type != JamEndType::kUnknown) return end;
  }
  JamEnd end = make_end(approach, rate);
  if (end.type == JamEndType::kJam || end.type == JamEndType::kPassage) settle(state, end.state);
  return end;
}

/// Moves a limit, which is as accurate as the tolerance, to the fixed point. Later decisions depend
/// on the side of d = 0 on which it lies.
void JamWatch::settle(const State& start, State& limit) {
  const auto frame = find_frame(model_, mode_, start);
  if (!frame) return;
  evaluations_ += 2 + Approach::kEvaluations;
  const Linear at = Approach(model_, mode_, *frame).eval(limit);
  const double time = -at.d / at.alpha;
  const double impulse = -(at.n + at.gamma * time) / at.beta;
  const VecQ change = time * at.free_acceleration + impulse * at.response;
  // A correction must be small compared with the way to the limit.
  const bool is_small = std::abs(time) <= 0.5 * (limit.time - start.time) &&
                        change.norm() <= 0.5 * (limit.v - start.v).norm();
  if (!is_small) return;
  limit.time += time;
  limit.q += time * limit.v;
  limit.v += change;
  project_onto_mode(model_, mode_, limit);
}

/// d is down to rounding and n is not. So time and positions stand still while the impulse P moves
/// the velocities along a straight line, with d(log d)/dP = alpha/n and dn/dP = beta; alpha and
/// beta are linear in P. The first of these decides: the slip ends, d is again what it was, or n
/// vanishes. Nothing if d turns while it is still clear of zero: then the motion goes on.
std::optional<JamEnd> JamWatch::follow_impulse(const State& state) const {
  JamEnd out{JamEndType::kUnknown, state, 0.0, true};
  const auto frame = find_frame(model_, mode_, state);
  if (!frame) return out;
  const Approach approach(model_, mode_, *frame);
  const Linear here = approach.eval(state);
  const auto after = [&](double impulse) {
    return State{state.time, state.q, state.v + impulse * here.response};
  };
  const double unit = state.v.norm() / here.response.norm();
  const double whole = unit * find_slip_end(state, after(unit));
  if (!std::isfinite(whole)) return out;
  const Linear there = approach.eval(after(whole));
  bool pushes = true;
  const auto eval_slope = [&](double part) {  // of log d per part of the way
    const double n = here.n + part * whole * (here.beta + 0.5 * part * (there.beta - here.beta));
    pushes &= n > 0.0;
    return whole * (here.alpha + part * (there.alpha - here.alpha)) / n;
  };
  const auto eval_rise = [&](double part) {
    return boost::math::quadrature::gauss<double, 15>::integrate(eval_slope, 0.0, part);
  };
  const double turn = here.alpha / (here.alpha - there.alpha);  // part at which d stops falling
  const bool turns = here.alpha >= 0.0 || (turn > 0.0 && turn < 1.0);
  if (turns && here.d * std::exp(here.alpha >= 0.0 ? 0.0 : eval_rise(turn)) > kNumberRounding &&
      pushes) {
    return std::nullopt;
  }
  pushes = true;
  if (eval_rise(1.0) <= 0.0) {
    if (!pushes) return out;
    out.type = JamEndType::kSlipEnds;
    out.state = after(2.0 * whole);
    return out;
  }
  if (!(here.alpha < 0.0) || !turns) return out;
  const auto returned =
      find_crossing_of_fall([&](double u) { return -eval_rise(turn + u * (1.0 - turn)); });
  if (!returned) return out;
  const double part = turn + *returned * (1.0 - turn);
  pushes = true;
  if (!(std::abs(eval_rise(part)) < 1.0) || !pushes) return out;
  out = {JamEndType::kReturns, after(part * whole), 0.0, false, part * whole * frame->direction};
  return out;
}

/// Part of the straight way between two states after which the first slip vanishes.
double JamWatch::find_slip_end(const State& from, const State& to) const {
  const ContactKinematics a = eval_contact_kinematics(model_, from);
  const ContactKinematics b = eval_contact_kinematics(model_, to);
  double first = kNever;
  for (const ClosedMode& contact : mode_.closed) {
    if (!contact.slides()) continue;
    const double fall = contact.slip_sign * (a.slip[contact.contact] - b.slip[contact.contact]);
    if (fall > 0.0) first = std::min(first, contact.slip_sign * a.slip[contact.contact] / fall);
  }
  return first;
}

/// Compares two estimates of one limit, of third order in n and d. Their difference is the error of
/// the first.
bool JamWatch::agree(const JamApproach& first, const JamApproach& second, double rate) const {
  const double better = std::pow(std::max(second.n / first.n, second.d / first.d), 2);
  const double enough = 0.1 * std::max(tolerance_, kUnresolved) / better;
  const State& a = first.limit;
  const State& b = second.limit;
  const double q = (a.q - b.q).cwiseAbs().cwiseQuotient(scale_).maxCoeff();
  const double v = (a.v - b.v).cwiseAbs().cwiseQuotient(scale_).maxCoeff();
  return q <= enough && v <= enough * rate && std::abs(a.time - b.time) <= enough / rate;
}

/// True if the quantities that decide between jam, passage, lift-off and end of slip are well away
/// from zero.
bool JamWatch::is_decided(const JamApproach& approach, double rate) const {
  constexpr double kDecided = 1e-3;  // relative: far above the error of the limit
  // If both rates are alike, two large parts of n cancel.
  const bool ahead = approach.last_part() > kDecided && approach.last_part() < 1.0 / kDecided;
  // A slip that ends within the error of the limit may also end before it.
  constexpr double kSlips = 1e-7;  // of the motion's speed: above the error of the limit
  return ahead && eval_least_slip(approach.limit) > kSlips * model_.length_scale * rate;
}

JamEnd JamWatch::make_end(const JamApproach& approach, double rate) const {
  constexpr double kUndecided = 1e-12;  // of the motion's speed: rounding of the limit
  const double slip = eval_least_slip(approach.limit);
  const double least = kUndecided * model_.length_scale * rate;
  constexpr double kSameRates = 1e-6;  // relative: the limit leaves them undecided
  const bool marginal = std::abs(approach.last_part()) < kSameRates ||
                        std::abs(approach.exponent()) < kSameRates || slip < least;
  JamEnd out{JamEndType::kJam, approach.limit, approach.exponent(), marginal};
  if (approach.force_is_bounded()) out.type = JamEndType::kPassage;
  if (approach.last_part() < 0.0 && !marginal) out.type = JamEndType::kSeparation;
  if (slip < -least) out.type = JamEndType::kSlipEnds;
  return out;
}

/// Smallest slip of the sliding contacts, in their directions [m/s].
double JamWatch::eval_least_slip(const State& state) const {
  const ContactKinematics contacts = eval_contact_kinematics(model_, state);
  double least = std::numeric_limits<double>::infinity();
  for (const ClosedMode& contact : mode_.closed) {
    if (!contact.slides()) continue;
    least = std::min(least, contact.slip_sign * contacts.slip[contact.contact]);
  }
  return least;
}

}  // namespace slipstick
