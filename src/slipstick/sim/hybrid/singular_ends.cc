#include "slipstick/sim/hybrid/singular_ends.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "slipstick/mode_letters.h"
#include "slipstick/sim/hybrid/choice_text.h"
#include "slipstick/sim/hybrid/continuation.h"
#include "slipstick/sim/hybrid/impacts.h"
#include "slipstick/sim/hybrid/next_mode.h"
#include "slipstick/sim/hybrid/strikes.h"
#include "slipstick/sim/singular/jam.h"

namespace slipstick {
namespace {

bool are_unilateral(const Model& model, const PerContact<int>& contacts) {
  return std::none_of(contacts.begin(), contacts.end(),
                      [&](int i) { return model.contacts[static_cast<std::size_t>(i)].bilateral; });
}

/// Opens contacts at p = b = 0, whose gap, rate and acceleration are zero.
void open(const PerContact<int>& contacts, HybridState& at) {
  for (const int i : contacts) at.contacts.open(i, 3);
  at.bounces.clear();
}

Transition make_lift_off(const Model& model, HybridState at, const PerContact<int>& contacts) {
  open(contacts, at);
  at.pending = SeeksMode{at.mode.word, true, false};
  Transition out{{ChoiceKind::kLiftOff, "lift-off"}, {}, std::move(at), {}, false, 0};
  out.choice.text = describe_lift_off(model, to_vector(contacts));
  return out;
}

/// The impulse at a jam; nothing if no impulse satisfies the law of impact.
std::optional<Transition> make_impulse(const Model& model, const HybridState& at, const Laws& laws,
                                       int contact) {
  IsStruck impulse{contact, at.mode.word, true};
  if (find_outcomes(model, at, laws, impulse).ways.empty()) return std::nullopt;
  Transition out{{ChoiceKind::kImpulse, "impact"}, {}, at, {}, false, 0};
  out.choice.text = describe_impulse(model, {contact});
  out.next.pending = std::move(impulse);
  return out;
}

/// The mode that ended continues beyond p = b = 0, where p < 0 < b, with the force that it has
/// there.
Transition make_slide(const Model& model, HybridState at, const SmoothForces& forces) {
  at.forces = forces;
  at.opening.assign(model.contacts.size(), 0);
  ModeSolution solution;
  solution.modes = at.mode.word;
  solution.force_n = VecC::Zero(model.contact_count());
  const Vec2C values = forces.eval(at.state.time);
  for (std::size_t i = 0; i < at.mode.closed.size(); ++i) {
    solution.force_n[at.mode.closed[i].contact] = values[static_cast<Eigen::Index>(2 * i)];
  }
  Transition out{{ChoiceKind::kSlideOn, to_letters(at.mode.word)},
                 {},
                 std::move(at),
                 {},
                 false,
                 forces.evaluations};
  out.choice.text = describe_mode(model, solution.modes, solution);
  return out;
}

/// What has become zero at d = 0.
std::vector<Guard> list_mobilities(const PerContact<int>& contacts) {
  std::vector<Guard> out;
  for (const int i : contacts) out.push_back({GuardType::kMobility, i});
  return out;
}

/// No transition leads on from the event in the list.
void note_dead_end(Transitions& found) {
  found.end = RunEnd{EndReason::kInconsistent, found.state.time, {}};
  found.events.back().notes.emplace_back(
      "no finite impulse satisfies the law of impact either: the motion cannot continue");
}

/// The contacts of the tree of bodies whose forces have grown most.
std::vector<int> list_locked(const Model& model, const HybridState& at) {
  const ModeField field = eval_mode_field(model, at.mode, at.state);
  const std::vector<int> all = to_vector(at.mode.indices);
  if (!field.regular) return all;
  Eigen::Index largest = 0;
  (void)field.impulse_rate.cwiseAbs().maxCoeff(&largest);
  const auto tree_of = [&](int i) { return model.contacts[static_cast<std::size_t>(i)].group; };
  const int locked = tree_of(all[static_cast<std::size_t>(largest / 2)]);
  std::vector<int> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [&](int i) { return tree_of(i) == locked; });
  return out;
}

/// Marks the events that a note of note_first_event() goes to.
void mark_marginal(Transitions& found) {
  if (!found.events.empty()) return void(found.events.front().marginal = true);
  for (Transition& way : found.ways) {
    if (!way.events.empty()) way.events.front().marginal = true;
  }
}

}  // namespace

