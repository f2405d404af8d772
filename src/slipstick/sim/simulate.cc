#include "slipstick/sim/simulate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/contact/sliding.h"
#include "slipstick/impact/fremond.h"
#include "slipstick/impact/impulse_path.h"
#include "slipstick/impact/simultaneous.h"
#include "slipstick/model/forces.h"
#include "slipstick/sim/continuation.h"
#include "slipstick/sim/integrate.h"
#include "slipstick/sim/scale.h"
#include "slipstick/sim/zeno.h"

namespace slipstick {
namespace {

const char* policy_name(OnInconsistent policy) {
  return policy == OnInconsistent::kImpact ? "impact" : "stop";
}
const char* policy_name(OnIndeterminate policy) {
  switch (policy) {
    case OnIndeterminate::kLiftOff:
      return "lift-off";
    case OnIndeterminate::kSlip:
      return "slip";
    case OnIndeterminate::kImpact:
      return "impact";
    case OnIndeterminate::kStop:
      break;
  }
  return "stop";
}
const char* policy_name(OnJam policy) {
  switch (policy) {
    case OnJam::kImpact:
      return "impact";
    case OnJam::kLiftOff:
      return "lift-off";
    case OnJam::kStop:
      break;
  }
  return "stop";
}

/// The event that a change of one contact's letter is.
EventType find_change(char before, char after) {
  if (after == 'F') return EventType::kLiftoff;
  if (before == 'F') return EventType::kTouchdown;
  if (after == 'S') return EventType::kStick;
  return before == 'S' ? EventType::kSlip : EventType::kSlipReversal;
}

class Simulation {
 public:
  Simulation(const Model& model, State initial, const SimulationOptions& options)
      : model_(model), options_(options), state_(std::move(initial)) {
    run_.trajectory.coordinate_count = model.size();
    opening_.assign(model.contacts.size(), 0);
    leaving_.assign(model.contacts.size(), 0);
  }

  Run run() {
    start();
    while (!ended_) {
      const ModeEnd end = integrate_mode(model_, mode_, state_, opening_, options_, run_);
      state_ = end.state;
      go_on(end);
      if (options_.keep_going && !options_.keep_going(state_.time)) finish(EndReason::kInterrupted);
    }
    run_.state = state_;
    return std::move(run_);
  }

 private:
  // --- the discrete part of the state ---

  void start() {
    const ContactProblem problem =
        make_contact_problem(model_, state_, eval_contact_kinematics(model_, state_), tolerances_);
    std::vector<int> colliding;
    for (int i = 0; i < model_.contact_count(); ++i) {
      if (problem.status[static_cast<std::size_t>(i)] == ContactStatus::kColliding) {
        colliding.push_back(i);
      }
    }
    closed_ = problem.closed;
    const ModeWord word = make_word();
    mark_open_at_zero();
    is_start_ = true;
    if (colliding.empty()) {
      resolve(word);
    } else {
      collide(colliding, word);
    }
    is_start_ = false;
  }

  /// Contacts at zero gap that are already opening leave as after a rebound.
  void mark_open_at_zero() {
    const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool at_zero = std::abs(contacts.gap[i]) <= tolerances_.closure * model_.length_scale;
      leaving_[static_cast<std::size_t>(i)] = at_zero && contacts.gap_rate[i] > 0.0 ? 1 : 0;
    }
  }

  [[nodiscard]] ClosedContact make_closed(int contact, double slip) const {
    const Contact& c = model_.contacts[static_cast<std::size_t>(contact)];
    return {contact, c.mu, c.mu_s, slip > 0.0 ? 1 : (slip < 0.0 ? -1 : 0), c.bilateral};
  }
  void close(int contact, double slip) {
    open(contact);
    const auto place = std::find_if(closed_.begin(), closed_.end(),
                                    [&](const ClosedContact& c) { return c.index > contact; });
    closed_.insert(place, make_closed(contact, slip));
  }
  void open(int contact) {
    const auto found = std::find_if(closed_.begin(), closed_.end(),
                                    [&](const ClosedContact& c) { return c.index == contact; });
    if (found != closed_.end()) closed_.erase(found);
  }
  [[nodiscard]] ClosedContact* find_closed(int contact) {
    const auto found = std::find_if(closed_.begin(), closed_.end(),
                                    [&](const ClosedContact& c) { return c.index == contact; });
    return found == closed_.end() ? nullptr : &*found;
  }

