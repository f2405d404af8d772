#include "slipstick/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/sim/check/run_check.h"
#include "slipstick/sim/check/step_work.h"
#include "slipstick/simulate.h"
#include "slipstick/why.h"

namespace slipstick {
namespace check {

RunCheck::RunCheck(const Model& model, const SimulationOptions& options)
    : model_(model),
      options_(options),
      is_below_(model.contacts.size(), false),
      did_exist_(model.contacts.size(), true),
      tolerances_(make_tolerances(options.tolerance)),
      mechanism_(model),
      findings_(verdict_.check) {
  length_ = mechanism_.find_size();
}

const Placed& RunCheck::place(const State& state) {
  mechanism_.place(state, zeros_.data(), 0.0, placed_);
  return placed_;
}

/// The length scale for bodies that are points: the length of their path.
double RunCheck::find_way() {
  double out = 0.0;
  const auto see = [&](const State& state) {
    const Placed& placed = place(state);
    for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
      out = std::max(out, std::abs(placed.contacts[i].gap));
    }
    for (int i = 0; i < model_.size(); ++i) {
      if (!mechanism_.is_angle(i)) out = std::max(out, std::abs(state.q[i] - run_->state.q[i]));
    }
  };
  for (const Event& event : run_->events) see(event.before);
  for (const Segment& step : run_->trajectory->segments) {
    see(eval_state(step.polynomial, model_.size(), 0.0));
  }
  // The path of bodies that nothing moves is rounding error, not a length.
  const double lasts = run_->end.time - *start_;
  const double duration = lasts > 0.0 ? lasts : options_.until - *start_;
  const double falls = 0.5 * model_.gravity.norm() * duration * duration;
  if (out > kOfFall * falls) return out;
  return falls > 0.0 ? falls : 1.0;
}

double RunCheck::eval_speed_scale(const Placed& placed, const VecQ& v) const {
  double out = 0.0;
  for (int i = 0; i < model_.size(); ++i) {
    out += placed.root[static_cast<std::size_t>(i)] * std::abs(v[i]);
  }
  return out;
}

/// Momentum at natural speeds: those that gravity gives over the bodies' lengths, or without
/// gravity a length in the duration of the run.
double RunCheck::eval_natural_scale(const Placed& placed) const {
  const double g = model_.gravity.norm();
  const double rate = g > 0.0 ? std::sqrt(g / length_) : 1.0 / (options_.until - *start_);
  VecQ v(model_.size());
  for (int i = 0; i < model_.size(); ++i) v[i] = rate * (mechanism_.is_angle(i) ? 1.0 : length_);
  return eval_speed_scale(placed, v);
}

/// True if a contact must not be below its surface. A contact that begins to exist below its
/// surface acts once it has come out. Must be called in the order of time.
bool RunCheck::is_guarded(std::size_t contact, const ContactMotion& at) {
  if (at.gap >= 0.0) is_below_[contact] = false;
  if (at.exists && !did_exist_[contact] && at.gap < 0.0) is_below_[contact] = true;
  did_exist_[contact] = at.exists;
  return at.exists && !is_below_[contact];
}

double RunCheck::allowed_gap(const ContactMotion& contact, double tolerance) const {
  return tolerance + kOfReach * contact.reach / length_;
}

void RunCheck::note_energy(const Placed& placed) {
  if (!first_kinetic_) {
    first_kinetic_ = placed.kinetic;
    first_potential_ = least_potential_ = largest_potential_ = placed.potential;
  }
  last_kinetic_ = placed.kinetic;
  last_potential_ = placed.potential;
  largest_kinetic_ = std::max(largest_kinetic_, placed.kinetic);
  least_potential_ = std::min(least_potential_, placed.potential);
  largest_potential_ = std::max(largest_potential_, placed.potential);
}

void RunCheck::note_run(const Run& run) {
  run_ = &run;
  if (start_) return;
  const Trajectory& trajectory = run.trajectory;
  start_ = run.state.time;
  if (!run.events.empty()) start_ = run.events.front().before.time;
  if (!trajectory.empty()) start_ = std::min(*start_, trajectory->segments.front().from);
}

RunVerdict RunCheck::check(const Run& run) {
  note_run(run);
  if (!knows_length()) length_ = find_way();
  return finish(run);
}

/// All steps so far. What happened after them may not have ended.
void RunCheck::walk(const Run& run) {
  note_run(run);
  const Trajectory& trajectory = run.trajectory;
  if (mode_ != nullptr) mode_ = &trajectory->modes[mode_index_];  // the list may have moved
  for (; next_mode_ < trajectory->modes.size(); ++next_mode_) {
    if (first_of_mode_) walk_events(trajectory->events[next_mode_]);
    walk_steps();
    const bool goes_on = next_mode_ + 1 == trajectory->modes.size();
    if (goes_on) break;
    first_of_mode_ = true;
  }
}

RunVerdict RunCheck::finish(const Run& run) {
  walk(run);
  walk_events(run.events.size());
  compare_end();
  if (!run.trajectory->modes.empty() || run.events.empty()) balance_energy();
  return verdict_;
}

void RunCheck::start_mode(const State& start) {
  if (current_) check_jump(*current_, start, nullptr);
  const Placed& placed = place(start);
  note_energy(placed);
  modes_.resize(next_mode_);  // modes without a step
  modes_.push_back(make_balance(verdict_.balance, placed.kinetic, placed.potential));
}

/// Those of the mode.
void RunCheck::walk_steps() {
  const Trajectory& trajectory = run_->trajectory;
  for (; next_step_ < trajectory->segments.size() &&
         trajectory->segments[next_step_].mode == next_mode_;
       ++next_step_) {
    const Segment& step = trajectory->segments[next_step_];
    mode_index_ = next_mode_;
    mode_ = &trajectory->modes[mode_index_];
    if (first_of_mode_) start_mode(eval_state(step.polynomial, model_.size(), 0.0));
    const Balance work = verdict_.balance;
    check_step(step, !first_of_mode_);
    balance_quiet_events(step, work);
    first_of_mode_ = false;
    current_ = nodes_.back().state;
  }
}

/// Events `paradox` (changes of minors of P) come while a mode goes on, and change nothing.
void RunCheck::walk_events(std::size_t end) {
  const bool is_whole = !run_->trajectory->modes.empty();
  for (; next_event_ < end; ++next_event_) {
    const Event& event = run_->events[next_event_];
    if (event.type == EventType::kParadox) continue;
    events_.resize(next_event_);
    if (current_ && is_whole) {
      check_jump(*current_, event.before, mode_, has_note(event, "too slow to follow"));
    }
    mode_ = nullptr;
    check_event(event);
    events_.push_back(make_balance(verdict_.balance, last_kinetic_, last_potential_));
    current_ = event.after;
  }
}

/// The balances at events within the step that end no mode.
void RunCheck::balance_quiet_events(const Segment& step, const Balance& start) {
  next_quiet_ = std::max(next_quiet_, next_event_);
  for (; next_quiet_ < run_->events.size(); ++next_quiet_) {
    const Event& event = run_->events[next_quiet_];
    if (event.type != EventType::kParadox || event.time > step.to) break;
    Balance work = start;
    add_step_work(mechanism_, *mode_, step, find_theta(step, model_.size(), event.time), work);
    const Placed& placed = place(event.before);
    events_.resize(next_quiet_);
    events_.push_back(make_balance(work, placed.kinetic, placed.potential));
  }
}

/// The balance from the start until now.
Balance RunCheck::make_balance(Balance work, double kinetic, double potential) const {
  work.kinetic = kinetic - *first_kinetic_;
  work.potential = potential - *first_potential_ - renamed_;
  work.error = work.kinetic + work.potential -
               (work.loads + work.surfaces + work.impacts + work.friction + work.damping);
  return work;
}

void RunCheck::compare_end() {
  if (current_ && !run_->trajectory->modes.empty()) check_jump(*current_, run_->state, mode_);
  note_energy(place(run_->state));
}

void RunCheck::balance_energy() {
  Balance& out = verdict_.balance;
  out = make_balance(out, last_kinetic_, last_potential_);
  const double rounding =
      kOfSum * std::max(std::abs(least_potential_), std::abs(largest_potential_)) +
      work_of_rounding_ + work_of_balance_;
  // If hardly anything moves, the energy of natural speeds is the only scale.
  const double slow = tolerances_.slow * eval_natural_scale(placed_);
  const double scale =
      largest_kinetic_ + (largest_potential_ - least_potential_) + turnover_ + 0.5 * slow * slow;
  if (scale == 0.0) return;
  findings_.note("energy balance", -1, run_->state.time,
                 std::max(0.0, std::abs(out.error) - rounding) / scale, tolerances_.energy,
                 &Check::Worst::energy);
}

}  // namespace check

