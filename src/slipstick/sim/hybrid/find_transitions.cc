#include "slipstick/sim/hybrid/find_transitions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/mode_letters.h"
#include "slipstick/sim/hybrid/choice_text.h"
#include "slipstick/sim/hybrid/continuation.h"
#include "slipstick/sim/hybrid/holding.h"
#include "slipstick/sim/hybrid/next_mode.h"
#include "slipstick/sim/hybrid/singular_ends.h"
#include "slipstick/sim/hybrid/strikes.h"

namespace slipstick {
namespace {

/// Contacts that only change between sticking and slipping do not disturb the bounces of others.
void forget_disturbed_bounces(const ModeWord& ended, Transitions& found) {
  for (Transition& way : found.ways) {
    if (way.next.moves() && !closes_same(ended, way.next.mode.word)) way.next.bounces.clear();
  }
}

/// The meaning of the guards that ended a mode.
struct Fired {
  std::vector<int> colliding;
  PerContact<int> touching, stopping;
  PerContact<int> left;         ///< by less than the rounding of their gaps
  PerContact<int> beginning;    ///< to exist
  bool force_vanished = false;  ///< or left its cone
  bool leaves = false;          ///< a contact leaves its surface
};

/// A gap has become zero. The contact may also have just left its surface, by less than the
/// rounding of its gap.
void read_gap(const Model& model, int contact, const ContactKinematics& contacts, const VecQ& rates,
              const Laws& laws, HybridState& at, Fired& out) {
  // A contact that closes at a rate of rounding size touches, because its impulse would be rounding
  // as well.
  constexpr double kOfMotion = 1e-2;  // times the tolerance
  const double speed = kOfMotion * find_speed(model, contact, rates);
  const int sign = find_gap_rate_sign(contacts, at.state, contact, speed, laws.tolerances);
  if (sign < 0) out.colliding.push_back(contact);
  if (sign == 0) out.touching.push_back(contact);
  if (sign > 0) {
    at.contacts.open(contact, 1);
    out.left.push_back(contact);
  }
  out.leaves |= sign > 0;
}

/// Reads the guards; contacts that leave their surfaces or cease to exist are opened.
Fired read_guards(const Model& model, const std::vector<Guard>& guards, const Laws& laws,
                  HybridState& at) {
  Fired out;
  const ContactKinematics contacts = eval_contact_kinematics(model, at.state);
  const VecQ rates = eval_rates(model, at.state);
  for (const Guard& guard : guards) {
    switch (guard.type) {
      case GuardType::kSlip:
        out.stopping.push_back(guard.contact);
        break;
      case GuardType::kGap:
        read_gap(model, guard.contact, contacts, rates, laws, at, out);
        break;
      case GuardType::kActive:
        at.contacts.open(guard.contact, 0);
        break;
      case GuardType::kBegins:
        out.beginning.push_back(guard.contact);
        break;
      case GuardType::kTime:
        break;
      default:
        out.force_vanished = true;
    }
  }
  // A contact that ceased to exist at this instant does not stick.
  out.stopping.erase(std::remove_if(out.stopping.begin(), out.stopping.end(),
                                    [&](int i) { return at.contacts.find(i) == nullptr; }),
                     out.stopping.end());
  return out;
}

/// Contacts that begin to exist. Those at their surfaces close or collide.
struct Begun {
  std::vector<int> colliding;
  Why failure;
};

Begun begin_contacts(const Model& model, const PerContact<int>& beginning, const Laws& laws,
                     HybridState& at) {
  Begun out;
  if (beginning.empty()) return out;
  const ContactKinematics now = eval_contact_kinematics(model, at.state);
  const ContactProblem problem = make_contact_problem(model, at.state, now, laws.tolerances);
  for (const int i : beginning) {
    if (now.gap[i] < 0.0 && !is_at_zero(model, i, now.gap[i], laws)) {
      out.failure = {WhyCode::kBelowSurface, "contact '" +
                                                 model.contact_names[static_cast<std::size_t>(i)] +
                                                 "' begins to exist below its surface"};
      return out;
    }
    const ContactStatus status = problem.status[static_cast<std::size_t>(i)];
    if (status == ContactStatus::kColliding) out.colliding.push_back(i);
    for (const ClosedContact& contact : problem.closed) {
      if (contact.index == i) at.contacts.close(model, i, contact.slip_sign);
    }
  }
  return out;
}

/// Adds contacts that left the surface at this same instant and are still there: they take part in
/// an impact of others. Otherwise two contacts could collide in turn for ever, with gaps that
/// shrink much faster than their velocities.
void add_rebounding(const Model& model, const HybridState& at, std::vector<int>& colliding) {
  if (!is_at_once(model, at)) return;
  for (int i = 0; i < model.contact_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool rebounds = !is_closed(at.mode.word[k]) && at.opening[k] == 1;
    const bool known = std::count(colliding.begin(), colliding.end(), i) > 0;
    if (rebounds && !known) colliding.push_back(i);
  }
}

/// Contacts that touched their surfaces and stay open, as events of the ways on. A contact that has
/// just left its surface (its guard started from zero) was told then.
void tell_grazes(const Model& model, const std::vector<Guard>& guards, const Fired& fired,
                 const ModeWord& ended, Transitions& found) {
  const auto is_new = [&](int contact) {
    return std::any_of(guards.begin(), guards.end(), [&](const Guard& guard) {
      return guard.type == GuardType::kGap && guard.contact == contact && guard.zero_at_start == 0;
    });
  };
  for (Transition& way : found.ways) {
    if (!way.next.moves()) continue;
    const ModeWord& next = way.next.mode.word;
    std::vector<int> grazing;
    for (const PerContact<int>* list : {&fired.touching, &fired.left}) {
      for (const int i : *list) {
        const auto k = static_cast<std::size_t>(i);
        if (is_new(i) && !is_closed(ended[k]) && !is_closed(next[k])) grazing.push_back(i);
      }
    }
    if (grazing.empty()) continue;
    way.events.insert(way.events.begin(), make_event(model, found.state, EventType::kGraze,
                                                     std::move(grazing), ended, next));
  }
}

/// Records these guards in the events of this instant.
void note_guards(const std::vector<Guard>& guards, Transitions& found) {
  const auto note = [&](Event& event) {
    if (event.time == found.state.time) event.guards = guards;
  };
  for (Event& event : found.events) note(event);
  for (Transition& way : found.ways) {
    for (Event& event : way.events) note(event);
  }
}

Transitions pass_guards(const Model& model, HybridState at, const ModeEnd& end, const Laws& laws) {
  const bool stops = std::any_of(end.guards.begin(), end.guards.end(),
                                 [](const Guard& guard) { return guard.type == GuardType::kTime; });
  if (stops && end.guards.size() == 1) return pass_stop(model, std::move(at), laws);
  // Other events at this time are decided by the formulas that held until then; they change just
  // after it.
  if (stops && at.stop) at.state.time = at.stop->before;
  Fired fired = read_guards(model, end.guards, laws, at);
  stop_contacts(model, fired.touching, fired.stopping, laws, at);
  const Begun begun = begin_contacts(model, fired.beginning, laws, at);
  if (begun.failure) return make_dead_end(at.state, EndReason::kFailure, begun.failure);
  fired.colliding.insert(fired.colliding.end(), begun.colliding.begin(), begun.colliding.end());
  const bool told = fired.leaves && end_bounces(model, kUnseenFlight, laws, at);
  const Mode ended = at.mode;
  Transitions out;
  if (!fired.colliding.empty()) {
    add_rebounding(model, at, fired.colliding);
    out = find_outcomes(model, std::move(at), laws, Collides{fired.colliding, ended.word});
  } else {
    out = find_next_modes(model, std::move(at), laws, SeeksMode{ended.word, true, false},
                          fired.force_vanished ? &ended : nullptr);
    forget_disturbed_bounces(ended.word, out);
    tell_grazes(model, end.guards, fired, ended.word, out);
  }
  if (end.marginal) {
    note_first_event(out, "marginal: sliding came to p = 0 within rounding: a jam is not excluded");
  }
  if (told) note_first_event(out, kEndedRebound);
  note_guards(end.guards, out);
  return out;
}

/// The effect of the change of one minor, to the guard's sign, on P.
const char* describe_minor(const Mode& mode, const ContactDynamics& after, const Guard& changed) {
  const bool all_slide =
      std::all_of(mode.closed.begin(), mode.closed.end(),
                  [](const ClosedMode& contact) { return contact.slides() && !contact.bilateral; });
  const std::vector<Guard> minors = list_minors(mode, after);
  const bool others_are_positive =
      (!all_slide || make_mode_field(mode, after).determinant > 0.0) &&
      std::all_of(minors.begin(), minors.end(), [&](const Guard& minor) {
        return minor.subset == changed.subset || minor.sign > 0.0;
      });
  if (!others_are_positive)
    return "a minor of P changed its sign; P is not a P-matrix, because another one is negative";
  return changed.sign > 0.0 ? "P is a P-matrix again: sliding is the only answer"
                            : "P is no longer a P-matrix: sliding need not be the only answer";
}

/// Finds the transitions for each kind of pending decision.
struct FindPending {
  const Model& model;
  HybridState& at;
  const Laws& laws;

