/// The motion within steps: laws of every contact, equations of motion, and the work done.

#include <algorithm>
#include <cmath>

#include "slipstick/sim/check/run_check.h"

namespace slipstick::check {
namespace {

/// Lobatto's rule with five points: start, middle and end of a step are among them, and the error
/// is of order 8, as the step's.
struct LobattoNode {
  double at, weight;
};
const double kLobattoSide = 0.5 * std::sqrt(3.0 / 7.0);
const std::array<LobattoNode, 5> kLobatto{{{0.0, 1.0 / 20.0},
                                           {0.5 - kLobattoSide, 49.0 / 180.0},
                                           {0.5, 16.0 / 45.0},
                                           {0.5 + kLobattoSide, 49.0 / 180.0},
                                           {1.0, 1.0 / 20.0}}};

/// Four components from one on, and their slopes: NestedPolynomial with an odd number of
/// coefficients, so that the last factor is theta, as the first.
struct Four {
  Eigen::Array4d value, slope;
};
Four eval_four(const SegmentPolynomial& polynomial, std::size_t first, double theta) {
  using Row = Eigen::Map<const Eigen::Array4d>;
  const double rest = 1.0 - theta;
  const std::size_t length = polynomial.rows.length;
  const std::size_t coefficients = polynomial.rows.size() - 1;
  const double* row = polynomial.rows[coefficients] + first;
  Eigen::Array4d slope = Row(row);
  Eigen::Array4d sum = theta * slope;
  for (std::size_t k = 1; k < coefficients; k += 2) {
    sum += Row(row -= length);
    slope = rest * slope - sum;
    sum *= rest;
    sum += Row(row -= length);
    slope = theta * slope + sum;
    sum *= theta;
  }
  return {Row(row - length) + sum, slope};
}

}  // namespace

void RunCheck::read_node(const Segment& step, double theta, Node& out) {
  const auto n = static_cast<std::size_t>(model_.size());
  const std::size_t impulses = 2 * mode_->closed.size();
  std::array<double, kMaxIntegrated> value;
  std::array<double, kMaxIntegrated> slope;
  for (std::size_t i = 0; i < 2 * n + 1 + impulses; i += 4) {
    const Four four = eval_four(step.polynomial, i, theta);
    Eigen::Map<Eigen::Array4d>(value.data() + i) = four.value;
    Eigen::Map<Eigen::Array4d>(slope.data() + i) = four.slope;
  }
  using Numbers = Eigen::Map<const VecQ>;
  // Formulas of time change at the end of a step, not a rounding error before it.
  const double time = std::clamp(value[2 * n], step.from, std::max(step.from, step.to));
  findings_.note("continuity", -1, time,
                 std::abs(value[2 * n] - time) / (std::abs(time) + std::abs(slope[2 * n])),
                 tolerances_.jump);
  out.state = {time, Numbers(value.data(), model_.size()),
               Numbers(value.data() + n, model_.size())};
  std::copy_n(slope.begin(), n, out.q_slope.begin());
  std::copy_n(slope.data() + n, n, out.v_slope.begin());
  out.pace = slope[2 * n];
  std::copy_n(slope.data() + 2 * n + 1, impulses, out.impulse_slope.begin());
  out.inside = theta > 0.0 && theta < 1.0;
  mechanism_.place(out.state, out.v_slope.data(), out.pace, out.placed);
}

/// The first node of a step that continues the last one is the last node of that step, with its own
/// pace.
void RunCheck::add_first_work(const Segment& step) {
  Node& start = nodes_.back();
  const auto time = 2 * static_cast<std::size_t>(model_.size());
  const std::size_t block = time / 4 * 4;
  const double stretch =
      eval_four(step.polynomial, block, 0.0).slope[static_cast<Eigen::Index>(time - block)] /
      start.pace;
  start.pace *= stretch;
  for (std::size_t i = 0; i < 2 * mode_->closed.size(); ++i) start.impulse_slope[i] *= stretch;
  add_work(*mode_, start, step.theta_end * kLobatto.front().weight);
}

void RunCheck::check_step(const Segment& step, bool goes_on) {
  step_ = &step;
  const bool known = goes_on && nodes_.back().pace > 0.0;
  const std::size_t first = known ? 1 : 0;
  if (known) add_first_work(step);
  for (std::size_t k = first; k < nodes_.size(); ++k) {
    read_node(step, step.theta_end * kLobatto[k].at, nodes_[k]);
    note_energy(nodes_[k].placed);
  }
  momentum_scale_ = tolerances_.slow * eval_natural_scale(nodes_.back().placed);
  for (std::size_t k = first; k < nodes_.size(); ++k) {
    momentum_scale_ = std::max(momentum_scale_, eval_momentum_scale(*mode_, nodes_[k]));
  }
  // Forces that balance each other do so up to rounding. What is left accelerates the bodies during
  // the step, and the forces do work on that motion.
  work_of_balance_ += kOfSum * momentum_scale_ * momentum_scale_;
  for (std::size_t k = first; k < nodes_.size(); ++k) {
    add_work(*mode_, nodes_[k], step.theta_end * kLobatto[k].weight);
    check_motion(*mode_, nodes_[k]);
    check_contacts(*mode_, nodes_[k]);
  }
  note_power(nodes_.back());
  check_slips_between(step);
}

/// Toward a dead centre that a surface drives the contacts to, power goes with 1/(t* - t)^2: what a
/// rounding of the time is worth there, no step can balance.
void RunCheck::note_power(const Node& node) {
  const auto is_driven = [&](const ClosedMode& closed) {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(closed.contact)];
    const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
    return closed.sticks() && eval_function(surface.speed, node.state) != 0.0;
  };
  if (mode_->stretched || !(node.pace > 0.0) ||
      std::none_of(mode_->closed.begin(), mode_->closed.end(), is_driven)) {
    return;
  }
  const double turnover = turnover_;
  const Balance balance = verdict_.balance;
  add_work(*mode_, node, 1.0 / node.pace);
  const double power = turnover_ - turnover;
  turnover_ = turnover;
  verdict_.balance = balance;
  work_of_rounding_ = std::max(work_of_rounding_, kOfTime * std::abs(node.state.time) * power);
}