RunVerdict check_run(const Model& model, const SimulationOptions& options, const Run& run) {
  return check::RunCheck(model, options).check(run);
}

namespace {

/// Adds what happened before a run began to what happened since.
Balance add(const Balance& before, Balance since) {
  for (double Balance::*part :
       {&Balance::kinetic, &Balance::potential, &Balance::loads, &Balance::surfaces,
        &Balance::impacts, &Balance::friction, &Balance::damping, &Balance::error}) {
    since.*part += before.*part;
  }
  return since;
}

/// Writes the balances so far into the events and the trajectory.
void tell_balances(check::RunCheck& check, const Balance& before, Run& run) {
  std::vector<std::optional<Balance>> events = check.take_events();
  events.resize(run.events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i]) run.events[i].balance = add(before, *events[i]);
  }
  if (run.trajectory.empty()) return;
  std::vector<Balance> modes = check.take_modes();
  for (Balance& mode : modes) mode = add(before, mode);
  run.trajectory->balances = std::move(modes);
}

/// A run that breaks a law ends as a failure.
void judge(const Model& model, RunVerdict verdict, Run& run) {
  run.verdict = std::move(verdict);
  if (run.verdict->check.passed || run.end.reason == EndReason::kFailure) return;
  run.end.reason = EndReason::kFailure;
  run.end.why = {WhyCode::kBrokenLaw,
                 describe_violation(model, run.verdict->check.violations.front())};
}

