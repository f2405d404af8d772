#include "slipstick/sim/hybrid/next_mode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/hybrid/choice_text.h"
#include "slipstick/sim/hybrid/continuation.h"
#include "slipstick/sim/hybrid/holding.h"
#include "slipstick/sim/hybrid/rest.h"
#include "slipstick/sim/hybrid/slow_start.h"
#include "slipstick/sim/hybrid/strikes.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

/// The event type of a change of one contact's mode.
EventType find_change(ContactMode before, ContactMode after) {
  if (!is_closed(after)) return EventType::kLiftoff;
  if (!is_closed(before)) return EventType::kTouchdown;
  if (after == ContactMode::kStick) return EventType::kStick;
  return before == ContactMode::kStick ? EventType::kSlip : EventType::kSlipReversal;
}

/// One event per kind of change.
std::vector<Event> list_changes(const Model& model, const State& state, const ModeWord& before,
                                const ModeWord& after) {
  std::vector<Event> out;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (before[i] == after[i]) continue;
    const EventType type = find_change(before[i], after[i]);
    const auto contact = static_cast<int>(i);
    const auto same = std::find_if(out.begin(), out.end(),
                                   [&](const Event& event) { return event.type == type; });
    if (same != out.end()) {
      same->contacts.push_back(contact);
    } else {
      out.push_back(make_event(model, state, type, {contact}, before, after));
    }
  }
  return out;
}

/// True if the surface's speed may change, so that a contact that does not slide now may be
/// dragged.
bool is_driven(const Model& model, int contact) {
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  return !model.surfaces[static_cast<std::size_t>(c.surface)].speed.is_constant();
}

/// True if the mechanism moves while none of its closed contacts does, because their directions
/// depend on each other.
bool passes_dead_centre(const Model& model, const HybridState& at) {
  ModeSolution sticking;
  sticking.modes = ModeWord(model.contacts.size());
  sticking.force_n = VecC::Zero(model.contact_count());
  for (const int i : at.contacts.list()) {
    sticking.modes.set(static_cast<std::size_t>(i), ContactMode::kStick);
  }
  return make_mode(model, at.state, sticking).redundant &&
         (eval_speeds(model, at.state).array() > kLeftover * at.fastest.array()).any();
}

/// True if a contact force must exist: the contacts only push and do not slide, and their surfaces
/// do not change their speed. If none is found, the numerics have failed. Exception: at a dead
/// centre the mechanism moves all the same, and the contacts cannot stick.
bool has_force_surely(const Model& model, const HybridState& at) {
  const PerContact<ClosedContact> closed = at.contacts.closed();
  return std::none_of(closed.begin(), closed.end(),
                      [&](const ClosedContact& contact) {
                        return contact.slip_sign != 0 || contact.bilateral ||
                               is_driven(model, contact.index);
                      }) &&
         !passes_dead_centre(model, at);
}

/// Where a load or a surface's speed jumps or bends in time, rounding puts the event slightly
/// before that time. Moves to the first time after it at which there is a mode. If there is none,
/// nothing changes.
ModeList look_later(const Model& model, const Laws& laws, const Mode* ended, HybridState& at) {
  const double rate = at.fastest.maxCoeff();
  const double own = rate > 0.0 ? 1.0 / rate : laws.until;
  for (double part = kNumberRounding; part < kTimeRoom; part *= 10.0) {
    State later = at.state;
    later.time += part * std::max(std::abs(at.state.time), own);
    ModeList modes = list_continuations(model, later, at, laws, ended);
    if (modes.empty()) continue;
    at.state = std::move(later);
    return modes;
  }
  return {};
}

/// A mode must exist but none was found: one of them misses its laws by more than usual rounding.
/// For example the force on a light foot is a small difference of the forces of a stiff spring.
ModeList look_closer(const Model& model, const Laws& laws, const Mode* ended,
                     const HybridState& at) {
  constexpr double kLoosest = 1e-5;  // of the terms of a law: beyond it something else is wrong
  Laws loose = laws;
  while ((loose.tolerances.marginal *= 10.0) <= kLoosest) {
    ModeList modes = list_continuations(model, at.state, at, loose, ended);
    if (!modes.empty()) return modes;
  }
  return {};
}