/// The slip over a surface whose speed changes may reverse twice between the nodes.
void RunCheck::check_slips_between(const Segment& step) {
  const auto swings = [&](const ClosedMode& closed) {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(closed.contact)];
    const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
    return closed.slides_with_friction() && !surface.speed.is_constant();
  };
  if (std::none_of(mode_->closed.begin(), mode_->closed.end(), swings)) return;
  constexpr int kParts = 32;
  for (int k = 1; k < kParts; ++k) {
    read_node(step, step.theta_end * k / kParts, between_);
    for (std::size_t j = 0; j < mode_->closed.size(); ++j) {
      if (swings(mode_->closed[j])) check_closed(mode_->closed[j], j, between_);
    }
  }
}

/// Sum of sqrt(M_ii) |v_i| and of all terms of the equations of motion over sqrt(M_ii) [sqrt J].
/// Times a contact's mobility it bounds the contact's speeds; divided by it, the impulses.
double RunCheck::eval_momentum_scale(const Mode& mode, const Node& node) const {
  const Placed& placed = node.placed;
  double out = eval_speed_scale(placed, node.state.v);
  for (std::size_t i = 0; i < static_cast<std::size_t>(model_.size()); ++i) {
    double size = placed.size[i];
    for (std::size_t j = 0; j < mode.closed.size(); ++j) {
      const ContactMotion& at = placed.contacts[static_cast<std::size_t>(mode.closed[j].contact)];
      size += std::abs(at.W_n[i] * node.impulse_slope[2 * j]) +
              std::abs(at.W_t[i] * node.impulse_slope[2 * j + 1]);
    }
    out += size / placed.root[i];
  }
  return out;
}

/// q' = v and M v' + h = W f.
void RunCheck::check_motion(const Mode& mode, const Node& node) {
  const Placed& placed = node.placed;
  const double time = node.state.time;
  const double allowed = node.inside ? tolerances_.motion_inside : tolerances_.motion;
  double worst = 0.0;
  double worst_way = 0.0;
  // In a step that is short for the loads (because they jump, say) the scale is the momentum that
  // the loads give over a length of the bodies: sqrt(M_ii) sqrt(acceleration * unit).
  double scale = momentum_scale_;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model_.size()); ++i) {
    double left = placed.balance[i];
    for (std::size_t j = 0; j < mode.closed.size(); ++j) {
      const ContactMotion& at = placed.contacts[static_cast<std::size_t>(mode.closed[j].contact)];
      left -= at.W_n[i] * node.impulse_slope[2 * j] + at.W_t[i] * node.impulse_slope[2 * j + 1];
    }
    worst = std::max(worst, std::abs(left) / placed.root[i]);
    const auto k = static_cast<Eigen::Index>(i);
    const double way = node.pace * node.state.v[k];
    const double unit = mechanism_.is_angle(static_cast<int>(i)) ? 1.0 : length_;
    scale += std::sqrt(placed.load[i] * unit);
    worst_way = std::max(worst_way, std::abs(node.q_slope[i] - way) /
                                        (unit + std::abs(way) + std::abs(node.state.q[k])));
  }
  if (worst > 0.0) {
    findings_.note("equations of motion", -1, time, worst / scale, allowed,
                   &Check::Worst::momentum);
  }
  findings_.note("velocity", -1, time, worst_way, allowed);
}

