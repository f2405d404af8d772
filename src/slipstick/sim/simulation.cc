#include "slipstick/sim/simulation.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/model/relabel.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/continuation.h"

namespace slipstick {
namespace {

/// The event that a change of one contact's letter is.
EventType find_change(char before, char after) {
  if (after == 'F') return EventType::kLiftoff;
  if (before == 'F') return EventType::kTouchdown;
  if (after == 'S') return EventType::kStick;
  return before == 'S' ? EventType::kSlip : EventType::kSlipReversal;
}

/// What is at rest at the end of an accumulation, of lengths and speeds: its limit is extrapolated.
constexpr double kNear = 1e-6;
/// What lies at its surface without having collided: ten digits, as for closed contacts.
constexpr double kThere = 1e-10;
/// Part of the motion's speed below which, times the tolerance, a gap rate or slip is rounding.
constexpr double kOfSpeed = 1e-5;

constexpr const char* kEndedRebound = "a rebound too slow to follow was ended";

/// The same contacts are closed, whatever they do.
bool closes_same(const ModeWord& a, const ModeWord& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x == 'F') == (y == 'F'); });
}

}  // namespace

Simulation::Simulation(const Model& model, State initial, const SimulationOptions& options)
    : model_(model),
      options_(options),
      scale_(make_coordinate_scale(model)),
      state_(std::move(initial)),
      contacts_(model) {
  run_.trajectory.coordinate_count = model.size();
  moved_ = eval_speeds();
  fastest_ = eval_rates();
  pace_.note_event(state_.time);
  find_stop();
  if (stop_ && stop_->before == state_.time) {  // formulas that hold at one instant only
    state_.time = stop_->after;
    find_stop();
  }
}

void Simulation::find_stop() {
  stop_.reset();
  if (!model_.depends_on_time) return;
  // One at the end of the run, too: steps look a rounding beyond it.
  constexpr double kRounding = 1e-14;  // of the end, some roundings of a time
  stop_ = find_time_stop(model_, state_.time, options_.until + kRounding * options_.until);
  if (stop_ && !(stop_->before <= options_.until)) stop_.reset();
}

void Simulation::start() {
  const ContactKinematics kinematics = eval_contact_kinematics(model_, state_);
  const ContactProblem problem = make_contact_problem(model_, state_, kinematics, tolerances_);
  std::vector<int> colliding;
  for (int i = 0; i < model_.contact_count(); ++i) {
    const ContactStatus status = problem.status[static_cast<std::size_t>(i)];
    if (status == ContactStatus::kColliding) colliding.push_back(i);
    // At zero gap and opening: as after a rebound.
    const Contact& contact = model_.contacts[static_cast<std::size_t>(i)];
    const double zero = tolerances_.closure * contact.length + contact.blur;
    const bool at_zero = std::abs(kinematics.gap[i]) <= zero;
    if (status == ContactStatus::kOpen && at_zero) contacts_.open(i, 1);
  }
  for (const ClosedContact& contact : problem.closed) {
    contacts_.close(contact.index, contact.slip_sign);
  }
  const Cause cause{contacts_.make_word()};
  if (colliding.empty()) {
    resolve(cause);
  } else {
    collide(colliding, cause.before);
  }
}

void Simulation::go_on() {
  const TellMinor tell_minor = [this](const MinorChange& change) {
    return this->tell_minor(change);
  };
  while (!ended_) {
    if (!(state_.time < find_last_time(options_.until))) {
      state_.time = options_.until;
      finish(EndReason::kTime);
      break;
    }
    if (stop_ && !(state_.time < find_last_time(stop_->before))) {
      state_.time = std::max(state_.time, stop_->after);
      pass_stop();
      continue;
    }
    const ModeStart start{state_, opening_, std::exchange(forces_, std::nullopt), stop_};
    const ModeEnd end = integrate_mode(model_, mode_, start, options_, tell_minor, pace_, run_);
    state_ = end.state;
    note_motion(start.state);
    handle_end(end);
    if (!pace_.is_advancing(state_.time, fastest_.maxCoeff()))
      finish(EndReason::kFailure, Pace::kStands);
    if (options_.keep_going && !options_.keep_going(state_.time)) finish(EndReason::kInterrupted);
  }
}

Run Simulation::take_run() {
  run_.state = state_;
  earlier_events_ += static_cast<int>(run_.events.size());
  Run out = std::move(run_);
  run_ = {};
  run_.trajectory.coordinate_count = model_.size();
  return out;
}

// --- what a mode's end means ---

