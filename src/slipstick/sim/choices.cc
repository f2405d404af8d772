/// Where the laws do not decide: no mode, several, or a force without bound.

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/sim/continuation.h"
#include "slipstick/sim/simulation.h"

namespace slipstick {
namespace {

/// How much of what the policy wants a mode has: open contacts, or any that slide.
std::ptrdiff_t count_wanted(const ModeSolution& mode, OnIndeterminate policy) {
  const auto count = [&](char letter) {
    return std::count(mode.modes.begin(), mode.modes.end(), letter);
  };
  if (policy != OnIndeterminate::kSlip) return count('F');
  return std::min<std::ptrdiff_t>(count('P') + count('N'), 1);
}

/// By what the policy wants first, then by the smallest forces.
void sort_by_policy(ModeList& modes, OnIndeterminate policy) {
  const auto rank = [&](const ModeSolution& mode) {
    return std::pair(-count_wanted(mode, policy), mode.force_n.cwiseAbs().sum());
  };
  std::stable_sort(modes.begin(), modes.end(),
                   [&](const ModeSolution& a, const ModeSolution& b) { return rank(a) < rank(b); });
}

/// What the change of one minor, to the guard's sign, means for P just after it.
const char* describe_minor(const Mode& mode, const ContactDynamics& after, const Guard& changed) {
  const bool all_slide = std::all_of(
      mode.closed.begin(), mode.closed.end(),
      [](const ContactMode& contact) { return contact.letter != 'S' && !contact.bilateral; });
  const std::vector<Guard> minors = list_minors(mode, after);
  const bool others_are_positive =
      (!all_slide || make_mode_field(mode, after).determinant > 0.0) &&
      std::all_of(minors.begin(), minors.end(), [&](const Guard& minor) {
        return minor.subset == changed.subset || minor.sign > 0.0;
      });
  if (!others_are_positive)
    return "a minor of P changed its sign; P is not a P-matrix, for another one is negative";
  return changed.sign > 0.0 ? "P is a P-matrix again: sliding is the only answer"
                            : "P is no longer a P-matrix: sliding need not be the only answer";
}

/// Its speed may change: a contact that does not slide now may be dragged.
bool is_driven(const Model& model, int contact) {
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  return !model.surfaces[static_cast<std::size_t>(c.surface)].speed.is_constant();
}

bool are_unilateral(const Model& model, const PerContact<int>& contacts) {
  return std::none_of(contacts.begin(), contacts.end(),
                      [&](int i) { return model.contacts[static_cast<std::size_t>(i)].bilateral; });
}

}  // namespace

/// Tells the event, then follows the first choice, all of them in runs of their own, or none.
void Simulation::decide(Event event, std::vector<Choice> choices, Decision decision,
                        EndReason stop) {
  const bool takes_first =
      decision == Decision::kTakeFirst || (decision == Decision::kBranch && choices.size() == 1);
  for (std::size_t i = takes_first ? 1 : 0; i < choices.size(); ++i) {
    event.alternatives.push_back(choices[i].word);
  }
  // A branching of one is none.
  if (decision == Decision::kBranch && takes_first) event.policy.clear();
  push(std::move(event));
  if (ended_) return;
  if (takes_first) return choices[0].follow(*this);
  if (decision == Decision::kStop) return finish(stop);
  choices_ = std::move(choices);
  finish(EndReason::kBranch);
}

/// A closed contact that slides where the law has no or several forces, and at which an impulse
/// without collision satisfies the law of impact. -1: none.
int Simulation::find_strikable(const State& state) const {
  const ImpactSituation at{model_, state, contacts_, options_.law, tolerances_};
  for (const ClosedContact& contact : contacts_.closed()) {
    if (!can_be_struck(model_, state, contacts_.closed(), contact)) continue;
    if (!find_strikes(at, contact.index, false).empty()) return contact.index;
  }
  return -1;
}

/// An impulse without collision has been applied at this time and state: Fremond's law may reverse
/// slips to and fro.
bool Simulation::was_struck() const {
  constexpr double kSame = 1e-9;
  return std::any_of(struck_.begin(), struck_.end(), [&](const State& earlier) {
    const double change = (state_.v - earlier.v).cwiseAbs().cwiseQuotient(scale_).maxCoeff();
    return earlier.time == state_.time && change <= kSame * eval_rate();
  });
}

/// Contacts that only push, and rest on surfaces that do not speed up, have a force: to miss it is
/// the numerics' fault. But those of a mechanism that moves all the same, through a dead centre,
/// cannot stick.
bool Simulation::has_force_surely() const {
  const PerContact<ClosedContact> closed = contacts_.closed();
  return std::none_of(closed.begin(), closed.end(),
                      [&](const ClosedContact& contact) {
                        return contact.slip_sign != 0 || contact.bilateral ||
                               is_driven(model_, contact.index);
                      }) &&
         !passes_dead_centre();
}

/// The mechanism moves while none of its closed contacts does: their directions depend.
bool Simulation::passes_dead_centre() const {
  ModeSolution sticking;
  sticking.modes.assign(model_.contacts.size(), 'F');
  sticking.force_n = VecC::Zero(model_.contact_count());
  for (const int i : contacts_.list()) sticking.modes[static_cast<std::size_t>(i)] = 'S';
  constexpr double kMoves = 1e-6;  // of the motion so far
  return make_mode(model_, state_, sticking).redundant &&
         (eval_speeds().array() > kMoves * fastest_.array()).any();
}

/// Impulse without collision.
void Simulation::strike(int contact, const ModeWord& before, bool jammed) {
  impacts_.clear();
  if (ended_) return;
  std::vector<ImpactEffect> effects;
  if (contact >= 0) effects = find_strikes(make_situation(), contact, jammed);
  // Contacts that none can drive in alone may be struck together.
  const PerContact<ClosedContact> closed = contacts_.closed();
  for (const ClosedContact& other : closed) {
    if (contact >= 0 || !effects.empty() || other.slip_sign == 0) continue;
    effects = find_strikes(make_situation(), other.index, false);
    if (!effects.empty()) contact = other.index;
  }
  if (effects.empty()) {
    if (has_force_surely())
      return finish(EndReason::kFailure, "no contact force was found to satisfy the laws");
    run_.events.back().notes.emplace_back(
        "no finite impulse satisfies the law of impact either: no motion goes on");
    run_.events.back().policy.clear();
    return finish(EndReason::kInconsistent);
  }
  if (!struck_.empty() && struck_[0].time != state_.time) struck_.clear();
  struck_.push_back(state_);
  // All that are struck, whichever was tried first.
  std::vector<int> struck;
  constexpr double kRounding = 1e-12;  // of the largest impulse
  const VecC& impulse = effects[0].record.impulse_n;
  const double least = kRounding * impulse.cwiseAbs().maxCoeff();
  for (const int i : contacts_.list()) {
    if (effects[0].record.law == ImpactLaw::kFremond || std::abs(impulse[i]) > least) {
      struck.push_back(i);
    }
  }
  if (struck.empty()) struck.push_back(contact);
  offer(effects, EventType::kTangentialImpact, struck, before);
}

void Simulation::handle_inconsistent(const ModeWord& before) {
  Event event = make_event(EventType::kInconsistent, contacts_.list(), before, before);
  const bool returns = was_struck();
  const int strikable = find_strikable(state_);
  const bool stops = options_.on_inconsistent == OnInconsistent::kStop;
  if (!returns && (stops || strikable >= 0)) {
    event.policy = find_word(kOnInconsistent, options_.on_inconsistent);
  }
  if (returns) event.notes.emplace_back("impulses lead back to this state: no motion goes on");
  push(std::move(event));
  if (returns || stops) return finish(EndReason::kInconsistent);
  strike(strikable, before, false);
}

void Simulation::handle_indeterminate(const ModeList& modes, const Cause& cause) {
  const OnIndeterminate policy = options_.on_indeterminate;
  ModeList sorted = modes;
  sort_by_policy(sorted, policy);
  std::vector<Choice> choices;
  for (const ModeSolution& mode : sorted) {
    // The mode that ended is gone when a choice is followed later.
    const Cause later{cause.before, nullptr, cause.tells_changes};
    choices.push_back(
        {mode.modes, [mode, later](Simulation& simulation) { simulation.adopt(mode, later); }});
  }
  const int strikable = find_strikable(state_);
  const bool returns = was_struck();
  const bool strikes = policy == OnIndeterminate::kImpact && strikable >= 0 && !returns;
  if (strikable >= 0) {
    const auto follow = [strikable, before = cause.before](Simulation& simulation) {
      simulation.strike(strikable, before, false);
    };
    choices.insert(strikes ? choices.begin() : choices.end(), {"impact", follow});
  }
  const Decision decision = find_decision(policy);
  const bool goes_on = decision == Decision::kTakeFirst && !strikes;
  Event event = make_event(EventType::kIndeterminate, contacts_.list(), cause.before,
                           goes_on ? sorted[0].modes : cause.before);
  event.policy = find_word(kOnIndeterminate, policy);
  if (policy == OnIndeterminate::kImpact && !strikes) event.policy.clear();
  if (goes_on && count_wanted(sorted[0], policy) == 0 && policy != OnIndeterminate::kImpact) {
    event.notes.emplace_back(policy == OnIndeterminate::kSlip
                                 ? "nothing slides in any mode: the smallest forces were taken"
                                 : "nothing can lift off: the smallest forces were taken");
  }
  if (returns) event.notes.emplace_back("an impact leads back to this state: another mode goes on");
  if (policy == OnIndeterminate::kImpact && strikable < 0) {
    event.notes.emplace_back(
        "no impulse without collision satisfies the law: another mode goes on");
  }
  if (!sorted[0].family.acceleration_is_unique) {
    event.notes.emplace_back("a family of accelerations satisfies the laws; one member was taken");
  }
  decide(std::move(event), std::move(choices), decision, EndReason::kIndeterminate);
}

void Simulation::handle_jam(const ModeEnd& end) {
  const ModeWord before = mode_.word;
  const PerContact<int> jamming = list_jamming(model_, mode_, state_);
  const OnJam policy = options_.on_jam;
  Event event = make_event(EventType::kJam, jamming, before, before);
  event.exponent = end.exponent;
  event.policy = find_word(kOnJam, policy);
  const bool can_open = are_unilateral(model_, jamming);
  const bool can_leave = can_open && opens_after_release(model_, state_, jamming);
  if (policy == OnJam::kLiftOff && !can_leave) {
    event.notes.emplace_back(can_open ? "lift-off would penetrate: an impact was taken"
                                      : "a bilateral contact does not open: an impact was taken");
    event.policy.clear();
  }
  if (end.marginal) {
    event.notes.emplace_back("marginal: lift-off or sticking is not excluded at p < 1e-13");
  }
  std::vector<Choice> choices{{"impact", [before, contact = jamming[0]](Simulation& simulation) {
                                 simulation.strike(contact, before, true);
                               }}};
  if (can_leave) {
    choices.push_back({"lift-off", [before, jamming](Simulation& simulation) {
                         simulation.separate(jamming, before);
                       }});
    if (policy == OnJam::kLiftOff) std::swap(choices[0], choices[1]);
  }
  decide(std::move(event), std::move(choices), find_decision(policy), EndReason::kJam);
}

/// Contacts that stick are driven to a dead centre, where velocities grow without bound, too.
void Simulation::handle_lock(const ModeEnd& end) {
  Event event = make_event(EventType::kJam, mode_.indices, mode_.word, mode_.word);
  event.exponent = end.exponent;
  event.notes.emplace_back("a surface drives the contacts to where they lock: no motion goes on");
  push(std::move(event));
  finish(EndReason::kJam);
}

/// p = b = 0 reached with a finite force: beyond it p < 0 < b, where a sliding contact can be
/// struck. Released at the point itself one contact would penetrate, since f* > 0 needs gamma < 0;
/// of several some may open.
void Simulation::handle_passage(const ModeEnd& end) {
  const ModeWord before = mode_.word;
  const PerContact<int> jamming = list_jamming(model_, mode_, state_);
  const OnIndeterminate policy = options_.on_indeterminate;
  Event event = make_event(EventType::kIndeterminate, jamming, before, before);
  event.policy = find_word(kOnIndeterminate, policy);
  event.notes.emplace_back("p and b vanish together with a finite force");
  const bool can_leave =
      are_unilateral(model_, jamming) && opens_after_release(model_, state_, jamming);
  const std::optional<SmoothForces> forces =
      find_smooth_forces(model_, mode_, state_, options_.tolerance);
  if (policy == OnIndeterminate::kLiftOff && !can_leave && are_unilateral(model_, jamming)) {
    event.notes.emplace_back("lift-off would penetrate");
    event.policy.clear();
  }
  if (policy == OnIndeterminate::kSlip && !forces) event.policy.clear();
  if (!forces) event.notes.emplace_back("no smooth motion slides on");
  if (end.marginal) event.notes.emplace_back("marginal: a jam is not excluded at p < 1e-13");
  const auto leave = [before, jamming](Simulation& simulation) {
    simulation.separate(jamming, before);
  };
  std::vector<Choice> choices{{"impact", [before, contact = jamming[0]](Simulation& simulation) {
                                 simulation.strike(contact, before, true);
                               }}};
  if (forces) {
    const bool first = policy != OnIndeterminate::kImpact;
    choices.insert(first ? choices.begin() : choices.end(),
                   {before, [forces](Simulation& simulation) { simulation.slide_on(*forces); }});
  }
  if (can_leave) {
    choices.insert(policy == OnIndeterminate::kLiftOff ? choices.begin() : choices.end(),
                   {"lift-off", leave});
  }
  decide(std::move(event), std::move(choices), find_decision(policy), EndReason::kIndeterminate);
}

/// The force still acts, at a d that is rounding: that it vanishes first is what the motion so far
/// says.
void Simulation::handle_separation() {
  const std::size_t next = run_.events.size();
  separate(list_first_released(model_, mode_, state_), mode_.word);
  if (run_.events.size() == next) return;
  run_.events[next].notes.emplace_back(
      "marginal: the force vanishes at p < 1e-13 only, a jam is not excluded");
}

/// A principal minor of P changed its sign. False if that was the last event of the run.
bool Simulation::tell_minor(const MinorChange& change) {
  state_ = change.state;
  std::vector<int> contacts;
  for (std::size_t i = 0; i < mode_.indices.size(); ++i) {
    if ((change.guard.subset >> i & 1U) != 0U) contacts.push_back(mode_.indices[i]);
  }
  Event event = make_event(EventType::kParadox, contacts, mode_.word, mode_.word);
  const State after = look_ahead(model_, mode_, state_);
  event.notes.emplace_back(describe_minor(
      mode_, eval_contact_dynamics(model_, after, as_span(mode_.indices)), change.guard));
  event.alternatives = list_others(after);
  push(std::move(event));
  return !ended_;
}

/// What is admissible at a state of the mode beside the mode itself.
std::vector<std::string> Simulation::list_others(const State& state) const {
  std::vector<std::string> out;
  for (const ModeSolution& mode : list_continuations(state, {mode_.word})) {
    if (mode.modes != mode_.word) out.push_back(mode.modes);
  }
  if (find_strikable(state) >= 0) out.emplace_back("impact");
  return out;
}

/// The mode that ended goes on beyond p = b = 0, with p < 0 < b and the force that it has there.
void Simulation::slide_on(const SmoothForces& forces) {
  if (ended_) return;
  forces_ = forces;
  run_.counts.evaluations += forces_->evaluations;
  opening_.assign(model_.contacts.size(), 0);
}

/// Opens contacts at p = b = 0, whose gap, rate and acceleration are zero.
void Simulation::separate(const PerContact<int>& contacts, const ModeWord& before) {
  for (const int i : contacts) contacts_.open(i, 3);
  impacts_.clear();
  resolve({before, nullptr, true});
}

// --- branching ---

Simulation Simulation::branch(const Choice& choice) const {
  Simulation out = *this;
  out.choices_.clear();
  out.ended_ = false;
  choice.follow(out);
  return out;
}

bool Simulation::has_same_future(const Simulation& other) const {
  constexpr double kSame = 1e-10;
  const auto differ = [&](const VecQ& a, const VecQ& b) {
    return (a - b).cwiseAbs().cwiseQuotient(scale_).maxCoeff();
  };
  if (ended_ != other.ended_ || run_.end.reason != other.run_.end.reason) return false;
  const bool same_signs = std::equal(
      mode_.closed.begin(), mode_.closed.end(), other.mode_.closed.begin(),
      other.mode_.closed.end(),
      [](const ContactMode& a, const ContactMode& b) { return a.force_sign == b.force_sign; });
  const bool same_choices =
      std::equal(choices_.begin(), choices_.end(), other.choices_.begin(), other.choices_.end(),
                 [](const Choice& a, const Choice& b) { return a.word == b.word; });
  return mode_.word == other.mode_.word && same_signs &&
         forces_.has_value() == other.forces_.has_value() && same_choices &&
         std::abs(state_.time - other.state_.time) * fastest_.maxCoeff() <= kSame &&
         differ(state_.q, other.state_.q) <= kSame &&
         differ(state_.v, other.state_.v) <= kSame * fastest_.maxCoeff();
}

}  // namespace slipstick
