#include "slipstick/sim/simulate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/sim/contact_set.h"
#include "slipstick/sim/continuation.h"
#include "slipstick/sim/impacts.h"
#include "slipstick/sim/integrate.h"
#include "slipstick/sim/scale.h"
#include "slipstick/sim/zeno.h"

namespace slipstick {
namespace {

/// The event that a change of one contact's letter is.
EventType find_change(char before, char after) {
  if (after == 'F') return EventType::kLiftoff;
  if (before == 'F') return EventType::kTouchdown;
  if (after == 'S') return EventType::kStick;
  return before == 'S' ? EventType::kSlip : EventType::kSlipReversal;
}

/// Why a new mode is looked for.
struct Cause {
  ModeWord before;              ///< the letters until now
  const Mode* ended = nullptr;  ///< the mode, if a vanishing force ended it
  bool tells_changes = false;   ///< changes of letters are events of their own
};

class Simulation {
 public:
  Simulation(const Model& model, State initial, const SimulationOptions& options)
      : model_(model),
        options_(options),
        scale_(make_coordinate_scale(model)),
        state_(std::move(initial)),
        contacts_(model) {
    run_.trajectory.coordinate_count = model.size();
    fastest_ = std::max(eval_rate_scale(scale_, state_.v, VecQ::Zero(model.size())),
                        std::sqrt(model.gravity.norm() / model.length_scale));
  }

  Run run() {
    pace_.note_event(state_.time);
    start();
    while (!ended_) {
      if (!(state_.time < find_last_time(options_.until))) {
        state_.time = options_.until;
        finish(EndReason::kTime);
        break;
      }
      const ModeEnd end = integrate_mode(model_, mode_, state_, opening_, options_, pace_, run_);
      state_ = end.state;
      go_on(end);
      if (!pace_.is_advancing(state_.time, fastest_)) finish(EndReason::kFailure, Pace::kStands);
      if (options_.keep_going && !options_.keep_going(state_.time)) finish(EndReason::kInterrupted);
    }
    run_.state = state_;
    return std::move(run_);
  }