void Simulation::handle_end(const ModeEnd& end) {
  contacts_.forget_leaving();
  switch (end.type) {
    case ModeEndType::kTime:
      return finish(EndReason::kTime);
    case ModeEndType::kInterrupted:
      return finish(EndReason::kInterrupted);
    case ModeEndType::kFailure:
      return finish(EndReason::kFailure, end.detail);
    case ModeEndType::kMinor:
      return;  // the event that was told there ended the run
    case ModeEndType::kGuards:
      return handle_guards(end);
    case ModeEndType::kJam:
      return handle_jam(end);
    case ModeEndType::kLocked:
      return handle_lock(end);
    case ModeEndType::kPassage:
      return handle_passage(end);
    case ModeEndType::kSeparation:
      return handle_separation();
  }
}

void Simulation::handle_guards(const ModeEnd& end) {
  const bool stops = std::any_of(end.guards.begin(), end.guards.end(),
                                 [](const Guard& guard) { return guard.type == GuardType::kTime; });
  const bool is_over = !(state_.time < find_last_time(options_.until));
  if (stops && end.guards.size() == 1) return is_over ? void() : pass_stop();
  // What else happens then is for the formulas that held until then; they change just after it.
  if (stops && stop_) state_.time = stop_->before;
  Fired fired = read_guards(end.guards);
  stop(fired.touching, fired.stopping);
  for (const int i : begin_contacts(fired.beginning)) fired.colliding.push_back(i);
  if (ended_) return;
  const std::size_t next = run_.events.size();
  constexpr double kUnseen = 1e-6;  // a flight that is not above the rounding of its gap
  const bool told = fired.leaves && end_bounces(kUnseen);
  const auto tell = [&] {
    if (told && next < run_.events.size()) run_.events[next].notes.emplace_back(kEndedRebound);
  };
  const Mode ended = mode_;
  if (!fired.colliding.empty()) {
    for (const int i : list_rebounding()) {
      if (std::count(fired.colliding.begin(), fired.colliding.end(), i) == 0)
        fired.colliding.push_back(i);
    }
    collide(fired.colliding, ended.word);
    return tell();
  }
  resolve({ended.word, fired.force_vanished ? &ended : nullptr, true});
  tell();
  // Contacts that only stick or slip in another way do not disturb the bounces of others.
  if (!closes_same(ended.word, mode_.word)) impacts_.clear();
}

/// Contacts that leave their surfaces or cease to exist are opened.
Simulation::Fired Simulation::read_guards(const std::vector<Guard>& guards) {
  Fired out;
  const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
  // What closes at the rounding of the motion touches; its impulse would be rounding, too.
  constexpr double kRounding = 1e-2;  // times the tolerance
  const VecQ rates = eval_rates();
  for (const Guard& guard : guards) {
    const int contact = guard.contact;
    switch (guard.type) {
      case GuardType::kSlip:
        out.stopping.push_back(contact);
        break;
      case GuardType::kGap: {
        const int sign = find_gap_rate_sign(contacts, state_, contact,
                                            kRounding * find_speed(contact, rates), tolerances_);
        if (sign < 0) out.colliding.push_back(contact);
        if (sign == 0) out.touching.push_back(contact);
        // It has just left the surface, by less than the rounding of its gap.
        if (sign > 0) contacts_.open(contact, 1);
        out.leaves |= sign > 0;
        break;
      }
      case GuardType::kActive:
        contacts_.open(contact, 0);
        break;
      case GuardType::kBegins:
        out.beginning.push_back(contact);
        break;
      case GuardType::kTime:
        break;
      default:
        out.force_vanished = true;
    }
  }
  // What ceased to exist in this instant does not stick.
  out.stopping.erase(std::remove_if(out.stopping.begin(), out.stopping.end(),
                                    [&](int i) { return contacts_.find(i) == nullptr; }),
                     out.stopping.end());
  return out;
}

/// Formulas of time have changed: contacts may have ceased to exist, surfaces may have another
/// speed at once, and the mode goes on if it is admissible still.
void Simulation::pass_stop() {
  const ContactKinematics now = eval_contact_kinematics(model_, state_);
  State earlier = state_;
  earlier.time = stop_ ? stop_->before : state_.time;
  const ContactKinematics before = eval_contact_kinematics(model_, earlier);
  constexpr double kRounding =
      1e-12;  // of the slips: a speed that is continuous, read a little later
  const auto has_jumped = [&](int i) {
    return std::abs(now.slip[i] - before.slip[i]) >
           kRounding * (std::abs(now.slip[i]) + std::abs(before.slip[i]) + find_speed(i, fastest_));
  };
  for (const int i : contacts_.list()) {
    if (!eval_is_active(model_, i, state_)) {
      contacts_.open(i, 0);
    } else if (has_jumped(i)) {
      contacts_.close(i, find_slip_sign(now, state_, i, find_speed(i, fastest_), tolerances_));
    }
  }
  find_stop();
  const Mode ended = mode_;
  const Cause cause{ended.word, nullptr, true};
  PerContact<int> beginning;
  for (int i = 0; i < model_.contact_count(); ++i) {
    if (!eval_is_active(model_, i, earlier) && eval_is_active(model_, i, state_)) {
      beginning.push_back(i);
    }
  }
  const std::vector<int> colliding = begin_contacts(beginning);
  if (ended_) return;
  if (!colliding.empty()) return collide(colliding, ended.word);
  const ModeList modes = list_continuations(state_, cause);
  const auto same = std::find_if(modes.begin(), modes.end(), [&](const ModeSolution& mode) {
    return mode.modes == ended.word;
  });
  if (same != modes.end()) return adopt(*same, cause);
  resolve(cause);
  if (!closes_same(ended.word, mode_.word)) impacts_.clear();
}