  // --- what a mode's end means ---

  void go_on(const ModeEnd& end) {
    std::fill(leaving_.begin(), leaving_.end(), 0);
    switch (end.type) {
      case ModeEndType::kTime:
        return finish(EndReason::kTime);
      case ModeEndType::kInterrupted:
        return finish(EndReason::kInterrupted);
      case ModeEndType::kFailure:
        return finish(EndReason::kFailure, end.detail);
      case ModeEndType::kJam:
        return handle_jam(end);
      case ModeEndType::kPassage:
        return handle_passage(end);
      case ModeEndType::kSeparation:
        return handle_separation();
      case ModeEndType::kGuards:
        break;
    }
    if (++events_at_once_ > kMostAtOnce && state_.time == last_event_time_) {
      return finish(EndReason::kFailure, "more than a hundred mode changes at one time");
    }
    if (state_.time != last_event_time_) events_at_once_ = 0;
    last_event_time_ = state_.time;
    handle_guards(end);
  }

  void handle_guards(const ModeEnd& end) {
    const ModeWord before = mode_.word;
    std::vector<int> colliding;
    PerContact<int> touching;
    PerContact<int> stopping;
    const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
    for (const Guard& guard : end.guards) {
      if (guard.type == GuardType::kSlip) stopping.push_back(guard.contact);
      if (guard.type != GuardType::kGap) continue;
      const double scale = contacts.W_n.col(guard.contact).cwiseAbs().dot(state_.v.cwiseAbs());
      if (contacts.gap_rate[guard.contact] < -tolerances_.closure * scale) {
        colliding.push_back(guard.contact);
      } else {
        touching.push_back(guard.contact);
      }
    }
    for (const int i : stopping) {
      if (ClosedContact* contact = find_closed(i)) contact->slip_sign = 0;
    }
    if (!touching.empty() || !stopping.empty()) {
      stop_velocities(model_, as_span(touching), as_span(stopping), state_);
      for (const int i : touching) close(i, eval_contact_kinematics(model_, state_).slip[i]);
      stop_what_stopped();
    }
    if (!colliding.empty()) return collide(colliding, before);
    bounces_.clear();
    const bool force_vanished =
        std::any_of(end.guards.begin(), end.guards.end(), [](const Guard& guard) {
          return guard.type != GuardType::kSlip && guard.type != GuardType::kGap;
        });
    resolve(before, force_vanished ? before : ModeWord());
  }

  /// Contacts whose slip ended with another's: two feet of one body.
  void stop_what_stopped() {
    const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
    for (ClosedContact& contact : closed_) {
      const int i = contact.index;
      const double path_rate = contacts.W_t.col(i).dot(state_.v);
      const double scale = contacts.W_t.col(i).cwiseAbs().dot(state_.v.cwiseAbs()) +
                           std::abs(contacts.slip[i] - path_rate) + model_.length_scale * fastest_;
      if (std::abs(contacts.slip[i]) <= tolerances_.closure * scale) contact.slip_sign = 0;
    }
  }

  // --- the next mode ---

  /// One decision within another; left when the inner one is made.
  struct Deeper {
    explicit Deeper(int& depth) : depth_of(depth) {}
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --depth_of; }
    int& depth_of;
  };

  void resolve(const ModeWord& before, const ModeWord& ended = {}) {
    if (ended_) return;
    if (++depth_ > kMostAtOnce) {
      return finish(EndReason::kFailure, "more than a hundred mode changes at one time");
    }
    const Deeper deeper(depth_);
    const std::vector<ModeSolution> modes =
        find_continuations(model_, state_, closed_, ended, tolerances_);
    switch (find_class(modes)) {
      case ContactClass::kConsistent:
        return adopt(modes[0], before);
      case ContactClass::kInconsistent:
        return handle_inconsistent(before);
      case ContactClass::kIndeterminate:
        return handle_indeterminate(modes, before);
    }
  }