Transitions pass_jam(const Model& model, HybridState at, const Laws& laws, const ModeEnd& end) {
  const PerContact<int> jamming = list_jamming(model, at.mode, at.state);
  Transitions out;
  out.question = Question::kJam;
  out.state = at.state;
  Event& event = out.events.emplace_back(
      make_event(model, at.state, EventType::kJam, to_vector(jamming), at.mode.word, at.mode.word));
  event.exponent = end.exponent;
  event.marginal = end.marginal;
  event.guards = list_mobilities(jamming);
  if (end.marginal) {
    event.notes.emplace_back("marginal: lift-off or sticking is not excluded at p < 1e-13");
  }
  if (auto impulse = make_impulse(model, at, laws, jamming[0])) {
    out.ways.push_back(std::move(*impulse));
  }
  const bool can_open = are_unilateral(model, jamming);
  if (can_open && opens_after_release(model, at.state, jamming)) {
    out.ways.push_back(make_lift_off(model, std::move(at), jamming));
  } else {
    out.no_lift_off = can_open ? "lift-off would penetrate" : "a bilateral contact does not open";
  }
  if (out.ways.empty()) note_dead_end(out);
  return out;
}

Transitions end_in_lock(const Model& model, const HybridState& at, const ModeEnd& end) {
  Transitions out = make_dead_end(at.state, EndReason::kJam);
  Event& event = out.events.emplace_back(make_event(
      model, at.state, EventType::kJam, list_locked(model, at), at.mode.word, at.mode.word));
  event.exponent = end.exponent;
  event.notes.emplace_back(
      "a surface drives the contacts to where they lock: the motion cannot continue");
  return out;
}

Transitions pass_return(const Model& model, HybridState at, const Laws& laws, const ModeEnd& end) {
  const ModeWord& word = at.mode.word;
  const PerContact<int> jamming = list_jamming(model, at.mode, at.state);
  Event event =
      make_event(model, at.state, EventType::kTangentialImpact, to_vector(jamming), word, word);
  ImpactEffect effect = apply_impulses({model, at.state, at.contacts, laws.impact, laws.tolerances},
                                       at.mode, jamming[0], end.impulses);
  event.impact = std::move(effect.record);
  event.energy_before = effect.energy_before;
  event.energy_after = effect.energy_after;
  event.after = effect.state;
  event.guards = list_mobilities(jamming);
  event.notes.emplace_back("near p = 0 the force acts like an impulse, and sliding goes on");
  Transition way{
      {ChoiceKind::kSlideOn, to_letters(word)}, {std::move(event)}, std::move(at), {}, false, 0};
  HybridState& next = way.next;
  next.state = std::move(effect.state);
  next.opening.assign(model.contacts.size(), 0);
  next.acceleration = VecQ::Zero(model.size());
  next.bounces.clear();
  next.tried.clear();
  next.pending = Moves{};
  return make_only(std::move(way));
}

Transitions pass_with_finite_force(const Model& model, HybridState at, const Laws& laws,
                                   const ModeEnd& end) {
  const PerContact<int> jamming = list_jamming(model, at.mode, at.state);
  Transitions out;
  out.question = Question::kPassage;
  out.state = at.state;
  Event& event = out.events.emplace_back(make_event(
      model, at.state, EventType::kIndeterminate, to_vector(jamming), at.mode.word, at.mode.word));
  event.guards = list_mobilities(jamming);
  event.notes.emplace_back("p and b vanish together with a finite force");
  const std::optional<SmoothForces> forces =
      find_smooth_forces(model, at.mode, at.state, laws.tolerance);
  if (forces) {
    out.ways.push_back(make_slide(model, at, *forces));
  } else {
    event.notes.emplace_back("no smooth motion that slides on was found");
  }
  event.marginal = end.marginal;
  if (end.marginal) event.notes.emplace_back("marginal: a jam is not excluded at p < 1e-13");
  if (auto impulse = make_impulse(model, at, laws, jamming[0])) {
    out.ways.push_back(std::move(*impulse));
  }
  if (!are_unilateral(model, jamming)) {  // bilateral contacts cannot lift off and only slide on
  } else if (opens_after_release(model, at.state, jamming)) {
    out.ways.push_back(make_lift_off(model, std::move(at), jamming));
  } else {
    out.no_lift_off = "lift-off would penetrate";
  }
  if (out.ways.empty()) note_dead_end(out);
  return out;
}

Transitions pass_separation(const Model& model, HybridState at, const Laws& laws) {
  const SeeksMode cause{at.mode.word, true, false};
  const PerContact<int> released = list_first_released(model, at.mode, at.state);
  open(released, at);
  Transitions out = find_next_modes(model, std::move(at), laws, cause, nullptr);
  for (Transition& way : out.ways) {
    for (Event& event : way.events) {
      for (const int i : released) event.guards.push_back({GuardType::kForce, i});
    }
  }
  note_first_event(out, "marginal: the force vanishes only at p < 1e-13, so a jam is not excluded");
  mark_marginal(out);
  return out;
}

}  // namespace slipstick