/// Contacts that begin to exist: those at their surfaces close. Returns those that collide.
std::vector<int> Simulation::begin_contacts(const PerContact<int>& beginning) {
  std::vector<int> colliding;
  if (beginning.empty()) return colliding;
  const ContactKinematics now = eval_contact_kinematics(model_, state_);
  const ContactProblem problem = make_contact_problem(model_, state_, now, tolerances_);
  for (const int i : beginning) {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(i)];
    if (now.gap[i] < -(tolerances_.closure * contact.length + contact.blur)) {
      finish(EndReason::kFailure, "contact '" + model_.contact_names[static_cast<std::size_t>(i)] +
                                      "' begins to exist below its surface");
    }
    const ContactStatus status = problem.status[static_cast<std::size_t>(i)];
    if (status == ContactStatus::kColliding) colliding.push_back(i);
    for (const ClosedContact& contact : problem.closed) {
      if (contact.index == i) contacts_.close(i, contact.slip_sign);
    }
  }
  return colliding;
}

/// Contacts that have left the surface in this very instant and are there still: an impact of
/// others is theirs, too. Two contacts that collide in turns with gaps that shrink much faster than
/// their velocities would else do so without end.
PerContact<int> Simulation::list_rebounding() const {
  PerContact<int> out;
  if ((state_.time - last_decision_) * eval_rate() > kTogether) return out;
  for (int i = 0; i < model_.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (mode_.word[k] == 'F' && opening_[k] == 1) out.push_back(i);
  }
  return out;
}

/// Touching contacts close without an impulse; slips that ended are zero, also those that ended
/// with another's: two feet of one body.
void Simulation::stop(const PerContact<int>& touching, const PerContact<int>& stopping) {
  if (touching.empty() && stopping.empty()) return;
  stop_velocities(model_, as_span(touching), as_span(stopping), state_);
  for (const int i : stopping) contacts_.close(i, 0.0);
  const ContactSet earlier = contacts_;
  for (const int i : touching) contacts_.close(i, 1.0);
  // Together they may leave no motion at all, of which rounding would keep a slip.
  if (!hold_rounding(contacts_) && !touching.empty()) hold(earlier);
  read_slips();
}

/// Holds the contacts if that takes no more than rounding off the velocities. Where a gap only
/// touches zero, holding all contacts would stop what they do not hold.
bool Simulation::hold_rounding(const ContactSet& contacts) {
  const VecQ moving = state_.v;
  hold(contacts);
  constexpr double kSmall = 1e-8;  // far above the gap rate of a touch, far below a motion
  const VecQ change = (state_.v - moving).cwiseAbs().cwiseQuotient(scale_);
  const bool is_small = (change.array() <= kSmall * fastest_.array()).all();
  if (!is_small) state_.v = moving;
  return is_small;
}

/// Takes the velocities off the closed contacts' surfaces, and the slips of those that stick.
void Simulation::hold(const ContactSet& contacts) {
  PerContact<int> sticking;
  for (const ClosedContact& contact : contacts.closed()) {
    if (contact.slip_sign == 0 && contact.mu_s > 0.0) sticking.push_back(contact.index);
  }
  const PerContact<int> closed = contacts.list();
  stop_velocities(model_, as_span(closed), as_span(sticking), state_);
}

/// The signs of slips that a correction of the velocities may have changed. What rounding has left
/// of a slip is none.
void Simulation::read_slips() {
  const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
  const PerContact<ClosedContact> closed = contacts_.closed();
  bool stops = false;
  for (const ClosedContact& contact : closed) {
    if (contact.slip_sign == 0) continue;
    const double speed = find_speed(contact.index, fastest_);
    const int sign = find_slip_sign(contacts, state_, contact.index, speed, tolerances_);
    contacts_.close(contact.index, sign);
    stops |= sign == 0 && contacts.slip[contact.index] != 0.0;
  }
  if (stops) hold_rounding(contacts_);
}

