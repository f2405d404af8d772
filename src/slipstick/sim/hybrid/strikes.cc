#include "slipstick/sim/hybrid/strikes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model/relabel.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/hybrid/accumulation.h"
#include "slipstick/sim/hybrid/choice_text.h"
#include "slipstick/sim/hybrid/continuation.h"
#include "slipstick/sim/hybrid/holding.h"
#include "slipstick/why.h"

namespace slipstick {
namespace {

ImpactSituation make_situation(const Model& model, const HybridState& at, const Laws& laws) {
  return {model, at.state, at.contacts, laws.impact, laws.tolerances};
}

/// The impact as one that may belong to an accumulation.
Impact make_impact(const Model& model, const HybridState& at, const Laws& laws,
                   const std::vector<int>& contacts) {
  const ContactKinematics after = eval_contact_kinematics(model, at.state);
  Impact out{contacts, ModeWord(contacts.size()), at.contacts.make_word(), at.state};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int sign = find_slip_sign(after, at.state, contacts[i], 0.0, laws.tolerances);
    out.slips.set(i, make_slip_mode(sign));
  }
  return out;
}

/// Relabels the motion. Says what the relabelling changed in it; empty if nothing.
std::string relabel(const Model& model, const std::vector<int>& contacts, const Laws& laws,
                    HybridState& at) {
  for (const Relabel& relabel : model.relabels) {
    if (std::find(contacts.begin(), contacts.end(), relabel.contact) == contacts.end()) continue;
    const State before = std::exchange(at.state, make_relabelled(model, relabel, at.state));
    const PerContact<int> closed = at.contacts.list();
    at.contacts.relabel(model, relabel);
    // The next tread of a stair may be far below a contact that has just rebounded.
    const VecC gap = eval_contact_kinematics(model, at.state).gap;
    for (int i = 0; i < model.contact_count(); ++i) {
      const bool leaves = at.contacts.leaving(i) != 0;
      if (leaves && !is_at_zero(model, i, gap[i], laws)) at.contacts.open(i, 0);
    }
    return find_changed_by_relabel(model, relabel, before, at.state, as_span(closed));
  }
  return {};
}

/// What follows a collision: the end of an accumulation or of a slow rebound, or new names.
void follow_collision(const Model& model, const Laws& laws, const std::vector<int>& contacts,
                      Transition& way) {
  HybridState& at = way.next;
  at.bounces.add(make_impact(model, at, laws, contacts));
  if (const auto limit = find_accumulation(model, contacts, laws, at)) {
    way.events.front().modes_after = at.contacts.make_word();
    way.events.push_back(settle(model, *limit, laws, at));
    return;
  }
  constexpr double kSlowRebound = 1e-7;  // of the motion's speed; the height goes with the square
  Event& event = way.events.front();
  if (end_bounces(model, kSlowRebound, laws, at)) event.notes.emplace_back(kEndedRebound);
  const std::string changed = relabel(model, contacts, laws, at);
  event.after = at.state;
  event.energy_after = eval_kinetic_energy(model, at.state);
  if (!changed.empty()) {
    way.end = RunEnd{EndReason::kFailure, at.state.time, {WhyCode::kRelabelledMotion, changed}};
  }
}

/// Adds contacts that touch at the instant of a collision without a gap rate of their own, and that
/// take an impulse. Contacts that were closed before are not added.
void add_touching(const ImpactRecord& record, Event& event) {
  const double least = kResultRounding * record.impulse_n.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < record.impulse_n.size(); ++i) {
    const auto contact = static_cast<int>(i);
    const bool is_known = is_closed(event.modes_before[static_cast<std::size_t>(i)]) ||
                          std::count(event.contacts.begin(), event.contacts.end(), contact) > 0;
    if (!is_known && std::abs(record.impulse_n[i]) > least) event.contacts.push_back(contact);
  }
}

/// `is_choice`: the outcome is one of several, which are then told apart in words.
Transition make_way(const Model& model, HybridState at, const Laws& laws, ImpactEffect effect,
                    Event event, bool is_choice) {
  if (event.type == EventType::kImpact) add_touching(effect.record, event);
  event.impact = std::move(effect.record);
  event.energy_before = effect.energy_before;
  event.energy_after = effect.energy_after;
  event.notes = std::move(effect.notes);
  std::string text;
  if (is_choice || !effect.range.empty()) {
    text = describe_outcome(model, effect.state, effect.contacts, *event.impact);
  }
  for (const std::string& range : effect.range) {  // the word of a jump is its size
    event.alternatives_text.push_back(range + " rad/s");
    text = effect.word + " rad/s: " + text;
    event.taken_text = text;
  }
  event.alternatives = std::move(effect.range);
  event.after = effect.state;
  at.state = std::move(effect.state);
  at.contacts = std::move(effect.contacts);
  at.tried.clear();
  Transition out{{ChoiceKind::kOutcome, std::move(effect.word)}, {}, std::move(at), {}, false, 0};
  out.choice.text = std::move(text);
  const bool collides = event.type == EventType::kImpact;
  const std::vector<int> contacts = event.contacts;
  out.events.push_back(std::move(event));
  if (collides) follow_collision(model, laws, contacts, out);
  const ModeWord word = out.next.contacts.make_word();
  out.events.back().modes_after = word;
  out.next.pending = SeeksMode{word, false, true};
  return out;
}