 private:
  void start() {
    const ContactKinematics kinematics = eval_contact_kinematics(model_, state_);
    const ContactProblem problem = make_contact_problem(model_, state_, kinematics, tolerances_);
    std::vector<int> colliding;
    for (int i = 0; i < model_.contact_count(); ++i) {
      const ContactStatus status = problem.status[static_cast<std::size_t>(i)];
      if (status == ContactStatus::kColliding) colliding.push_back(i);
      // At zero gap and opening: as after a rebound.
      const bool at_zero = std::abs(kinematics.gap[i]) <= tolerances_.closure * model_.length_scale;
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

  // --- what a mode's end means ---

  void go_on(const ModeEnd& end) {
    contacts_.forget_leaving();
    switch (end.type) {
      case ModeEndType::kTime:
        return finish(EndReason::kTime);
      case ModeEndType::kInterrupted:
        return finish(EndReason::kInterrupted);
      case ModeEndType::kFailure:
        return finish(EndReason::kFailure, end.detail);
      case ModeEndType::kGuards:
        return handle_guards(end);
      case ModeEndType::kJam:
        return handle_jam(end);
      case ModeEndType::kPassage:
        return handle_passage(end);
      case ModeEndType::kSeparation:
        return separate(mode_.word);
    }
  }

  void handle_guards(const ModeEnd& end) {
    std::vector<int> colliding;
    PerContact<int> touching;
    PerContact<int> stopping;
    bool force_vanished = false;
    const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
    for (const Guard& guard : end.guards) {
      switch (guard.type) {
        case GuardType::kSlip:
          stopping.push_back(guard.contact);
          break;
        case GuardType::kGap:
          if (find_gap_rate_sign(contacts, state_, guard.contact, tolerances_) < 0) {
            colliding.push_back(guard.contact);
          } else {
            touching.push_back(guard.contact);
          }
          break;
        case GuardType::kActive:
          contacts_.open(guard.contact, 0);
          break;
        case GuardType::kTime:
          break;
        default:
          force_vanished = true;
      }
    }
    stop(touching, stopping);
    const Mode ended = mode_;
    if (!colliding.empty()) return collide(colliding, ended.word);
    resolve({ended.word, force_vanished ? &ended : nullptr, true});
    // Contacts that only stick or slip in another way do not disturb the bounces of others.
    const auto closes = [](char letter) { return letter != 'F'; };
    if (!std::equal(ended.word.begin(), ended.word.end(), mode_.word.begin(), mode_.word.end(),
                    [&](char a, char b) { return closes(a) == closes(b); })) {
      bounces_.clear();
    }
  }

  /// Touching contacts close without an impulse; slips that ended are zero, also those that ended
  /// with another's: two feet of one body.
  void stop(const PerContact<int>& touching, const PerContact<int>& stopping) {
    if (touching.empty() && stopping.empty()) return;
    stop_velocities(model_, as_span(touching), as_span(stopping), state_);
    const ContactKinematics contacts = eval_contact_kinematics(model_, state_);
    for (const int i : touching) contacts_.close(i, contacts.slip[i]);
    for (const int i : stopping) contacts_.close(i, 0.0);
    const double speed = model_.length_scale * fastest_;
    for (const int i : contacts_.list()) {
      if (find_slip_sign(contacts, state_, i, speed, tolerances_) == 0) contacts_.close(i, 0.0);
    }
  }

  // --- the next mode ---

  void resolve(const Cause& cause) {
    if (ended_) return;
    if (state_.time != last_decision_) decisions_ = 0;
    last_decision_ = state_.time;
    if (++decisions_ > kMostDecisions) {
      return finish(EndReason::kFailure, "more than a hundred mode changes at one time");
    }
    ModeList modes = list_continuations(state_, cause);
    if (modes.empty() && model_.depends_on_time) modes = look_later(cause);
    switch (find_class(modes)) {
      case ContactClass::kConsistent:
        return adopt(modes[0], cause);
      case ContactClass::kInconsistent:
        return handle_inconsistent(cause.before);
      case ContactClass::kIndeterminate:
        return handle_indeterminate(modes, cause);
    }
  }

  [[nodiscard]] ModeList list_continuations(const State& state, const Cause& cause) const {
    return find_continuations(model_, state, contacts_.closed(), cause.ended,
                              model_.length_scale * fastest_ * fastest_, tolerances_);
  }

  /// Where a load or a surface's speed jumps or bends in time, rounding leaves the event a little
  /// before it: the first time after it at which there is a mode. Without one nothing changes.
  ModeList look_later(const Cause& cause) {
    constexpr double kFarthest = 1e-9;
    for (double part = 1e-15; part < kFarthest; part *= 10.0) {
      State later = state_;
      later.time += part * std::max(std::abs(state_.time), 1.0 / fastest_);
      ModeList modes = list_continuations(later, cause);
      if (modes.empty()) continue;
      state_ = std::move(later);
      return modes;
    }
    return {};
  }

  void adopt(const ModeSolution& solution, const Cause& cause) {
    mode_ = make_mode(model_, state_, solution);
    if (cause.tells_changes) tell_changes(cause.before, mode_.word);
    opening_ = find_openings(model_, state_, solution, contacts_);
    for (int i = 0; i < model_.contact_count(); ++i) {
      const char letter = mode_.word[static_cast<std::size_t>(i)];
      if (letter == 'F') {
        contacts_.open(i, 0);
      } else {
        contacts_.close(i, letter == 'S' ? 0.0 : (letter == 'P' ? 1.0 : -1.0));
      }
    }
    fastest_ = std::max(fastest_, eval_rate_scale(scale_, state_.v, solution.acceleration));
    if (!is_at_rest(solution)) return;
    state_.v.setZero();
    push(make_event(EventType::kRest, mode_.indices, mode_.word, mode_.word));
    finish(EndReason::kRest);
  }

  [[nodiscard]] bool is_at_rest(const ModeSolution& solution) const {
    const double speed = state_.v.cwiseAbs().cwiseQuotient(scale_).maxCoeff();
    const double push = solution.acceleration.cwiseAbs().cwiseQuotient(scale_).maxCoeff();
    constexpr double kStill = 1e-9;
    return !model_.depends_on_time && solution.family.acceleration_is_unique &&
           speed <= kStill * fastest_ && push <= kStill * fastest_ * fastest_;
  }

  // --- where the laws fail to decide ---

  /// A closed contact that slides where the law has no or several forces: an impulse without
  /// collision can act there. -1: none.
  [[nodiscard]] int find_strikable() const {
    for (const ClosedContact& contact : contacts_.closed()) {
      if (can_be_struck(model_, state_, contacts_.closed(), contact)) return contact.index;
    }
    return -1;
  }

  void handle_inconsistent(const ModeWord& before) {
    Event event = make_event(EventType::kInconsistent, contacts_.list(), before, before);
    event.policy = find_word(kOnInconsistent, options_.on_inconsistent);
    push(std::move(event));
    if (options_.on_inconsistent == OnInconsistent::kStop) {
      return finish(EndReason::kInconsistent);
    }
    strike(find_strikable(), before, false);
  }

  void handle_indeterminate(const ModeList& modes, const Cause& cause) {
    const int strikable = find_strikable();
    const OnIndeterminate policy = options_.on_indeterminate;
    const bool strikes = policy == OnIndeterminate::kImpact && strikable >= 0;
    const bool stops = policy == OnIndeterminate::kStop;
    const ModeSolution& choice = choose(modes, policy);
    Event event = make_event(EventType::kIndeterminate, contacts_.list(), cause.before,
                             strikes || stops ? cause.before : choice.modes);
    event.policy = find_word(kOnIndeterminate, policy);
    for (const ModeSolution& mode : modes) {
      if (strikes || stops || &mode != &choice) event.alternatives.push_back(mode.modes);
    }
    if (!strikes && strikable >= 0) event.alternatives.emplace_back("impact");
    if (!choice.family.acceleration_is_unique) {
      event.notes.emplace_back(
          "a family of accelerations satisfies the laws; one member was taken");
    }
    push(std::move(event));
    if (stops) return finish(EndReason::kIndeterminate);
    if (strikes) return strike(strikable, cause.before, false);
    adopt(choice, cause);
  }

  [[nodiscard]] static const ModeSolution& choose(const ModeList& modes, OnIndeterminate policy) {
    const auto count = [](const ModeSolution& mode, char letter) {
      return std::count(mode.modes.begin(), mode.modes.end(), letter);
    };
    // What the policy wants first, then the smallest forces.
    const auto rank = [&](const ModeSolution& mode) {
      const auto slides = count(mode, 'P') + count(mode, 'N');
      const auto wanted =
          policy == OnIndeterminate::kSlip ? std::min<std::ptrdiff_t>(slides, 1) : count(mode, 'F');
      return std::pair(-wanted, mode.force_n.cwiseAbs().sum());
    };
    return *std::min_element(
        modes.begin(), modes.end(),
        [&](const ModeSolution& a, const ModeSolution& b) { return rank(a) < rank(b); });
  }

  [[nodiscard]] PerContact<int> list_sliding() const {
    PerContact<int> out;
    for (const ContactMode& contact : mode_.closed) {
      if (contact.slides_with_friction()) out.push_back(contact.contact);
    }
    return out;
  }

  void handle_jam(const ModeEnd& end) {
    const ModeWord before = mode_.word;
    const PerContact<int> sliding = list_sliding();
    Event event = make_event(EventType::kJam, sliding, before, before);
    event.exponent = end.exponent;
    const bool can_leave = opens_after_release(model_, state_, sliding);
    const bool leaves = options_.on_jam == OnJam::kLiftOff && can_leave;
    const bool stops = options_.on_jam == OnJam::kStop;
    event.policy = find_word(kOnJam, options_.on_jam);
    if (leaves || stops) event.alternatives.emplace_back("impact");
    if (!leaves && can_leave) event.alternatives.emplace_back("lift-off");
    if (options_.on_jam == OnJam::kLiftOff && !can_leave) {
      event.notes.emplace_back("lift-off would penetrate: an impact was taken");
    }
    if (end.marginal) {
      event.notes.emplace_back("marginal: lift-off or sticking is not excluded at p < 1e-13");
    }
    push(std::move(event));
    if (stops) return finish(EndReason::kJam);
    if (leaves) return separate(before);
    strike(sliding[0], before, true);
  }

  /// p = b = 0 reached with a finite force: beyond it sliding and separation are both admissible.
  void handle_passage(const ModeEnd& end) {
    const ModeWord before = mode_.word;
    const PerContact<int> sliding = list_sliding();
    Event event = make_event(EventType::kIndeterminate, sliding, before, before);
    event.policy = find_word(kOnIndeterminate, options_.on_indeterminate);
    event.notes.emplace_back("p and b vanish together with a finite force");
    if (end.marginal) event.notes.emplace_back("marginal: a jam is not excluded at p < 1e-13");
    event.alternatives = {before, "impact"};
    push(std::move(event));
    switch (options_.on_indeterminate) {
      case OnIndeterminate::kStop:
        return finish(EndReason::kIndeterminate);
      case OnIndeterminate::kImpact:
        return strike(sliding[0], before, true);
      case OnIndeterminate::kSlip:
        return finish(EndReason::kFailure, "sliding on through p = 0 is not followed");
      case OnIndeterminate::kLiftOff:
        return separate(before);
    }
  }

  /// Opens the sliding contacts, whose gap, rate and acceleration are zero.
  void separate(const ModeWord& before) {
    for (const int i : list_sliding()) contacts_.open(i, 3);
    bounces_.clear();
    resolve({before, nullptr, true});
  }

  // --- impacts ---

  [[nodiscard]] ImpactSituation make_situation() const {
    return {model_, state_, contacts_, options_.law, tolerances_};
  }

  void collide(const std::vector<int>& colliding, const ModeWord& before) {
    const auto effect = find_collision(make_situation(), colliding);
    if (!effect) return finish(EndReason::kFailure, "an impact without any outcome");
    push(make_impact_event(EventType::kImpact, colliding, *effect, before));
    take(*effect);
    if (!is_bounce(colliding)) bounces_.clear();
    if (const auto limit = bounces_.find_limit(); limit && limit->state.time < options_.until) {
      run_.events.back().modes_after = contacts_.make_word();
      return settle(colliding, *limit);
    }
    relabel(colliding);
    resolve_after_impulse();
  }

  /// Impulse without collision.
  void strike(int contact, const ModeWord& before, bool jammed) {
    bounces_.clear();
    if (ended_) return;
    if (contact < 0) {
      return finish(EndReason::kFailure,
                    "no contact force satisfies the laws, and no contact slides with p < 0");
    }
    const auto effect = find_strike(make_situation(), contact, jammed);
    if (!effect) return finish(EndReason::kFailure, "no impulse satisfies the laws");
    const bool all = effect->record.law == ImpactLaw::kFremond;
    const PerContact<int> struck = all ? contacts_.list() : PerContact<int>{contact};
    push(make_impact_event(EventType::kTangentialImpact, struck, *effect, before));
    take(*effect);
    resolve_after_impulse();
  }

  void take(const ImpactEffect& effect) {
    state_ = effect.state;
    contacts_ = effect.contacts;
  }

  /// Notes a bounce if all colliding contacts leave again.
  bool is_bounce(const std::vector<int>& colliding) {
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    Bounce bounce{state_, 0.0, true};
    for (const int i : colliding) {
      if (contacts_.find(i) != nullptr || !(after.gap_rate[i] > 0.0)) return false;
      bounce.rebound = std::max(bounce.rebound, after.gap_rate[i]);
      bounce.sticks &= find_slip_sign(after, state_, i, 0.0, tolerances_) == 0;
    }
    bounces_.add(colliding, bounce);
    return true;
  }

  /// The end of an accumulation: the contacts close.
  void settle(const std::vector<int>& contacts, const ZenoLimit& limit) {
    bounces_.clear();
    const ModeWord before = contacts_.make_word();
    const double energy = eval_kinetic_energy(model_, state_);
    state_ = limit.state;
    for (const int i : contacts) contacts_.close(i, limit.sticks ? 0.0 : 1.0);
    project_onto_contacts(model_, contacts_.closed(), state_);
    const ContactKinematics after = eval_contact_kinematics(model_, state_);
    for (const int i : contacts) contacts_.close(i, limit.sticks ? 0.0 : after.slip[i]);
    Event event = make_event(EventType::kZeno, contacts, before, before);
    event.energy_before = energy;
    event.zeno = limit.record;
    push(std::move(event));
    resolve_after_impulse();
  }

  /// The change of letters belongs to the event with the impulse: the last one so far.
  void resolve_after_impulse() {
    if (ended_) return;
    const std::size_t event = run_.events.size() - 1;
    const ModeWord word = contacts_.make_word();
    run_.events[event].modes_after = word;
    resolve({word});
    const bool decided =
        event + 1 == run_.events.size() || run_.events[event + 1].type == EventType::kRest;
    if (decided && !mode_.word.empty()) run_.events[event].modes_after = mode_.word;
  }

  void relabel(const std::vector<int>& contacts) {
    for (const Relabel& relabel : model_.relabels) {
      if (std::find(contacts.begin(), contacts.end(), relabel.contact) == contacts.end()) continue;
      state_ = make_relabelled(model_, relabel, state_);
      contacts_.relabel(relabel);
      return;
    }
  }

  // --- the log ---

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

  template <class Contacts>
  [[nodiscard]] Event make_impact_event(EventType type, const Contacts& contacts,
                                        const ImpactEffect& effect, const ModeWord& before) const {
    Event event = make_event(type, contacts, before, before);
    event.impact = effect.record;
    event.energy_before = effect.energy_before;
    event.energy_after = effect.energy_after;
    event.alternatives = effect.alternatives;
    event.notes = effect.notes;
    if (!effect.alternatives.empty()) event.policy = "prefer";
    return event;
  }

  void push(Event event) {
    if (ended_) return;
    pace_.note_event(event.time);
    run_.events.push_back(std::move(event));
    if (static_cast<int>(run_.events.size()) >= options_.max_events) {
      finish(EndReason::kEventLimit);
    }
  }

  /// One event per kind of change.
  void tell_changes(const ModeWord& before, const ModeWord& after) {
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

  static constexpr int kMostDecisions = 100;  ///< at one time: more is a circle

  const Model& model_;
  const SimulationOptions& options_;
  Tolerances tolerances_;
  VecQ scale_;
  State state_;
  ContactSet contacts_;
  Mode mode_;
  PerContact<int> opening_;
  ZenoWatch bounces_;
  Pace pace_;
  Run run_;
  double fastest_ = 0.0;  ///< largest rate so far [1/s]
  double last_decision_ = 0.0;
  int decisions_ = 0;  ///< at that time
  bool ended_ = false;
};

}  // namespace

Run simulate(const Model& model, const State& initial, const SimulationOptions& options) {
  return Simulation(model, initial, options).run();
}

}  // namespace slipstick