  void adopt(const ModeSolution& solution, const ModeWord& before) {
    mode_ = make_mode(model_, state_, solution);
    log_changes(before, mode_.word);
    // From here on the contacts are what the mode says.
    PerContact<ClosedContact> closed;
    const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
    for (int i = 0; i < model_.contact_count(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      const ClosedContact* was = find_closed(i);
      const double a_n = contacts.W_n.col(i).dot(solution.acceleration) + contacts.bias_n[i];
      const double a_t = contacts.W_t.col(i).dot(solution.acceleration) + contacts.bias_t[i];
      const double scale = model_.gravity.norm() + std::abs(contacts.bias_n[i]) +
                           contacts.W_n.col(i).cwiseAbs().dot(solution.acceleration.cwiseAbs());
      const bool moves = std::abs(mode_.word[k] == 'F' ? a_n : a_t) > kNoMotion * scale;
      opening_[k] = 0;
      if (mode_.word[k] == 'F') {
        opening_[k] = was == nullptr ? leaving_[k] : (moves ? 2 : 3);
        continue;
      }
      if (mode_.word[k] != 'S' && was != nullptr && was->slip_sign == 0)
        opening_[k] = moves ? 1 : 2;
      const double slip = mode_.word[k] == 'S' ? 0.0 : (mode_.word[k] == 'P' ? 1.0 : -1.0);
      closed.push_back(make_closed(i, slip));
    }
    closed_ = closed;
    if (is_at_rest(solution)) {
      const double energy = eval_kinetic_energy(model_, state_);
      Event event = make_event(EventType::kRest, mode_.indices, mode_.word, mode_.word);
      event.energy_before = event.energy_after = energy;
      push(std::move(event));
      finish(EndReason::kRest);
    }
  }

  [[nodiscard]] bool is_at_rest(const ModeSolution& solution) {
    if (depends_on_time(model_) || !solution.family.acceleration_is_unique) return false;
    const VecQ scale = make_coordinate_scale(model_);
    const double speed = state_.v.cwiseAbs().cwiseQuotient(scale).maxCoeff();
    const double push = solution.acceleration.cwiseAbs().cwiseQuotient(scale).maxCoeff();
    fastest_ = std::max({fastest_, speed, std::sqrt(model_.gravity.norm() / model_.length_scale)});
    constexpr double kStill = 1e-9;
    if (speed > kStill * fastest_ || push > kStill * fastest_ * fastest_) return false;
    state_.v.setZero();
    return true;
  }

  // --- where the laws fail to decide ---

  /// Closed contacts that slide with p <= 0: an impulse without collision can act there.
  [[nodiscard]] std::vector<int> list_strikable() {
    const ContactProblem problem = make_contact_problem(
        model_, state_, eval_contact_kinematics(model_, state_), closed_, tolerances_);
    std::vector<int> out;
    for (std::size_t i = 0; i < closed_.size(); ++i) {
      const ClosedContact& contact = closed_[i];
      const auto row = static_cast<Eigen::Index>(2 * i);
      const double coupling = contact.slip_sign * contact.mu * problem.G(row, row + 1);
      // A bilateral contact's force may have the other sign.
      const double friction = contact.bilateral ? std::abs(coupling) : coupling;
      const bool alone = closed_.size() == 1;
      const bool paradoxical = problem.G(row, row) < friction || (contact.bilateral && !alone);
      if (contact.slip_sign != 0 && paradoxical) out.push_back(contact.index);
    }
    return out;
  }

  void handle_inconsistent(const ModeWord& before) {
    const std::vector<int> strikable = list_strikable();
    Event event = make_event(EventType::kInconsistent, list_closed(), before, before);
    event.policy = policy_name(options_.on_inconsistent);
    push(std::move(event));
    if (options_.on_inconsistent == OnInconsistent::kStop) {
      return finish(EndReason::kInconsistent);
    }
    if (strikable.empty()) {
      return finish(EndReason::kFailure,
                    "no contact force satisfies the laws, and no contact slides with p < 0");
    }
    strike(strikable, before, false);
  }

  void handle_indeterminate(const std::vector<ModeSolution>& modes, const ModeWord& before) {
    const std::vector<int> strikable = list_strikable();
    const OnIndeterminate policy = options_.on_indeterminate;
    const bool strikes = policy == OnIndeterminate::kImpact && !strikable.empty();
    const ModeSolution& choice = choose(modes, policy);
    Event event = make_event(EventType::kIndeterminate, list_closed(), before,
                             strikes ? before : choice.modes);
    event.policy = policy_name(policy);
    for (const ModeSolution& mode : modes) {
      const bool chosen = !strikes && policy != OnIndeterminate::kStop && &mode == &choice;
      if (!chosen) event.alternatives.push_back(mode.modes);
    }
    if (!strikes && !strikable.empty()) event.alternatives.emplace_back("impact");
    if (!choice.family.acceleration_is_unique) {
      event.notes.emplace_back(
          "a family of accelerations satisfies the laws; one member was taken");
    }
    push(std::move(event));
    if (policy == OnIndeterminate::kStop) return finish(EndReason::kIndeterminate);
    if (strikes) return strike(strikable, before, false);
    adopt(choice, before);
  }

  [[nodiscard]] static const ModeSolution& choose(const std::vector<ModeSolution>& modes,
                                                  OnIndeterminate policy) {
    const auto count = [](const ModeSolution& mode, char letter) {
      return std::count(mode.modes.begin(), mode.modes.end(), letter);
    };
    const auto slides = [&](const ModeSolution& mode) {
      return count(mode, 'P') + count(mode, 'N') > 0;
    };
    const bool lift = policy != OnIndeterminate::kSlip;
    return *std::min_element(modes.begin(), modes.end(),
                             [&](const ModeSolution& a, const ModeSolution& b) {
                               if (lift && count(a, 'F') != count(b, 'F'))
                                 return count(a, 'F') > count(b, 'F');
                               if (!lift && slides(a) != slides(b)) return slides(a);
                               return a.force_n.cwiseAbs().sum() < b.force_n.cwiseAbs().sum();
                             });
  }

  void handle_jam(const ModeEnd& end) {
    const ModeWord before = mode_.word;
    std::vector<int> sliding;
    for (const ContactMode& contact : mode_.closed) {
      if (contact.slides_with_friction()) sliding.push_back(contact.contact);
    }
    Event event = make_event(EventType::kJam, sliding, before, before);
    event.exponent = end.exponent;
    event.policy = policy_name(options_.on_jam);
    const bool can_leave = opens_after_release(sliding);
    const bool leaves = options_.on_jam == OnJam::kLiftOff && can_leave;
    const bool stops = options_.on_jam == OnJam::kStop;
    if (leaves || stops) event.alternatives.emplace_back("impact");
    if (!leaves && can_leave) event.alternatives.emplace_back("lift-off");
    if (options_.on_jam == OnJam::kLiftOff && !can_leave) {
      event.notes.emplace_back("lift-off would penetrate: an impact was taken");
    }
    if (end.marginal)
      event.notes.emplace_back("marginal: lift-off or sticking is not excluded at p < 1e-13");
    push(std::move(event));
    if (stops) return finish(EndReason::kJam);
    if (!leaves) return strike(sliding, before, true);
    for (const int i : sliding) release(i);
    resolve(before);
  }

  /// At p = b = 0 the normal acceleration after a release is zero, and its rate decides.
  [[nodiscard]] bool opens_after_release(const std::vector<int>& contacts) {
    const ContactDynamics now = eval_contact_dynamics(model_, state_, contacts);
    constexpr double kAhead = 1e-5;
    const double ahead = kAhead / eval_rate_scale(model_, state_.v, now.free_acceleration);
    const State later{state_.time + ahead, state_.q + ahead * state_.v,
                      state_.v + ahead * now.free_acceleration};
    const ContactDynamics then = eval_contact_dynamics(model_, later, contacts);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(2 * i);
      if (then.a_free[row] < now.a_free[row]) return false;
    }
    return true;
  }

