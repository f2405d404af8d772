/// Events: states before and after, impacts, jams, ends of accumulations.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "slipstick/sim/check/impact_path.h"
#include "slipstick/sim/check/impulse_system.h"
#include "slipstick/sim/check/run_check.h"

namespace slipstick::check {
void RunCheck::check_event(const Event& event) {
  const bool impacts = event.impact.has_value();
  const bool renames = impacts && (event.after.q - event.before.q).cwiseAbs().maxCoeff() > 0.0;
  check_state(event.before, ModeWord(model_.contacts.size()), 0.0);
  // A rate that an impulse stops is zero up to the rounding of the speeds before it.
  const double speed_before = eval_speed_scale(placed_, event.before.v);
  note_energy(placed_);
  const double kinetic = placed_.kinetic;
  const double potential = placed_.potential;
  // A jam, a choice, or the last event before the event limit may come before a decision is
  // complete, with modes that were not taken.
  const bool is_last = run_->end.reason == EndReason::kEventLimit && &event == &run_->events.back();
  const bool decided = event.type != EventType::kJam && event.type != EventType::kInconsistent &&
                       event.type != EventType::kIndeterminate && !is_last;
  check_state(event.after, decided ? event.modes_after : ModeWord(model_.contacts.size()),
              speed_before);
  const double kinetic_after = placed_.kinetic;
  const double momentum = std::max(momentum_scale_, tolerances_.slow * eval_natural_scale(placed_));
  const double scale = std::max({kinetic, kinetic_after, 0.5 * momentum * momentum});
  if (scale > 0.0) {
    const double told = std::max(std::abs(event.energy_before - kinetic),
                                 std::abs(event.energy_after - kinetic_after));
    findings_.note("energy of an event", -1, event.time, told / scale, tolerances_.impact,
                   &Check::Worst::energy);
  }
  note_energy(placed_);
  if (renames) renamed_ += placed_.potential - potential;
  if (!renames && event.type != EventType::kZeno && event.type != EventType::kRest) {
    check_ended_rebounds(event);
  }
  if (impacts) check_impact(event);
  if (event.type == EventType::kJam) {
    findings_.note("growth of a jam", event.contacts.empty() ? -1 : event.contacts[0], event.time,
                   event.exponent ? std::max(0.0, *event.exponent) : 1.0, 0.0);
  }
  if (event.type == EventType::kZeno) check_bounces_end(event);
  if (event.type == EventType::kRest) check_rest(event);
}

/// Apart from impulses, an event changes velocities only by ending rebounds that are too slow to
/// follow. The energy of such changes counts as work of impacts. Needs the state after the event in
/// placed_.
void RunCheck::check_ended_rebounds(const Event& event) {
  const VecQ from = event.impact ? event.impact->v_plus : event.before.v;
  const VecQ change = event.after.v - from;
  if (change.cwiseAbs().maxCoeff() == 0.0) return;
  const double scale = eval_speed_scale(placed_, from) + eval_natural_scale(placed_);
  findings_.note("continuity", -1, event.time, eval_speed_scale(placed_, change) / scale,
                 has_note(event, "too slow to follow") ? tolerances_.ended : tolerances_.untold);
  const double kinetic = placed_.kinetic;
  State before = event.after;
  before.v = from;
  const double gain = kinetic - place(before).kinetic;
  // Holding a contact can only remove energy, except for what its moving surface puts in.
  const double brought = eval_held_work(event, change);
  const double left = std::max(0.0, gain - std::max(0.0, brought));
  findings_.note("energy of an impact", -1, event.time, left / (0.5 * scale * scale),
                 tolerances_.impact);
  verdict_.balance.impacts += gain - brought;
  verdict_.balance.surfaces += brought;
  turnover_ += std::abs(gain - brought) + std::abs(brought);
}

/// The work of surfaces on a change of the velocities that holds contacts to them: P_t times their
/// speeds, with the impulses of the contacts that are closed at the end. Those that slide have no
/// P_t.
double RunCheck::eval_held_work(const Event& event, const VecQ& change) {
  std::vector<int> closed;
  for (int j = 0; j < model_.contact_count(); ++j) {
    if (is_closed(event.modes_after[static_cast<std::size_t>(j)])) closed.push_back(j);
  }
  if (closed.empty()) return 0.0;
  Placed at;
  mechanism_.place(event.after, change.data(), 0.0, at);
  ImpulseSystem system = make_impulse_system(at, model_.size(), closed);
  for (std::size_t j = 0; j < closed.size(); ++j) {
    const auto k = static_cast<std::size_t>(closed[j]);
    const bool sticks =
        event.modes_after[k] == ContactMode::kStick && model_.contacts[k].mu_s > 0.0;
    if (!sticks) system.A.col(static_cast<Eigen::Index>(2 * j + 1)).setZero();
  }
  const Eigen::VectorXd P =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(system.A).solve(system.b);
  double out = 0.0;
  for (std::size_t j = 0; j < closed.size(); ++j) {
    const ContactMotion& contact = at.contacts[static_cast<std::size_t>(closed[j])];
    out += P[static_cast<Eigen::Index>(2 * j + 1)] * contact.surface_speed;
  }
  return out;
}

/// Checks the gaps of all contacts, and the rates of those that a word closes. Leaves the state in
/// placed_.
void RunCheck::check_state(const State& state, const ModeWord& word, double least_scale) {
  place(state);
  const double scale = std::max({least_scale, momentum_scale_, eval_speed_scale(placed_, state.v)});
  for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
    const ContactMotion& at = placed_.contacts[i];
    const auto index = static_cast<int>(i);
    const bool closed = is_closed(word[i]);
    if (!is_guarded(i, at) && !closed) continue;
    const double depth = closed ? std::abs(at.gap) : std::max(0.0, -at.gap);
    findings_.note("gap", index, state.time, depth / length_, allowed_gap(at, tolerances_.gap),
                   &Check::Worst::gap);
    if (!closed || scale == 0.0) continue;
    if (at.mobility_n > 0.0) {
      findings_.note("gap rate", index, state.time, std::abs(at.gap_rate) / (scale * at.mobility_n),
                     tolerances_.motion);
    }
    const double speed =
        scale * std::max(at.mobility_n, at.mobility_t) + std::abs(at.surface_speed);
    if (word[i] == ContactMode::kStick && model_.contacts[i].mu_s > 0.0 && speed > 0.0) {
      findings_.note("stick", index, state.time, std::abs(at.slip) / speed, tolerances_.motion);
    }
  }
}