void RunCheck::check_contacts(const Mode& mode, const Node& node) {
  const double allowed = node.inside ? tolerances_.gap_inside : tolerances_.gap;
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const ContactMotion& at = node.placed.contacts[i];
    if (!is_guarded(i, at) || is_closed(mode.word[i])) continue;
    findings_.note("gap", static_cast<int>(i), node.state.time, std::max(0.0, -at.gap / length_),
                   allowed_gap(at, allowed), &Check::Worst::gap);
  }
  for (std::size_t j = 0; j < mode.closed.size(); ++j) check_closed(mode.closed[j], j, node);
}

/// Signorini's and Coulomb's laws of one closed contact.
void RunCheck::check_closed(const ClosedMode& closed, std::size_t place, const Node& node) {
  const Contact& contact = model_.contacts[static_cast<std::size_t>(closed.contact)];
  const ContactMotion& at = node.placed.contacts[static_cast<std::size_t>(closed.contact)];
  const double time = node.state.time;
  const double allowed = node.inside ? tolerances_.motion_inside : tolerances_.motion;
  const auto note = [&](std::string_view law, double size, double Check::Worst::*worst = nullptr) {
    findings_.note(law, closed.contact, time, size, allowed, worst);
  };
  const double gap_tolerance = node.inside ? tolerances_.gap_inside : tolerances_.gap;
  findings_.note("gap", closed.contact, time, std::abs(at.gap) / length_,
                 allowed_gap(at, gap_tolerance), &Check::Worst::gap);
  // Conditions on the state switch at a time that is only accurate to rounding.
  const double instant = kInstant * (1.0 + std::abs(time));
  const bool is_between = time > step_->from + instant && time < step_->to - instant;
  if (is_between && !at.exists) note("existence", 1.0);
  const double scale = momentum_scale_;
  if (!(scale > 0.0)) return;
  const double speed_n = scale * at.mobility_n;
  double bend = node.pace * at.bias_n;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model_.size()); ++i) {
    bend += at.W_n[i] * node.v_slope[i];
  }
  if (speed_n > 0.0) {
    note("gap rate", std::abs(at.gap_rate) / speed_n);
    note("gap acceleration", std::abs(bend) / speed_n);
  }
  const double force_n = node.impulse_slope[2 * place];
  const double force_t = node.impulse_slope[2 * place + 1];
  const double force_scale =
      scale / std::max(at.mobility_n, at.mobility_t) + std::abs(force_n) + std::abs(force_t);
  if (!contact.bilateral) {
    note("normal force", std::max(0.0, -force_n / force_scale), &Check::Worst::normal_force);
  }
  // At a dead centre a contact cannot move along its surface.
  const double speed_t =
      scale * std::max(at.mobility_n, at.mobility_t) + std::abs(at.surface_speed);
  double outside = std::abs(force_t);
  if (!closed.slides() && contact.mu_s > 0.0) {
    outside = std::max(0.0, std::abs(force_t) - contact.mu_s * std::abs(force_n));
    if (speed_t > 0.0) note("stick", std::abs(at.slip) / speed_t);
  } else if (contact.mu_s > 0.0) {
    const double sign = eval_slip_sign(closed.mode);
    outside = std::abs(force_t + sign * contact.mu * std::abs(force_n));
    if (speed_t > 0.0) note("slip", std::max(0.0, -sign * at.slip / speed_t));
  }
  note("friction", outside / force_scale, &Check::Worst::cone);
}

void RunCheck::add_work(const Mode& mode, const Node& node, double weight) {
  const auto add = [&](double Balance::*part, double work) {
    verdict_.balance.*part += weight * work;
    turnover_ += weight * std::abs(work);
  };
  add(&Balance::loads, node.pace * node.placed.load_power);
  add(&Balance::damping, node.pace * node.placed.damping_power);
  for (std::size_t j = 0; j < mode.closed.size(); ++j) {
    const ContactMotion& at =
        node.placed.contacts[static_cast<std::size_t>(mode.closed[j].contact)];
    add(&Balance::friction, node.impulse_slope[2 * j + 1] * at.slip);
    add(&Balance::surfaces, node.impulse_slope[2 * j + 1] * at.surface_speed);
  }
}

}  // namespace slipstick::check