/// Up to here formulas of time stay the same [s].
double find_latest(const HybridState& at, const Laws& laws) {
  return at.stop ? at.stop->before : laws.until;
}

void set_contacts(const Model& model, const ModeWord& word, ContactSet& contacts) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto contact = static_cast<int>(i);
    if (is_closed(word[i])) {
      contacts.close(model, contact, eval_slip_sign(word[i]));
    } else {
      contacts.open(contact, 0);
    }
  }
}

/// Leaves out modes that have begun at this same time before, unless there are no others: a contact
/// that lifts off and is back before time passes stays closed. True if one is left out.
bool drop_tried(const HybridState& at, ModeList& modes) {
  const auto was_tried = [&](const ModeSolution& mode) {
    return std::count(at.tried.begin(), at.tried.end(), mode.modes) > 0;
  };
  if (std::all_of(modes.begin(), modes.end(), was_tried)) return false;
  const auto kept = std::remove_if(modes.begin(), modes.end(), was_tried);
  const bool drops = kept != modes.end();
  modes.erase(kept, modes.end());
  return drops;
}

/// No contact force satisfies the laws, but an impulse may.
Transitions find_impulses(const Model& model, HybridState at, const Laws& laws,
                          const ModeWord& before) {
  const State state = at.state;
  Event event = make_event(model, state, EventType::kInconsistent, to_vector(at.contacts.list()),
                           before, before);
  Transitions out;
  if (was_struck(model, at)) {
    out = make_dead_end(state, EndReason::kInconsistent);
    event.notes.emplace_back("impulses lead back to this state: the motion cannot continue");
  } else {
    const bool is_sure = has_force_surely(model, at);
    const int strikable = find_strikable(model, state, at.contacts, laws);
    out = find_outcomes(model, std::move(at), laws, IsStruck{strikable, before, false});
    out.question = Question::kInconsistent;
    if (!out.ways.empty()) {
      event.taken_text = describe_impulse(model, out.ways.front().events.front().contacts);
    }
    if (out.ways.empty() && is_sure) {
      out.end = RunEnd{EndReason::kFailure,
                       state.time,
                       {WhyCode::kNoForce, "no contact force that satisfies the laws was found"}};
    } else if (out.ways.empty()) {
      event.notes.emplace_back(
          "no finite impulse satisfies the law of impact either: the motion cannot continue");
    }
  }
  out.events.push_back(std::move(event));
  return out;
}

/// Several modes satisfy the laws.
Transitions list_choices(const Model& model, HybridState at, const Laws& laws,
                         const SeeksMode& cause, const ModeList& modes) {
  Transitions out;
  out.question = Question::kIndeterminate;
  out.state = at.state;
  out.events.push_back(make_event(model, at.state, EventType::kIndeterminate,
                                  to_vector(at.contacts.list()), cause.before, cause.before));
  for (const ModeSolution& mode : modes) {
    out.ways.push_back(adopt(model, at, laws, mode, cause));
    out.ways.back().choice.text = describe_mode(model, cause.before, mode);
  }
  const int strikable = find_strikable(model, at.state, at.contacts, laws);
  if (strikable < 0) return out;
  Transition impulse{{ChoiceKind::kImpulse, "impact"}, {}, std::move(at), {}, false, 0};
  impulse.choice.text = describe_impulse(model, {strikable});
  impulse.choice.leads_back = was_struck(model, impulse.next);
  impulse.next.pending = IsStruck{strikable, cause.before, false};
  out.ways.push_back(std::move(impulse));
  return out;
}