// --- the next mode ---

void Simulation::resolve(const Cause& cause) {
  if (ended_) return;
  if (state_.time != last_decision_) decisions_ = 0;
  last_decision_ = state_.time;
  constexpr int kMostDecisions = 100;  // at one time: more is a circle
  if (++decisions_ > kMostDecisions) {
    return finish(EndReason::kFailure, "more than a hundred mode changes at one time");
  }
  close_touching();
  ModeList modes = list_continuations(state_, cause);
  if (modes.empty() && model_.depends_on_time) modes = look_later(cause);
  if (modes.empty() && has_force_surely()) modes = look_closer(cause);
  switch (find_class(modes)) {
    case ContactClass::kConsistent:
      return adopt(modes[0], cause);
    case ContactClass::kInconsistent:
      return handle_inconsistent(cause.before);
    case ContactClass::kIndeterminate:
      return handle_indeterminate(modes, cause);
  }
}

/// Open contacts that are at their surfaces and neither leave nor fall: whether they open is for
/// the forces to decide. They opened just before, or came there with others.
void Simulation::close_touching() {
  const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
  const VecQ rates = eval_rates();
  bool closes = false;
  for (int i = 0; i < model_.contact_count(); ++i) {
    if (contacts_.find(i) != nullptr || contacts_.leaving(i) > 1) continue;
    const Contact& contact = model_.contacts[static_cast<std::size_t>(i)];
    if (!(std::abs(contacts.gap[i]) <= tolerances_.closure * contact.length + contact.blur)) {
      continue;
    }
    if (!eval_is_active(model_, i, state_)) continue;
    const double speed = kOfSpeed * find_speed(i, rates);
    if (find_gap_rate_sign(contacts, state_, i, speed, tolerances_) != 0) continue;
    contacts_.close(i, 1.0);
    closes = true;
  }
  if (!closes) return;
  hold(contacts_);
  read_slips();
}

ModeList Simulation::list_continuations(const State& state, const Cause& cause) const {
  return find_continuations(model_, state, contacts_.closed(), cause.ended, fastest_, tolerances_);
}

/// Where a load or a surface's speed jumps or bends in time, rounding leaves the event a little
/// before it: the first time after it at which there is a mode. Without one nothing changes.
ModeList Simulation::look_later(const Cause& cause) {
  constexpr double kFarthest = 1e-9;
  const double rate = fastest_.maxCoeff();
  const double own = rate > 0.0 ? 1.0 / rate : options_.until;
  for (double part = 1e-15; part < kFarthest; part *= 10.0) {
    State later = state_;
    later.time += part * std::max(std::abs(state_.time), own);
    ModeList modes = list_continuations(later, cause);
    if (modes.empty()) continue;
    state_ = std::move(later);
    return modes;
  }
  return {};
}

/// Where a mode surely exists and none was found, one misses its laws by more than usual rounding:
/// the force on a light foot is a small difference of a stiff spring's.
ModeList Simulation::look_closer(const Cause& cause) const {
  constexpr double kLoosest = 1e-5;  // of the terms of a law: beyond it something else is wrong
  Tolerances loose = tolerances_;
  while ((loose.marginal *= 10.0) <= kLoosest) {
    ModeList modes =
        find_continuations(model_, state_, contacts_.closed(), cause.ended, fastest_, loose);
    if (!modes.empty()) return modes;
  }
  return {};
}

/// Contacts that rest, are about to slide, and have no friction yet, have the letter of their slip,
/// not that of sticking: those without friction, and those in a dead centre, whose friction does
/// not act on the motion. Gives the orders of the zeros of these slips.
PerContact<int> Simulation::name_slow_starts(ModeSolution& solution) const {
  PerContact<int> out(model_.contacts.size(), 0);
  for (const ContactMode& contact : mode_.closed) {
    const ClosedContact* closed = contacts_.find(contact.contact);
    const bool rests = closed != nullptr && closed->slip_sign == 0;
    if (contact.letter != 'S' || !rests) continue;
    if (contact.has_friction && !(mode_.redundant && is_in_dead_centre(contact.contact))) continue;
    const auto i = static_cast<std::size_t>(contact.contact);
    ModeSolution sliding = solution;
    if (contact.has_friction) sliding.modes[i] = 'P';
    const double latest = stop_ ? stop_->before : options_.until;
    const SlowStart start = find_slow_start(model_, make_mode(model_, state_, sliding), state_,
                                            contact.contact, latest);
    if (start.sign == 0) continue;
    solution.modes[i] = start.sign > 0 ? 'P' : 'N';
    out[i] = start.order;
  }
  return out;
}