/// M (v_plus - v_minus) = W P, and P within the laws.
void RunCheck::check_impact(const Event& event) {
  const ImpactRecord& impact = *event.impact;
  const VecQ change = impact.v_plus - impact.v_minus;
  Placed before;
  State state = event.before;
  state.v = impact.v_minus;
  mechanism_.place(state, change.data(), 0.0, before);
  const double scale =
      eval_speed_scale(before, impact.v_minus) + eval_speed_scale(before, impact.v_plus);
  double worst = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model_.size()); ++i) {
    double left = before.balance[i];
    for (int j = 0; j < model_.contact_count(); ++j) {
      const ContactMotion& at = before.contacts[static_cast<std::size_t>(j)];
      left -= at.W_n[i] * impact.impulse_n[j] + at.W_t[i] * impact.impulse_t[j];
    }
    worst = std::max(worst, std::abs(left) / before.root[i]);
  }
  if (scale > 0.0) {
    findings_.note("momentum of an impact", event.contacts.empty() ? -1 : event.contacts[0],
                   event.time, worst / scale, tolerances_.impact, &Check::Worst::momentum);
    const double start = eval_speed_scale(before, VecQ(impact.v_minus - event.before.v)) / scale;
    findings_.note("continuity", -1, event.time, start, tolerances_.impact);
  }
  momentum_scale_ = std::max(momentum_scale_, scale);
  check_impulses(event, before);
  check_restitution(event, before);
}