  /// p = b = 0 reached with a finite force: beyond it sliding and separation are both admissible.
  void handle_passage(const ModeEnd& end) {
    const ModeWord before = mode_.word;
    std::vector<int> sliding;
    for (const ContactMode& contact : mode_.closed) {
      if (contact.slides_with_friction()) sliding.push_back(contact.contact);
    }
    Event event = make_event(EventType::kIndeterminate, sliding, before, before);
    event.policy = policy_name(options_.on_indeterminate);
    event.notes.emplace_back("p and b vanish together with a finite force");
    if (end.marginal) event.notes.emplace_back("marginal: a jam is not excluded at p < 1e-13");
    event.alternatives = {before, "impact"};
    push(std::move(event));
    switch (options_.on_indeterminate) {
      case OnIndeterminate::kStop:
        return finish(EndReason::kIndeterminate);
      case OnIndeterminate::kImpact:
        return strike(sliding, before, true);
      case OnIndeterminate::kSlip:
        return finish(EndReason::kFailure, "sliding on through p = 0 is not followed");
      case OnIndeterminate::kLiftOff:
        break;
    }
    for (const int i : sliding) release(i);
    resolve(before);
  }

  void handle_separation() {
    const ModeWord before = mode_.word;
    for (const ContactMode& contact : mode_.closed) {
      if (contact.slides_with_friction()) release(contact.contact);
    }
    bounces_.clear();
    resolve(before);
  }