/// The closed contacts let no motion take the contact along its surface, to first order: W_t is a
/// combination of their W_n, or zero.
bool Simulation::is_in_dead_centre(int contact) const {
  constexpr double kRounding = 1e-10;  // of the contact's own motions; W_t has 1e-16
  const ContactKinematics at = eval_contact_kinematics(model_, state_);
  const PerContact<int> closed = contacts_.list();
  Eigen::MatrixXd normals(model_.size(), static_cast<Eigen::Index>(closed.size()));
  for (std::size_t i = 0; i < closed.size(); ++i) {
    normals.col(static_cast<Eigen::Index>(i)) = scale_.cwiseProduct(at.W_n.col(closed[i]));
  }
  const Eigen::VectorXd along = scale_.cwiseProduct(at.W_t.col(contact));
  const Eigen::VectorXd left = along - normals * normals.colPivHouseholderQr().solve(along);
  return left.norm() <= kRounding * (along.norm() + normals.norm());
}

void Simulation::adopt(const ModeSolution& solution, const Cause& cause) {
  ModeSolution named = solution;
  mode_ = make_mode(model_, state_, named);
  PerContact<int> orders = name_slow_starts(named);
  if (named.modes != mode_.word) mode_ = make_mode(model_, state_, named);
  if (cause.tells_changes) tell_changes(cause.before, mode_.word);
  opening_ = find_openings(model_, state_, named, contacts_);
  for (std::size_t i = 0; i < orders.size(); ++i) opening_[i] = std::max(opening_[i], orders[i]);
  for (int i = 0; i < model_.contact_count(); ++i) {
    const char letter = mode_.word[static_cast<std::size_t>(i)];
    if (letter == 'F') {
      contacts_.open(i, 0);
    } else {
      contacts_.close(i, letter == 'S' ? 0.0 : (letter == 'P' ? 1.0 : -1.0));
    }
  }
  acceleration_ = solution.acceleration;
  fastest_ = fastest_.cwiseMax(eval_rates())
                 .cwiseMax(spread_over_groups(
                     model_, solution.acceleration.cwiseAbs().cwiseQuotient(scale_).cwiseSqrt()));
  if (!is_at_rest(solution)) return;
  const State before = state_;
  state_.v.setZero();
  Event rest = make_event(EventType::kRest, mode_.indices, mode_.word, mode_.word);
  rest.before = before;
  push(std::move(rest));
  finish(EndReason::kRest);
}

/// A load, or the surface of a closed contact, may do something else later.
bool Simulation::may_wake() const {
  if (!model_.depends_on_time) return false;
  const auto is_driven = [&](int i) {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(i)];
    return model_.surfaces[static_cast<std::size_t>(contact.surface)].speed.uses("t");
  };
  const PerContact<int> closed = contacts_.list();
  return do_loads_depend_on_time(model_) || std::any_of(closed.begin(), closed.end(), is_driven);
}

/// Nothing moves, and nothing will. What is small is so beside the body's own motion just before,
/// and beside the forces that balance.
bool Simulation::is_at_rest(const ModeSolution& solution) const {
  if (!solution.family.acceleration_is_unique || may_wake()) return false;
  constexpr double kStill = 1e-9;
  // What came to rest earlier keeps a rounding of the speeds it had.
  constexpr double kRounding = 1e-14;
  const VecQ small =
      (kStill * moved_)
          .cwiseMax(kRounding *
                    (model_.gravity.norm() * model_.lengths.cwiseInverse()).cwiseSqrt());
  if ((eval_speeds().array() > small.array()).any()) return false;
  const ContactDynamics dynamics = eval_contact_dynamics(model_, state_, as_span(mode_.indices));
  VecQ terms = dynamics.free_acceleration.cwiseAbs();
  for (std::size_t i = 0; i < mode_.indices.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(2 * i);
    terms +=
        dynamics.M_inverse_W.col(column).cwiseAbs() * std::abs(solution.force_n[mode_.indices[i]]);
    terms += dynamics.M_inverse_W.col(column + 1).cwiseAbs() *
             std::abs(solution.force_t[mode_.indices[i]]);
  }
  const VecQ push =
      spread_over_groups(model_, solution.acceleration.cwiseAbs().cwiseQuotient(scale_));
  VecQ balance = spread_over_groups(model_, terms.cwiseQuotient(scale_));
  // Of light parts the terms may be anything; gravity says what is an acceleration.
  constexpr double kMost = 1e3;  // times gravity: stiffer balances than any weight needs
  const double g = model_.gravity.norm();
  if (model_.has_light_parts && g > 0.0)
    balance = balance.cwiseMin(kMost * g * model_.lengths.cwiseInverse());
  // What the contacts do not hold starts to move under any force, however small beside the weight.
  constexpr double kFree = 1e-13;  // of the terms: their rounding
  const double small_push = is_held() ? kStill : kFree;
  return (push.array() <= small_push * balance.array()).all();
}