Transitions make_ways(const Model& model, HybridState at, const Laws& laws,
                      std::vector<ImpactEffect> effects, const Event& event) {
  Transitions out;
  out.question = Question::kImpact;
  out.state = at.state;
  for (ImpactEffect& effect : effects) {
    const bool last = &effect == &effects.back();
    HybridState from = last ? std::move(at) : at;
    out.ways.push_back(
        make_way(model, std::move(from), laws, std::move(effect), event, effects.size() > 1));
  }
  return out;
}

/// All contacts that are struck, whichever was tried first.
std::vector<int> list_struck(const ContactSet& contacts, const ImpactRecord& record, int tried) {
  std::vector<int> out;
  const double least = kResultRounding * record.impulse_n.cwiseAbs().maxCoeff();
  for (const int i : contacts.list()) {
    if (record.law == ImpactLaw::kFremond || std::abs(record.impulse_n[i]) > least) {
      out.push_back(i);
    }
  }
  if (out.empty()) out.push_back(tried);
  return out;
}

/// Open contacts that have just rebounded and have not moved yet.
PerContact<int> list_rebounding(const Model& model, const ContactSet& contacts) {
  PerContact<int> out;
  for (int i = 0; i < model.contact_count(); ++i) {
    if (contacts.leaving(i) == 1) out.push_back(i);
  }
  return out;
}

/// Two contacts that drive each other back without time passing may do so without end (a disc in a
/// groove). The limit of these impacts is one of both. True if contacts were added.
bool add_contacts_in_turn(const Model& model, const HybridState& at, const Laws& laws,
                          std::vector<int>& colliding) {
  constexpr int kMostTurns = 50;  // balls in a row take fewer; a decision has at most a hundred
  if (at.decisions < kMostTurns) return false;
  const std::size_t before = colliding.size();
  const ContactKinematics contacts = eval_contact_kinematics(model, at.state);
  for (int i = 0; i < model.contact_count(); ++i) {
    const bool is_known =
        at.contacts.find(i) != nullptr || std::count(colliding.begin(), colliding.end(), i) > 0;
    const bool touches = is_at_zero(model, i, contacts.gap[i], laws);
    if (!is_known && touches && eval_is_active(model, i, at.state)) colliding.push_back(i);
  }
  std::sort(colliding.begin(), colliding.end());
  return colliding.size() > before;
}

}  // namespace

Transitions find_outcomes(const Model& model, HybridState at, const Laws& laws,
                          const Collides& impact) {
  std::vector<int> contacts = impact.contacts;
  const bool joins = add_contacts_in_turn(model, at, laws, contacts);
  std::vector<ImpactEffect> effects = find_collisions(make_situation(model, at, laws), contacts);
  if (effects.empty()) {  // a surface drags in a contact that cannot move along it
    Transitions out = make_dead_end(at.state, EndReason::kInconsistent);
    out.events.push_back(make_event(model, at.state, EventType::kInconsistent, contacts,
                                    impact.before, impact.before));
    out.events.back().notes.emplace_back("no finite impulse ends the collision");
    return out;
  }
  const Event event =
      make_event(model, at.state, EventType::kImpact, contacts, impact.before, impact.before);
  if (joins) {
    for (ImpactEffect& effect : effects) {
      effect.notes.emplace_back("contacts collided in turn at one time: now they do so together");
    }
  }
  return make_ways(model, std::move(at), laws, std::move(effects), event);
}

Transitions find_outcomes(const Model& model, HybridState at, const Laws& laws,
                          const IsStruck& impulse) {
  at.bounces.clear();
  int contact = impulse.contact;
  std::vector<ImpactEffect> effects;
  const PerContact<int> rebounding = list_rebounding(model, at.contacts);
  if (contact >= 0) {
    effects = find_strikes(make_situation(model, at, laws), contact, rebounding, impulse.jammed);
  } else {
    const PerContact<ClosedContact> closed = at.contacts.closed();
    for (const ClosedContact& other : closed) {
      if (!effects.empty() || other.slip_sign == 0) continue;
      effects = find_strikes(make_situation(model, at, laws), other.index, rebounding, false);
      contact = other.index;
    }
  }
  if (effects.empty()) return make_dead_end(at.state, EndReason::kInconsistent);
  if (!at.struck.empty() && at.struck[0].time != at.state.time) at.struck.clear();
  at.struck.push_back(at.state);
  const Event event = make_event(model, at.state, EventType::kTangentialImpact,
                                 list_struck(at.contacts, effects[0].record, contact),
                                 impulse.before, impulse.before);
  return make_ways(model, std::move(at), laws, std::move(effects), event);
}

int find_strikable(const Model& model, const State& state, const ContactSet& contacts,
                   const Laws& laws) {
  const ImpactSituation at{model, state, contacts, laws.impact, laws.tolerances};
  const PerContact<int> rebounding = list_rebounding(model, contacts);
  for (const ClosedContact& contact : contacts.closed()) {
    if (!can_be_struck(model, state, contacts.closed(), contact)) continue;
    if (!find_strikes(at, contact.index, rebounding, false).empty()) return contact.index;
  }
  return -1;
}

bool was_struck(const Model& model, const HybridState& at) {
  const VecQ scale = make_coordinate_scale(model);
  return std::any_of(at.struck.begin(), at.struck.end(), [&](const State& earlier) {
    const double change = (at.state.v - earlier.v).cwiseAbs().cwiseQuotient(scale).maxCoeff();
    return earlier.time == at.state.time && change <= kSameVelocity * eval_rate(model, at.state);
  });
}

}  // namespace slipstick