  /// Opens a contact whose gap, rate and acceleration are zero.
  void release(int contact) {
    open(contact);
    leaving_[static_cast<std::size_t>(contact)] = 3;
  }

  // --- impacts ---

  [[nodiscard]] ImpactLaw law_of(int contact) const {
    return options_.law.value_or(model_.contacts[static_cast<std::size_t>(contact)].law);
  }

  void collide(const std::vector<int>& contacts, const ModeWord& before) {
    if (contacts.size() == 1 && closed_.empty()) {
      return strike_one(contacts[0], before, false, EventType::kImpact);
    }
    collide_together(contacts, before);
  }

  /// An impact in which contacts that were closed take part, or several that close at once.
  void collide_together(const std::vector<int>& colliding, const ModeWord& before) {
    PerContact<int> contacts;
    for (int i = 0; i < model_.contact_count(); ++i) {
      const bool collides = std::find(colliding.begin(), colliding.end(), i) != colliding.end();
      if (collides || find_closed(i) != nullptr) contacts.push_back(i);
    }
    ImpactProblem problem = make_impact_problem(model_, state_, contacts, tolerances_);
    const ImpactLaw law = law_of(colliding[0]);
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const ImpactLaw own = law_of(contacts[i]);
      const bool inelastic = own == ImpactLaw::kInelastic || own == ImpactLaw::kFremond;
      if (inelastic) problem.restitution[static_cast<Eigen::Index>(i)] = 0.0;
    }
    const bool rebounds = problem.restitution.maxCoeff() > 0.0;
    const std::vector<ImpactOutcome> outcomes = rebounds
                                                    ? find_poisson_outcomes(problem, tolerances_)
                                                    : find_inelastic_outcomes(problem, tolerances_);
    if (outcomes.empty()) return finish(EndReason::kFailure, "an impact without any outcome");
    const ImpactOutcome& outcome = outcomes.front();
    const Strike strike = make_strike(contacts);
    Vec2C impulses(static_cast<Eigen::Index>(2 * contacts.size()));
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      impulses[static_cast<Eigen::Index>(2 * i)] = outcome.impulse_n[contacts[i]];
      impulses[static_cast<Eigen::Index>(2 * i + 1)] = outcome.impulse_t[contacts[i]];
    }
    Event event = apply(strike, contacts, impulses, EventType::kImpact, before);
    event.contacts = colliding;
    for (std::size_t i = 1; i < outcomes.size(); ++i) {
      event.alternatives.push_back(outcomes[i].modes);
    }
    if (outcomes.size() > 1) event.policy = "prefer";
    if (law == ImpactLaw::kNewton || law == ImpactLaw::kStronge) {
      event.notes.emplace_back("several contacts: restitution by Poisson's law");
    }
    take_outcome(contacts, outcome);
    const std::size_t index = run_.events.size();
    push(std::move(event));
    if (bounces_together(colliding)) {
      if (const auto limit = bounces_.find_limit(); limit && limit->state.time < options_.until) {
        run_.events[index].modes_after = make_word();
        return settle(colliding, *limit, make_word());
      }
    } else {
      bounces_.clear();
    }
    relabel(colliding);
    resolve_after(index, before);
  }

  /// Notes a bounce if all colliding contacts leave again.
  bool bounces_together(const std::vector<int>& colliding) {
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    double rebound = 0.0;
    double slip = 0.0;
    for (const int i : colliding) {
      if (find_closed(i) != nullptr || !(after.gap_rate[i] > 0.0)) return false;
      rebound = std::max(rebound, after.gap_rate[i]);
      slip = std::max(slip, std::abs(after.slip[i]));
    }
    bounces_.add(colliding, {state_, rebound, slip});
    return true;
  }

  /// Which contacts an outcome leaves closed, with the zeros it means exactly.
  void take_outcome(const PerContact<int>& contacts, const ImpactOutcome& outcome) {
    PerContact<int> normals;
    PerContact<int> tangents;
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    for (const int i : contacts) {
      const auto k = static_cast<std::size_t>(i);
      const char letter = outcome.modes[k];
      open(i);
      if (letter == 'F') {
        leaving_[k] = 1;
        continue;
      }
      normals.push_back(i);
      const bool sticks = letter == 'S' && model_.contacts[k].mu > 0.0;
      if (sticks) tangents.push_back(i);
      close(i, sticks ? 0.0 : after.slip[i]);
    }
    stop_velocities(model_, as_span(normals), as_span(tangents), state_);
  }

  /// Impulse without collision.
  void strike(const std::vector<int>& contacts, const ModeWord& before, bool jammed) {
    bounces_.clear();
    if (law_of(contacts[0]) == ImpactLaw::kFremond) return strike_by_reversal(before, jammed);
    if (closed_.size() > 1) {
      return finish(EndReason::kFailure, "an impulse without collision at several closed contacts");
    }
    strike_one(contacts[0], before, jammed, EventType::kTangentialImpact);
  }

  struct Strike {
    ContactDynamics dynamics;
    ContactKinematics kinematics;
    double energy = 0.0;
  };
  [[nodiscard]] Strike make_strike(const PerContact<int>& contacts) const {
    return {eval_contact_dynamics(model_, state_, as_span(contacts)),
            eval_contact_kinematics(model_, state_), eval_kinetic_energy(model_, state_)};
  }

  void strike_one(int contact, const ModeWord& before, bool jammed, EventType type) {
    const Contact& c = model_.contacts[static_cast<std::size_t>(contact)];
    const Strike strike = make_strike({contact});
    const Mat2C& G = strike.dynamics.G;
    const double gap_rate = type == EventType::kImpact ? strike.kinematics.gap_rate[contact] : 0.0;
    const double slip = strike.kinematics.slip[contact];
    const ContactImpulse impulse = solve_contact_impact({{G(0, 0), G(0, 1), G(1, 1)},
                                                         gap_rate,
                                                         slip,
                                                         c.mu,
                                                         c.restitution,
                                                         law_of(contact),
                                                         jammed});
    Vec2C impulses(2);
    impulses << impulse.impulse_n, impulse.impulse_t;
    Event event = apply(strike, {contact}, impulses, type, before);
    // Work at the contact, seen from the surface.
    const double gain = 0.5 * (gap_rate + impulse.gap_rate) * impulse.impulse_n +
                        0.5 * (slip + impulse.slip) * impulse.impulse_t;
    if (gain > kNoMotion * event.energy_before) {
      event.notes.emplace_back("the law created energy");
    }
    open(contact);
    if (impulse.gap_rate > 0.0) {
      leaving_[static_cast<std::size_t>(contact)] = 1;
    } else {
      close(contact, impulse.slip);
    }
    clean_velocities(contact, impulse);
    follow(std::move(event), before, contact, impulse);
  }

  /// Zeros that the law gives exactly are exact.
  void clean_velocities(int contact, const ContactImpulse& impulse) {
    PerContact<int> normals;
    PerContact<int> tangents;
    if (impulse.gap_rate == 0.0) normals.push_back(contact);
    if (impulse.slip == 0.0) tangents.push_back(contact);
    stop_velocities(model_, as_span(normals), as_span(tangents), state_);
  }

  /// Logs the impact, looks for an accumulation, and finds the next mode.
  void follow(Event event, const ModeWord& before, int contact, const ContactImpulse& impulse) {
    const std::size_t index = run_.events.size();
    push(std::move(event));
    const ModeWord between = make_open_word();
    if (impulse.gap_rate > 0.0) {
      bounces_.add({contact}, {state_, impulse.gap_rate, impulse.slip});
      if (const auto limit = bounces_.find_limit(); limit && limit->state.time < options_.until) {
        run_.events[index].modes_after = between;
        return settle({contact}, *limit, between);
      }
    } else {
      bounces_.clear();
    }
    relabel({contact});
    resolve_after(index, before);
  }

  /// Finds the mode after an event with an impulse, to which the change of letters belongs.
  void resolve_after(std::size_t event, const ModeWord& before) {
    const ModeWord word = make_word();
    in_impact_ = true;
    resolve(before);
    in_impact_ = false;
    if (event >= run_.events.size()) return;
    const bool decided =
        event + 1 == run_.events.size() || run_.events[event + 1].type == EventType::kRest;
    run_.events[event].modes_after = decided && !mode_.word.empty() ? mode_.word : word;
  }

  /// By the slips, before any force is known.
  [[nodiscard]] ModeWord make_word() const {
    ModeWord word = make_open_word();
    for (const ClosedContact& contact : closed_) {
      const int s = contact.slip_sign;
      word[static_cast<std::size_t>(contact.index)] = s == 0 ? 'S' : (s > 0 ? 'P' : 'N');
    }
    return word;
  }

  [[nodiscard]] ModeWord make_open_word() const {
    ModeWord out(model_.contacts.size(), 'F');
    return out;
  }

  /// The end of an accumulation: the contacts close.
  void settle(const std::vector<int>& contacts, const ZenoLimit& limit, const ModeWord& before) {
    bounces_.clear();
    const double energy = eval_kinetic_energy(model_, state_);
    state_ = limit.state;
    for (const int i : contacts) {
      leaving_[static_cast<std::size_t>(i)] = 0;
      close(i, limit.sticks ? 0.0 : 1.0);
    }
    Mode mode;
    for (const ClosedContact& contact : closed_) {
      const char letter = contact.slip_sign == 0 ? 'S' : 'P';
      mode.closed.push_back({contact.index, letter, contact.mu_s > 0.0, false, 1.0, 1.0, 0.0, 0.0});
      mode.indices.push_back(contact.index);
    }
    project_onto_mode(model_, mode, eval_contact_kinematics(model_, state_), state_);
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    for (const int i : contacts) close(i, limit.sticks ? 0.0 : after.slip[i]);
    Event event = make_event(EventType::kZeno, contacts, before, before);
    event.energy_before = energy;
    event.energy_after = eval_kinetic_energy(model_, state_);
    event.zeno = limit.record;
    const std::size_t index = run_.events.size();
    push(std::move(event));
    resolve_after(index, before);
  }

  void strike_by_reversal(const ModeWord& before, bool jammed) {
    PerContact<int> contacts;
    for (const ClosedContact& contact : closed_) contacts.push_back(contact.index);
    const Strike strike = make_strike(contacts);
    const auto k = static_cast<Eigen::Index>(contacts.size());
    SlipReversal problem{strike.dynamics.G, VecC(k), VecC(k)};
    for (Eigen::Index i = 0; i < k; ++i) {
      const ClosedContact& contact = closed_[static_cast<std::size_t>(i)];
      problem.slip[i] = strike.kinematics.slip[contact.index];
      problem.mu[i] = contact.mu;
    }
    auto impulses = solve_slip_reversal(problem);
    if (!impulses) return finish(EndReason::kFailure, "no percussion reverses the slip");
    bool clipped = false;
    if (jammed) *impulses *= find_jump_part(strike, contacts, *impulses, clipped);
    Event event = apply(strike, contacts, *impulses, EventType::kTangentialImpact, before);
    if (clipped) event.notes.emplace_back("jump clipped to its maximum");
    if (jammed) event.notes.emplace_back("marginal: p is zero up to rounding after the jump");
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    for (ClosedContact& contact : closed_) {
      contact.slip_sign = make_closed(contact.index, after.slip[contact.index]).slip_sign;
    }
    stop_velocities(model_, as_span(contacts), {}, state_);
    const std::size_t index = run_.events.size();
    push(std::move(event));
    resolve_after(index, before);
  }

  /// The part of the full reversal that gives the jump of the body's turn rate that was asked for.
  [[nodiscard]] double find_jump_part(const Strike& strike, const PerContact<int>& contacts,
                                      const Vec2C& impulses, bool& clipped) const {
    const Contact& contact = model_.contacts[static_cast<std::size_t>(contacts[0])];
    const VecQ change = strike.dynamics.M_inverse_W * impulses;
    const double largest = std::abs(eval_turn_rate_change(model_, contact, change));
    if (!(largest > 0.0)) return 1.0;
    clipped = contact.jump > largest;
    return std::min(1.0, contact.jump / largest);
  }

  /// Moves the velocities by impulses at these contacts, and tells it.
  [[nodiscard]] Event apply(const Strike& strike, const PerContact<int>& contacts,
                            const Vec2C& impulses, EventType type, const ModeWord& before) {
    Event event = make_event(type, contacts, before, before);
    ImpactRecord record;
    record.law = law_of(contacts[0]);
    record.impulse_n = VecC::Zero(model_.contact_count());
    record.impulse_t = VecC::Zero(model_.contact_count());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(2 * i);
      const Contact& contact = model_.contacts[static_cast<std::size_t>(contacts[i])];
      record.impulse_n[contacts[i]] = impulses[row];
      record.impulse_t[contacts[i]] = impulses[row + 1];
      const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
      record.work_of_surface += impulses[row + 1] * eval_function(surface.speed, state_);
    }
    record.v_minus = state_.v;
    state_.v += strike.dynamics.M_inverse_W * impulses;
    record.v_plus = state_.v;
    event.energy_before = strike.energy;
    event.energy_after = eval_kinetic_energy(model_, state_);
    record.work = event.energy_after - event.energy_before;
    event.impact = std::move(record);
    return event;
  }

  void relabel(const std::vector<int>& contacts) {
    for (const Relabel& relabel : model_.relabels) {
      if (std::find(contacts.begin(), contacts.end(), relabel.contact) == contacts.end()) continue;
      state_ = make_relabelled(model_, relabel, state_);
      PerContact<ClosedContact> closed;
      for (ClosedContact contact : closed_) {
        contact.index = relabel.contacts[static_cast<std::size_t>(contact.index)];
        if (contact.index >= 0) closed.push_back(contact);  // others have no name any more
      }
      std::sort(closed.begin(), closed.end(),
                [](const ClosedContact& a, const ClosedContact& b) { return a.index < b.index; });
      closed_ = closed;
      PerContact<int> leaving(leaving_.size(), 0);
      for (std::size_t i = 0; i < leaving_.size(); ++i) {
        const int name = relabel.contacts[i];
        if (name >= 0) leaving[static_cast<std::size_t>(name)] = leaving_[i];
      }
      leaving_ = leaving;
      return;
    }
  }

  // --- the log ---

  [[nodiscard]] std::vector<int> list_closed() const {
    std::vector<int> out;
    for (const ClosedContact& contact : closed_) out.push_back(contact.index);
    return out;
  }

  template <class Contacts>
  [[nodiscard]] Event make_event(EventType type, const Contacts& contacts, const ModeWord& before,
                                 const ModeWord& after) const {
    Event event;
    event.time = state_.time;
    event.type = type;
    event.contacts.assign(contacts.begin(), contacts.end());
    event.modes_before = before;
    event.modes_after = after;
    event.energy_before = event.energy_after = eval_kinetic_energy(model_, state_);
    return event;
  }

  void push(Event event) {
    if (ended_) return;
    run_.events.push_back(std::move(event));
    if (static_cast<int>(run_.events.size()) >= options_.max_events) {
      finish(EndReason::kEventLimit);
    }
  }

  /// One event per kind of change.
  void log_changes(const ModeWord& before, const ModeWord& after) {
    if (is_start_ || in_impact_) return;
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

  void finish(EndReason reason, std::string detail = {}) {
    if (ended_) return;
    ended_ = true;
    run_.end = {reason, state_.time, std::move(detail)};
  }

  static constexpr int kMostAtOnce = 100;
  static constexpr double kNoMotion = 1e-10;

  const Model& model_;
  const SimulationOptions& options_;
  Tolerances tolerances_;
  State state_;
  Mode mode_;
  PerContact<ClosedContact> closed_;
  PerContact<int> opening_;
  PerContact<int> leaving_;  ///< open contacts at zero gap: order of that zero
  ZenoWatch bounces_;
  Run run_;
  double fastest_ = 0.0;
  double last_event_time_ = 0.0;
  int events_at_once_ = 0;
  int depth_ = 0;  ///< of decisions within decisions
  bool is_start_ = false, in_impact_ = false, ended_ = false;
};

}  // namespace

Run simulate(const Model& model, const State& initial, const SimulationOptions& options) {
  return Simulation(model, initial, options).run();
}

}  // namespace slipstick