/// The closed contacts leave no motion to first order.
bool Simulation::is_held() const {
  const ContactKinematics at = eval_contact_kinematics(model_, state_);
  Eigen::MatrixXd directions(model_.size(), 0);
  const auto add = [&](const auto& direction) {
    directions.conservativeResize(Eigen::NoChange, directions.cols() + 1);
    directions.rightCols(1) = scale_.cwiseProduct(direction);
  };
  for (const ContactMode& contact : mode_.closed) {
    add(at.W_n.col(contact.contact));
    if (contact.sticks()) add(at.W_t.col(contact.contact));
  }
  if (directions.cols() < model_.size()) return false;
  constexpr double kDependent = 1e-10;  // of the largest direction; rounding leaves 1e-16
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(directions);
  return solver.setThreshold(kDependent).rank() == model_.size();
}

/// Per coordinate how fast its tree of bodies moves [1/s].
VecQ Simulation::eval_speeds() const {
  return spread_over_groups(model_, state_.v.cwiseAbs().cwiseQuotient(scale_));
}

/// The same, at least what gravity makes of it.
VecQ Simulation::eval_rates() const {
  const double g = model_.gravity.norm();
  return eval_speeds().cwiseMax((g * model_.lengths.cwiseInverse()).cwiseSqrt());
}

/// Of the motion now [1/s]; near a jam the largest so far may be anything.
double Simulation::eval_rate() const { return eval_rates().maxCoeff(); }

/// Speed of a contact by rates per coordinate [m/s].
double Simulation::find_speed(int contact, const VecQ& rates) const {
  const Contact& c = model_.contacts[static_cast<std::size_t>(contact)];
  return c.group >= 0 ? c.length * rates[c.group] : 0.0;
}

/// The rates of the mode that has just ended: what was faster before it says nothing any more.
void Simulation::note_motion(const State& start) {
  const VecQ before = spread_over_groups(model_, start.v.cwiseAbs().cwiseQuotient(scale_));
  if (acceleration_.size() != scale_.size()) return;
  const VecQ push = spread_over_groups(model_, acceleration_.cwiseAbs().cwiseQuotient(scale_));
  moved_ = before.cwiseMax(eval_speeds()).cwiseMax((state_.time - start.time) * push);
  fastest_ = moved_.cwiseMax(eval_rates()).cwiseMax(push.cwiseSqrt());
}

// --- impacts ---

ImpactSituation Simulation::make_situation() const {
  return {model_, state_, contacts_, options_.law, tolerances_};
}

void Simulation::collide(const std::vector<int>& colliding, const ModeWord& before) {
  const std::vector<ImpactEffect> effects = find_collisions(make_situation(), colliding);
  if (effects.empty()) {  // a surface drags a contact in that cannot move along it
    Event event = make_event(EventType::kInconsistent, colliding, before, before);
    event.notes.emplace_back("no finite impulse ends the collision");
    push(std::move(event));
    return finish(EndReason::kInconsistent);
  }
  offer(effects, EventType::kImpact, colliding, before);
}

/// The first outcome, or a run for each.
void Simulation::offer(const std::vector<ImpactEffect>& effects, EventType type,
                       const std::vector<int>& contacts, const ModeWord& before) {
  const auto list_others = [&](const ImpactEffect& taken) {
    std::vector<std::string> out;
    for (const ImpactEffect& effect : effects) {
      if (&effect != &taken) out.push_back(effect.word);
    }
    return out;
  };
  if (effects.size() == 1 || options_.on_impact == OnImpact::kPrefer) {
    return take(effects[0], type, contacts, before, list_others(effects[0]));
  }
  choices_.clear();
  for (const ImpactEffect& effect : effects) {
    const auto follow = [effect, type, contacts, before,
                         others = list_others(effect)](Simulation& simulation) {
      simulation.take(effect, type, contacts, before, others);
    };
    choices_.push_back({effect.word, follow});
  }
  finish(EndReason::kBranch);
}