/// Calls `see` with the check of each run and its verdict, and tells the balances.
template <class See>
void check_runs(const Model& model, const SimulationOptions& options, RunTree& tree,
                const See& see) {
  std::vector<Balance> ends;  // of each run, from the start of the first
  for (BranchRun& branch : tree.runs) {
    check::RunCheck check(model, options);
    RunVerdict verdict = check.check(branch.run);
    const Balance before =
        branch.parent >= 0 ? ends[static_cast<std::size_t>(branch.parent)] : Balance{};
    ends.push_back(add(before, verdict.balance));
    tell_balances(check, before, branch.run);
    see(std::move(verdict), branch.run);
  }
}

}  // namespace

void check_tree(const Model& model, const SimulationOptions& options, RunTree& tree) {
  check_runs(model, options, tree,
             [&](RunVerdict verdict, Run& run) { judge(model, std::move(verdict), run); });
}

void balance_tree(const Model& model, const SimulationOptions& options, RunTree& tree) {
  check_runs(model, options, tree, [](const RunVerdict&, const Run&) {});
}

Run simulate_and_check(const Model& model, const State& initial, SimulationOptions options) {
  check::RunCheck check(model, options);
  if (check.knows_length()) {
    options.review = [&](Run& run) {
      check.walk(run);
      check.forget_steps();
      run.trajectory->segments.clear();
    };
  }
  options.keep_trajectory = true;
  Run out = simulate(model, initial, options);
  RunVerdict verdict = check.knows_length() ? check.finish(out) : check.check(out);
  out.trajectory = {};
  tell_balances(check, {}, out);
  judge(model, std::move(verdict), out);
  return out;
}

RunVerdict join_verdicts(const RunVerdict& first, const RunVerdict& second) {
  RunVerdict out = first;
  Check& check = out.check;
  check.passed = first.check.passed && second.check.passed;
  for (double Check::Worst::*part :
       {&Check::Worst::gap, &Check::Worst::normal_force, &Check::Worst::cone, &Check::Worst::energy,
        &Check::Worst::momentum}) {
    check.worst.*part = std::max(check.worst.*part, second.check.worst.*part);
  }
  check.violations.insert(check.violations.end(), second.check.violations.begin(),
                          second.check.violations.end());
  out.balance = add(first.balance, second.balance);
  return out;
}

std::string describe_check(const Model& model, const Check& check) {
  if (!check.passed) return "check: failed: " + describe_violation(model, check.violations.front());
  return fmt::format(
      "check: passed, largest gap error {:.1e} of the bodies' size, energy error {:.1e}, of the "
      "equations of motion {:.1e}",
      check.worst.gap, check.worst.energy, check.worst.momentum);
}

std::string describe_balance(const Balance& balance) {
  return fmt::format(
      "balance [J]: kinetic {:+.6g}, potential {:+.6g}; work of loads {:+.6g}, surfaces {:+.6g}, "
      "impacts {:+.6g}, friction {:+.6g}, damping {:+.6g}; error {:.1e}",
      balance.kinetic, balance.potential, balance.loads, balance.surfaces, balance.impacts,
      balance.friction, balance.damping, balance.error);
}

std::string describe_violation(const Model& model, const Violation& violation) {
  const std::string where =
      violation.contact < 0
          ? std::string("the mechanism")
          : "contact '" + model.contacts[static_cast<std::size_t>(violation.contact)].name + "'";
  return fmt::format(
      "the check found that {} breaks the law of '{}' at t = {:.9g} s, by {:.3g} of "
      "its scale",
      where, violation.law, violation.time, violation.size);
}

}  // namespace slipstick