/// Checks Signorini's and Coulomb's laws in impulses, and the work of the impulses.
void RunCheck::check_impulses(const Event& event, const Placed& before) {
  const ImpactRecord& impact = *event.impact;
  State state = event.before;
  state.v = impact.v_plus;
  Placed after;
  mechanism_.place(state, zeros_.data(), 0.0, after);
  const double largest =
      std::max(impact.impulse_n.cwiseAbs().maxCoeff(), impact.impulse_t.cwiseAbs().maxCoeff());
  double gain = 0.0;
  for (int j = 0; j < model_.contact_count(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const Contact& contact = model_.contacts[k];
    const double impulse_n = impact.impulse_n[j];
    const double impulse_t = impact.impulse_t[j];
    const ContactMotion& at = before.contacts[k];
    const ContactMotion& then = after.contacts[k];
    const double work =
        0.5 * impulse_n * (at.gap_rate + then.gap_rate) + 0.5 * impulse_t * (at.slip + then.slip);
    gain += work;
    verdict_.balance.surfaces += impulse_t * at.surface_speed;
    turnover_ += std::abs(impulse_t * at.surface_speed) + std::abs(work);
    if (largest == 0.0 || (impulse_n == 0.0 && impulse_t == 0.0)) continue;
    // Friction acts in each part, because a bilateral contact may push in one and pull in the
    // other.
    const double before_n = impact.compression_n.size() > 0 ? impact.compression_n[j] : 0.0;
    const double before_t = impact.compression_t.size() > 0 ? impact.compression_t[j] : 0.0;
    if (!contact.bilateral) {
      const double least = std::min(before_n, impulse_n - before_n);
      findings_.note("normal impulse", j, event.time, std::max(0.0, -least / largest),
                     tolerances_.impact, &Check::Worst::normal_force);
    }
    const double outside =
        std::max(std::abs(before_t) - contact.mu * std::abs(before_n),
                 std::abs(impulse_t - before_t) - contact.mu * std::abs(impulse_n - before_n));
    findings_.note("friction impulse", j, event.time, std::max(0.0, outside / largest),
                   tolerances_.impact, &Check::Worst::cone);
    const double speed = momentum_scale_ * at.mobility_n;
    if (speed > 0.0) {
      const double rate = contact.bilateral ? std::abs(then.gap_rate) : -then.gap_rate;
      findings_.note("gap rate", j, event.time, std::max(0.0, rate / speed), tolerances_.impact);
    }
  }
  verdict_.balance.impacts += gain;
  const double scale = std::max(before.kinetic, after.kinetic);
  if (scale > 0.0 && !has_note(event, "created energy")) {
    findings_.note("energy of an impact", event.contacts.empty() ? -1 : event.contacts[0],
                   event.time, std::max(0.0, gain / scale), tolerances_.impact,
                   &Check::Worst::energy);
  }
}

/// A collision of one contact alone must end where its law says.
void RunCheck::check_restitution(const Event& event, const Placed& before) {
  if (event.type != EventType::kImpact || event.contacts.size() != 1) return;
  const int c = event.contacts[0];
  for (int j = 0; j < model_.contact_count(); ++j) {
    if (j != c && is_closed(event.modes_before[static_cast<std::size_t>(j)])) return;
  }
  if (has_note(event, "several contacts") || has_note(event, "wedges")) return;
  if (!(before.contacts[static_cast<std::size_t>(c)].gap_rate < 0.0)) return;
  compare_with_path(event, before, c, false);
}

/// The impulse of one contact alone, beside the end of its path in impulse space.
void RunCheck::compare_with_path(const Event& event, const Placed& before, int c, bool jammed) {
  const ContactMotion& at = before.contacts[static_cast<std::size_t>(c)];
  const Contact& contact = model_.contacts[static_cast<std::size_t>(c)];
  const int n = model_.size();
  const Eigen::MatrixXd M = mechanism_.eval_mass_matrix(event.before);
  Eigen::MatrixXd W(n, 2);
  for (int i = 0; i < n; ++i) {
    W(i, 0) = at.W_n[static_cast<std::size_t>(i)];
    W(i, 1) = at.W_t[static_cast<std::size_t>(i)];
  }
  const Eigen::MatrixXd G = W.transpose() * M.ldlt().solve(W);
  const ImpactRecord& impact = *event.impact;
  const bool collides = event.type == EventType::kImpact;
  // A bilateral contact stays closed; it is seen from the side to which it pushes.
  const double side = contact.bilateral && impact.impulse_n[c] < 0.0 ? -1.0 : 1.0;
  const PathEnd end = follow_impact(
      {G(0, 0), side * G(0, 1), G(1, 1), collides ? side * at.gap_rate : 0.0, at.slip, contact.mu,
       contact.bilateral ? 0.0 : contact.restitution, impact.law, jammed});
  if (!end.found) return;
  const double size = std::max(std::abs(side * end.impulse_n - impact.impulse_n[c]),
                               std::abs(end.impulse_t - impact.impulse_t[c])) /
                      std::max(end.impulse_n, std::abs(end.impulse_t));
  // Near rest, the gap rate after the impact is only as accurate as the rounding of the speeds it
  // is computed from; without a collision, the slip.
  const double speed =
      eval_speed_scale(before, impact.v_minus) * (collides ? at.mobility_n : at.mobility_t);
  const double scale = collides ? std::abs(at.gap_rate) : std::abs(at.slip);
  findings_.note("law of impact", c, event.time, size, tolerances_.impact + kOfSum * speed / scale);
}

/// The bounces that are left out may only lose energy, except for what surfaces and loads put in.
void RunCheck::check_bounces_end(const Event& event) {
  const Placed& before = place(event.before);
  const double energy = before.kinetic + before.potential;
  const double kinetic = before.kinetic;
  const Placed& after = place(event.after);
  const double gain = after.kinetic + after.potential - energy;
  verdict_.balance.impacts += gain;
  turnover_ += std::abs(gain);
  const double scale = std::max(
      {kinetic, largest_kinetic_ * tolerances_.zeno, 0.5 * momentum_scale_ * momentum_scale_});
  if (scale > 0.0) {
    const double brought = std::max(0.0, eval_brought(event));  // what they take is no gain
    findings_.note("energy of an accumulation", -1, event.time,
                   std::max(0.0, (gain - brought) / scale), tolerances_.zeno,
                   &Check::Worst::energy);
  }
}

/// The most energy that surfaces and loads can put in during the bounces that were left out, by
/// impulses of all contacts that are closed at the end.
double RunCheck::eval_brought(const Event& event) {
  const VecQ change = event.after.v - event.before.v;
  const double duration = event.after.time - event.before.time;
  // Evaluated half-way with the mean velocity, because no state of the bounces is known. The work
  // of loads is then exact to the square of the time left out.
  State middle{0.5 * (event.before.time + event.after.time), 0.5 * (event.before.q + event.after.q),
               event.after.v};
  if (duration > 0.0) middle.v = (event.after.q - event.before.q) / duration;
  Placed at;
  mechanism_.place(middle, change.data(), duration, at);
  std::vector<int> closed;
  std::vector<ImpulseLimits> limits;
  for (int j = 0; j < model_.contact_count(); ++j) {
    const auto k = static_cast<std::size_t>(j);
    const ContactMode before = event.modes_before[k];
    const ContactMode after = event.modes_after[k];
    const bool bounced = std::count(event.contacts.begin(), event.contacts.end(), j) > 0;
    if (!bounced && !is_closed(after)) continue;
    const Contact& contact = model_.contacts[k];
    const bool slides = before == after && is_sliding(after) && contact.mu > 0.0;
    closed.push_back(j);
    limits.push_back({slides ? contact.mu : contact.mu_s, slides ? eval_slip_sign(after) : 0,
                      contact.bilateral, at.contacts[k].surface_speed});
  }
  return duration * at.load_power +
         find_most_work(make_impulse_system(at, model_.size(), closed), limits);
}

}  // namespace slipstick::check