void Simulation::take(const ImpactEffect& effect, EventType type, const std::vector<int>& contacts,
                      const ModeWord& before, std::vector<std::string> alternatives) {
  Event event = make_event(type, contacts, before, before, effect.energy_before);
  event.impact = effect.record;
  event.energy_after = effect.energy_after;
  event.notes = effect.notes;
  if (!alternatives.empty()) event.policy = find_word(kOnImpact, options_.on_impact);
  event.alternatives = std::move(alternatives);
  event.alternatives.insert(event.alternatives.end(), effect.range.begin(), effect.range.end());
  event.after = effect.state;
  const std::size_t pushed = run_.events.size();
  push(std::move(event));
  state_ = effect.state;
  contacts_ = effect.contacts;
  if (type == EventType::kImpact) {
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    Impact impact{contacts, {}, contacts_.make_word(), state_};
    for (const int i : contacts) {
      const int sign = find_slip_sign(after, state_, i, 0.0, tolerances_);
      impact.slips += sign == 0 ? 'S' : (sign > 0 ? 'P' : 'N');
    }
    impacts_.add(std::move(impact));
    auto limit = impacts_.find_limit(1.0 / eval_rate());
    const double last = stop_ ? stop_->before : options_.until;
    if (limit && limit->state.time < last && comes_to_rest(*limit, contacts)) {
      return settle(*limit);
    }
    constexpr double kSlow = 1e-7;  // the height goes with the square
    if (end_bounces(kSlow)) {
      run_.events.back().notes.emplace_back(kEndedRebound);
    }
    relabel(contacts);
    if (pushed < run_.events.size()) {
      run_.events[pushed].after = state_;
      run_.events[pushed].energy_after = eval_kinetic_energy(model_, state_);
    }
  }
  resolve_after_impulse();
  const bool crosses =
      options_.section && std::count(contacts.begin(), contacts.end(), *options_.section) > 0;
  if (type != EventType::kImpact || !crosses) return;
  if (++crossings_ >= options_.crossings) finish(EndReason::kSection);
}

/// Closes contacts that rebound slower than a part of the motion's speed: such a flight would be as
/// low as the rounding of its gap. To close one contact may slow the rebound of another. True if a
/// rebound was fast enough to be worth a note.
bool Simulation::end_bounces(double slow) {
  constexpr double kTold = 1e-12;  // slower rebounds are rounding
  const VecQ rates = eval_rates();
  PerContact<int> kept;
  bool told = false;
  while (true) {
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    PerContact<int> ending;
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool is_slow = after.gap_rate[i] <= slow * find_speed(i, rates);
      if (contacts_.leaving(i) != 1 || !is_slow || std::count(kept.begin(), kept.end(), i) > 0) {
        continue;
      }
      ending.push_back(i);
    }
    if (ending.empty()) return told;
    const bool all = close_slowly(ending, rates);
    for (const int i : ending) {
      const bool closes = all || close_slowly({i}, rates);
      if (!closes) kept.push_back(i);
      told = told || (closes && after.gap_rate[i] > kTold * find_speed(i, rates));
    }
  }
}

/// Closes contacts and holds them, if that changes the velocities by no more than a rebound that is
/// too slow to follow: of two feet side by side, one that rests and one that hardly leaves the
/// floor, both held stop the body's rotation, and with it the rebound of a foot far away.
bool Simulation::close_slowly(const PerContact<int>& contacts, const VecQ& rates) {
  constexpr double kMost = 2e-6;  // of the motion: twice the fastest rebound that is ended
  const ContactSet open = contacts_;
  const VecQ moving = state_.v;
  for (const int i : contacts) contacts_.close(i, 1.0);
  hold(contacts_);
  const VecQ change = (state_.v - moving).cwiseAbs().cwiseQuotient(scale_);
  if ((change.array() <= kMost * rates.array()).all()) {
    read_slips();
    return true;
  }
  contacts_ = open;
  state_.v = moving;
  return false;
}

/// Open contacts that come to their surfaces at the end of an accumulation, without velocity toward
/// or from them: those that collided, and others that are there to all digits.
PerContact<int> Simulation::list_closing(const ZenoLimit& limit) const {
  const ContactKinematics kinematics = eval_contact_kinematics(model_, limit.state);
  PerContact<int> out;
  for (int i = 0; i < model_.contact_count(); ++i) {
    const double length = model_.contacts[static_cast<std::size_t>(i)].length;
    const bool collided = std::count(limit.colliding.begin(), limit.colliding.end(), i) > 0;
    const double small = collided ? kNear : kThere;
    const bool near = std::abs(kinematics.gap[i]) <= small * length &&
                      std::abs(kinematics.gap_rate[i]) <= small * find_speed(i, fastest_);
    if (near && contacts_.find(i) == nullptr && eval_is_active(model_, i, limit.state)) {
      out.push_back(i);
    }
  }
  return out;
}