  Transitions operator()(const Moves& /*nothing*/) const {
    throw std::logic_error("find_transitions: the motion goes on in its mode");
  }
  Transitions operator()(const SeeksMode& cause) const {
    return find_next_modes(model, std::move(at), laws, cause, nullptr);
  }
  Transitions operator()(const Collides& impact) const {
    return find_outcomes(model, std::move(at), laws, impact);
  }
  Transitions operator()(const IsStruck& impulse) const {
    return find_outcomes(model, std::move(at), laws, impulse);
  }
};

}  // namespace

Transitions find_transitions(const Model& model, HybridState at, const ModeEnd& end,
                             const Laws& laws) {
  switch (end.type) {
    case ModeEndType::kGuards:
      return pass_guards(model, std::move(at), end, laws);
    case ModeEndType::kJam:
      return pass_jam(model, std::move(at), laws, end);
    case ModeEndType::kLocked:
      return end_in_lock(model, at, end);
    case ModeEndType::kReturns:
      return pass_return(model, std::move(at), laws, end);
    case ModeEndType::kPassage:
      return pass_with_finite_force(model, std::move(at), laws, end);
    case ModeEndType::kSeparation:
      return pass_separation(model, std::move(at), laws);
    case ModeEndType::kTime:
    case ModeEndType::kMinor:
    case ModeEndType::kCondition:
    case ModeEndType::kInterrupted:
    case ModeEndType::kFailure:
      break;
  }
  throw std::logic_error("find_transitions: the laws did not end the mode");
}

Transitions find_transitions(const Model& model, HybridState at, const Laws& laws) {
  const Pending pending = std::exchange(at.pending, Moves{});
  return std::visit(FindPending{model, at, laws}, pending);
}

Transitions pass_stop(const Model& model, HybridState at, const Laws& laws) {
  const ContactKinematics now = eval_contact_kinematics(model, at.state);
  State earlier = at.state;
  earlier.time = at.stop ? at.stop->before : at.state.time;
  const ContactKinematics before = eval_contact_kinematics(model, earlier);
  for (const int i : at.contacts.list()) {
    const double speed = find_speed(model, i, at.fastest);
    const bool jumps = std::abs(now.slip[i] - before.slip[i]) >
                       kResultRounding * (std::abs(now.slip[i]) + std::abs(before.slip[i]) + speed);
    const int sign = find_slip_sign(now, at.state, i, speed, laws.tolerances);
    if (!eval_is_active(model, i, at.state)) {
      at.contacts.open(i, 0);
    } else if (jumps || sign == 0) {  // a slip that is zero now is for the forces to decide
      at.contacts.close(model, i, sign);
    }
  }
  find_stop(model, laws, at);
  at.tried.clear();
  PerContact<int> beginning;
  for (int i = 0; i < model.contact_count(); ++i) {
    if (!eval_is_active(model, i, earlier) && eval_is_active(model, i, at.state)) {
      beginning.push_back(i);
    }
  }
  Begun begun = begin_contacts(model, beginning, laws, at);
  if (begun.failure) return make_dead_end(at.state, EndReason::kFailure, begun.failure);
  const ModeWord ended = at.mode.word;
  if (!begun.colliding.empty()) {
    return find_outcomes(model, std::move(at), laws, Collides{std::move(begun.colliding), ended});
  }
  const SeeksMode cause{ended, true, false};
  const ModeList modes = list_continuations(model, at.state, at, laws, nullptr);
  const auto same = std::find_if(modes.begin(), modes.end(),
                                 [&](const ModeSolution& mode) { return mode.modes == ended; });
  if (same != modes.end()) return make_only(adopt(model, std::move(at), laws, *same, cause));
  Transitions out = find_next_modes(model, std::move(at), laws, cause, nullptr);
  forget_disturbed_bounces(ended, out);
  return out;
}

Event describe_minor_change(const Model& model, const HybridState& at, const Laws& laws,
                            const MinorChange& change) {
  std::vector<int> contacts;
  for (std::size_t i = 0; i < at.mode.indices.size(); ++i) {
    if ((change.guard.subset >> i & 1U) != 0U) contacts.push_back(at.mode.indices[i]);
  }
  Event out = make_event(model, change.state, EventType::kParadox, std::move(contacts),
                         at.mode.word, at.mode.word);
  out.guards = {change.guard};
  const State after = look_ahead(model, at.mode, change.state);
  out.notes.emplace_back(describe_minor(
      at.mode, eval_contact_dynamics(model, after, as_span(at.mode.indices)), change.guard));
  for (const ModeSolution& mode : list_continuations(model, after, at, laws, nullptr)) {
    if (mode.modes == at.mode.word) continue;
    out.alternatives.push_back(to_letters(mode.modes));
    out.alternatives_text.push_back(describe_mode(model, at.mode.word, mode));
  }
  const int strikable = find_strikable(model, after, at.contacts, laws);
  if (strikable >= 0) {
    out.alternatives.emplace_back("impact");
    out.alternatives_text.push_back(describe_impulse(model, {strikable}));
  }
  return out;
}

}  // namespace slipstick