Transitions list_ways(const Model& model, HybridState at, const Laws& laws, const SeeksMode& cause,
                      const ModeList& modes) {
  switch (find_class(modes)) {
    case ContactClass::kConsistent:
      break;
    case ContactClass::kInconsistent:
      return find_impulses(model, std::move(at), laws, cause.before);
    case ContactClass::kIndeterminate:
      return list_choices(model, std::move(at), laws, cause, modes);
  }
  Transition way = adopt(model, std::move(at), laws, modes[0], cause);
  const bool is_quiet = way.events.empty() || way.events.front().type == EventType::kRest;
  way.completes_event = cause.completes_event && is_quiet;
  return make_only(std::move(way));
}

}  // namespace

ModeList list_continuations(const Model& model, const State& state, const HybridState& at,
                            const Laws& laws, const Mode* ended) {
  return find_continuations(model, state, at.contacts.closed(), ended, at.fastest,
                            find_latest(at, laws), laws.tolerances);
}

Transitions find_next_modes(const Model& model, HybridState at, const Laws& laws,
                            const SeeksMode& cause, const Mode* ended) {
  if (!is_at_once(model, at)) at.tried.clear();
  if (at.state.time != at.last_decision) at.decisions = 0;
  at.last_decision = at.state.time;
  constexpr int kMostDecisions = 100;  // at one time: more is a circle
  if (++at.decisions > kMostDecisions) {
    return make_dead_end(
        at.state, EndReason::kFailure,
        {WhyCode::kTooManyChanges, "more than a hundred mode changes at one time"});
  }
  close_touching(model, laws, at);
  ModeList modes = list_continuations(model, at.state, at, laws, ended);
  if (modes.empty() && model.depends_on_time) modes = look_later(model, laws, ended, at);
  if (modes.empty() && has_force_surely(model, at)) modes = look_closer(model, laws, ended, at);
  const bool drops = drop_tried(at, modes);
  Transitions out = list_ways(model, std::move(at), laws, cause, modes);
  if (drops)
    note_first_event(out, "lift-off or slip leads back here at once: another mode goes on");
  return out;
}

Transition adopt(const Model& model, HybridState at, const Laws& laws, const ModeSolution& solution,
                 const SeeksMode& cause) {
  at.mode = make_mode(model, at.state, solution);
  const NamedMode slow = name_slow_starts(model, at.state, at.contacts.closed(), at.mode, solution,
                                          find_latest(at, laws));
  const ModeSolution& named = slow.solution;
  if (named.modes != at.mode.word) at.mode = make_mode(model, at.state, named);
  Transition out{{ChoiceKind::kMode, to_letters(solution.modes), solution.modes,
                  solution.force_n.cwiseAbs().sum(), solution.family.acceleration_is_unique},
                 {},
                 std::move(at),
                 {},
                 false,
                 0};
  HybridState& next = out.next;
  if (cause.tells_changes) {
    out.events = list_changes(model, next.state, cause.before, next.mode.word);
  }
  next.opening = find_openings(model, next.state, named, next.contacts);
  for (std::size_t i = 0; i < slow.orders.size(); ++i) {
    next.opening[i] = std::max(next.opening[i], slow.orders[i]);
  }
  set_contacts(model, next.mode.word, next.contacts);
  next.acceleration = solution.acceleration;
  const VecQ push = solution.acceleration.cwiseAbs().cwiseQuotient(make_coordinate_scale(model));
  next.fastest = next.fastest.cwiseMax(eval_rates(model, next.state))
                     .cwiseMax(spread_over_groups(model, push.cwiseSqrt()));
  next.pending = Moves{};
  next.tried.push_back(solution.modes);
  if (!is_at_rest(model, next, solution)) return out;
  const State before = next.state;
  next.state.v.setZero();
  out.events.push_back(make_event(model, next.state, EventType::kRest, to_vector(next.mode.indices),
                                  next.mode.word, next.mode.word));
  out.events.back().before = before;
  out.end = RunEnd{EndReason::kRest, next.state.time, {}};
  return out;
}

}  // namespace slipstick