/// No open contact but those that close reaches its surface on the way to the limit: by the cubic
/// through its gaps and rates at both ends, which stays above the least of four numbers.
bool Simulation::is_clear_until(const ZenoLimit& limit, const PerContact<int>& closing) const {
  const ContactKinematics now = eval_contact_kinematics(model_, state_);
  const ContactKinematics then = eval_contact_kinematics(model_, limit.state);
  const double third = (limit.state.time - state_.time) / 3.0;
  for (int i = 0; i < model_.contact_count(); ++i) {
    if (contacts_.find(i) != nullptr || std::count(closing.begin(), closing.end(), i) > 0) continue;
    if (!eval_is_active(model_, i, limit.state)) continue;
    const double after_now = now.gap[i] + third * now.gap_rate[i];
    const double before_then = then.gap[i] - third * then.gap_rate[i];
    const bool leaves = contacts_.leaving(i) == 1;  // from zero gap
    if (!(std::min({leaves ? after_now : now.gap[i], after_now, before_then, then.gap[i]}) > 0.0)) {
      return false;
    }
  }
  return true;
}

/// The bounces die out with the times between them, and nothing else happens before. Where only the
/// gaps vanish they do not. Names that change leave only the contacts of the last impact to look
/// at.
bool Simulation::comes_to_rest(ZenoLimit& limit, const std::vector<int>& last) const {
  if (!model_.relabels.empty()) limit.colliding = last;
  const PerContact<int> closing = list_closing(limit);
  return is_clear_until(limit, closing) &&
         std::all_of(limit.colliding.begin(), limit.colliding.end(), [&](int contact) {
           return contacts_.find(contact) != nullptr ||
                  std::count(closing.begin(), closing.end(), contact) > 0;
         });
}

/// The end of an accumulation: the contacts that have come to the surface close.
void Simulation::settle(const ZenoLimit& limit) {
  if (ended_) return;
  impacts_.drop(limit.record);
  const ModeWord before = contacts_.make_word();
  run_.events.back().modes_after = before;
  const double energy = eval_kinetic_energy(model_, state_);
  const PerContact<int> closing = list_closing(limit);
  const State last = state_;
  state_ = limit.state;
  const auto sticks = [&](int contact) {
    return std::count(limit.sticking.begin(), limit.sticking.end(), contact) > 0;
  };
  for (const int i : closing) contacts_.close(i, sticks(i) ? 0.0 : 1.0);
  project_onto_contacts(model_, contacts_.closed(), state_);
  const ContactKinematics after = eval_contact_kinematics(model_, state_);
  for (const int i : contacts_.list()) {
    const bool stands = sticks(i) || std::abs(after.slip[i]) <= kNear * find_speed(i, fastest_);
    contacts_.close(i, stands ? 0.0 : after.slip[i]);
  }
  project_onto_contacts(model_, contacts_.closed(), state_);
  read_slips();
  Event event = make_event(EventType::kZeno, closing, before, before);
  event.before = last;
  event.energy_before = energy;
  event.zeno = limit.record;
  push(std::move(event));
  resolve_after_impulse();
}

/// The change of letters belongs to the event with the impulse: the last one so far.
void Simulation::resolve_after_impulse() {
  if (ended_) return;
  const std::size_t event = run_.events.size() - 1;
  const ModeWord word = contacts_.make_word();
  run_.events[event].modes_after = word;
  resolve({word});
  const bool decided =
      event + 1 == run_.events.size() || run_.events[event + 1].type == EventType::kRest;
  if (decided && !mode_.word.empty()) run_.events[event].modes_after = mode_.word;
}

void Simulation::relabel(const std::vector<int>& contacts) {
  for (const Relabel& relabel : model_.relabels) {
    if (std::find(contacts.begin(), contacts.end(), relabel.contact) == contacts.end()) continue;
    const State before = std::exchange(state_, make_relabelled(model_, relabel, state_));
    const PerContact<int> closed = contacts_.list();
    contacts_.relabel(relabel);
    const std::string changed =
        find_changed_by_relabel(model_, relabel, before, state_, as_span(closed));
    if (!changed.empty()) finish(EndReason::kFailure, changed);
    return;
  }
}

// --- the log ---

void Simulation::push(Event event) {
  if (ended_) return;
  pace_.note_event(event.time);
  run_.events.push_back(std::move(event));
  if (earlier_events_ + static_cast<int>(run_.events.size()) >= options_.max_events) {
    finish(EndReason::kEventLimit);
  }
}

/// One event per kind of change.
void Simulation::tell_changes(const ModeWord& before, const ModeWord& after) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i] == after[i]) continue;
    const EventType type = find_change(before[i], after[i]);
    const auto same = std::find_if(events.begin(), events.end(),
                                   [&](const Event& event) { return event.type == type; });
    if (same != events.end()) {
      same->contacts.push_back(static_cast<int>(i));
    } else {
      events.push_back(make_event(type, std::vector<int>{static_cast<int>(i)}, before, after));
    }
  }
  for (Event& event : events) push(std::move(event));
}

void Simulation::finish(EndReason reason, std::string detail) {
  if (ended_) return;
  ended_ = true;
  run_.end = {reason, state_.time, std::move(detail)};
}

}  // namespace slipstick
