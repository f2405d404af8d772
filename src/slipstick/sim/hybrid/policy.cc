#include "slipstick/sim/hybrid/policy.h"

#include <algorithm>
#include <utility>

namespace slipstick {
namespace {

template <class Policy>
Decision find_decision(Policy policy) {
  if (policy == Policy::kBranch) return Decision::kTakeAll;
  return policy == Policy::kStop ? Decision::kStop : Decision::kTakeFirst;
}

bool offers(const Transitions& found, ChoiceKind kind) {
  return std::any_of(found.ways.begin(), found.ways.end(),
                     [&](const Transition& way) { return way.choice.kind == kind; });
}

void move_to_front(ChoiceKind kind, Transitions& found) {
  std::stable_partition(found.ways.begin(), found.ways.end(),
                        [&](const Transition& way) { return way.choice.kind == kind; });
}

/// How well a mode fits the policy: the number of contacts of the event that open, or whether any
/// slides.
std::ptrdiff_t count_wanted(const Choice& choice, OnIndeterminate policy, const Event& event) {
  if (policy == OnIndeterminate::kSlip) {
    return std::any_of(choice.modes.begin(), choice.modes.end(), is_sliding) ? 1 : 0;
  }
  std::ptrdiff_t out = 0;
  for (std::size_t i = 0; i < choice.modes.size(); ++i) {
    const bool may_open =
        is_closed(event.modes_before[i]) ||
        std::count(event.contacts.begin(), event.contacts.end(), static_cast<int>(i)) > 0;
    if (may_open && choice.modes[i] == ContactMode::kFree) ++out;
  }
  return out;
}

/// Sorts modes by what the policy wants, then by the smallest forces. An impulse comes last.
void sort_modes(OnIndeterminate policy, Transitions& found) {
  const Event& event = found.events.back();
  const auto rank = [&](const Choice& choice) {
    return choice.kind == ChoiceKind::kMode
               ? std::tuple(0, -count_wanted(choice, policy, event), choice.force)
               : std::tuple(1, std::ptrdiff_t{0}, 0.0);
  };
  std::stable_sort(
      found.ways.begin(), found.ways.end(),
      [&](const Transition& a, const Transition& b) { return rank(a.choice) < rank(b.choice); });
}

void note_mode(OnIndeterminate policy, const Choice& taken, const Choice* impulse, Event& event) {
  const bool takes_mode = taken.kind == ChoiceKind::kMode;
  if (takes_mode && find_decision(policy) == Decision::kTakeFirst) {
    event.modes_after = taken.modes;
    if (count_wanted(taken, policy, event) == 0 && policy != OnIndeterminate::kImpact) {
      event.policy.clear();
      event.notes.emplace_back(
          policy == OnIndeterminate::kSlip
              ? "no mode slides: the one with the smallest forces was taken"
              : "no contact can lift off: the mode with the smallest forces was taken");
    }
  }
  if (impulse != nullptr && impulse->leads_back) {
    event.notes.emplace_back(
        "an impact leads back to this state: the motion continues in another mode");
  }
  if (policy == OnIndeterminate::kImpact && impulse == nullptr) {
    event.notes.emplace_back(
        "no impulse without collision satisfies the law: the motion continues in another mode");
  }
}

Decision decide_mode(OnIndeterminate policy, Transitions& found) {
  Event& event = found.events.back();
  event.policy = find_word(kOnIndeterminate, policy);
  sort_modes(policy, found);
  // Read before the impulse may move to the front.
  const bool is_unique = found.ways.front().choice.acceleration_is_unique;
  const Choice* impulse = offers(found, ChoiceKind::kImpulse) ? &found.ways.back().choice : nullptr;
  const bool strikes =
      policy == OnIndeterminate::kImpact && impulse != nullptr && !impulse->leads_back;
  if (policy == OnIndeterminate::kImpact && !strikes) event.policy.clear();
  note_mode(policy, strikes ? *impulse : found.ways.front().choice, impulse, event);
  if (!is_unique) {
    event.notes.emplace_back("a family of accelerations satisfies the laws; one member was taken");
  }
  if (strikes) move_to_front(ChoiceKind::kImpulse, found);
  return find_decision(policy);
}

Decision decide_jam(OnJam policy, Transitions& found) {
  Event& event = found.events.back();
  event.policy = find_word(kOnJam, policy);
  if (policy == OnJam::kLiftOff && !found.no_lift_off.empty()) {
    const bool strikes = offers(found, ChoiceKind::kImpulse);
    event.notes.insert(event.notes.begin(),
                       found.no_lift_off + (strikes ? ": an impact was taken" : ""));
    event.policy.clear();
  }
  if (policy == OnJam::kLiftOff) move_to_front(ChoiceKind::kLiftOff, found);
  if (policy == OnJam::kImpact && !offers(found, ChoiceKind::kImpulse)) event.policy.clear();
  return find_decision(policy);
}

Decision decide_passage(OnIndeterminate policy, Transitions& found) {
  Event& event = found.events.back();
  event.policy = find_word(kOnIndeterminate, policy);
  if (policy == OnIndeterminate::kLiftOff && !found.no_lift_off.empty()) {
    event.notes.insert(event.notes.begin() + 1, found.no_lift_off);
    event.policy.clear();
  }
  if (policy == OnIndeterminate::kSlip && !offers(found, ChoiceKind::kSlideOn)) {
    event.policy.clear();
  }
  if (policy == OnIndeterminate::kLiftOff) move_to_front(ChoiceKind::kLiftOff, found);
  if (policy == OnIndeterminate::kImpact) move_to_front(ChoiceKind::kImpulse, found);
  return find_decision(policy);
}

/// The outcome of an impact; each transition has it in an event of its own.
Decision decide_outcome(OnImpact policy, Transitions& found) {
  if (found.ways.size() > 1) {
    for (Transition& way : found.ways) {
      Event& event = way.events.front();
      event.policy = find_word(kOnImpact, policy);
      event.taken_text = way.choice.text;
      std::vector<std::string> words;
      std::vector<std::string> texts;
      for (const Transition& other : found.ways) {
        if (&other == &way) continue;
        words.push_back(other.choice.word);
        texts.push_back(other.choice.text);
      }
      event.alternatives.insert(event.alternatives.begin(), words.begin(), words.end());
      event.alternatives_text.insert(event.alternatives_text.begin(), texts.begin(), texts.end());
    }
  }
  return policy == OnImpact::kBranch ? Decision::kTakeAll : Decision::kTakeFirst;
}

Decision decide_impulse(const SimulationOptions& options, Transitions& found) {
  Event& event = found.events.back();
  if (options.on_inconsistent == OnInconsistent::kStop) {
    event.policy = find_word(kOnInconsistent, options.on_inconsistent);
    event.taken_text.clear();
    return Decision::kStop;
  }
  if (!found.ways.empty()) {
    event.policy = find_word(kOnInconsistent, options.on_inconsistent);
  }
  return decide_outcome(options.on_impact, found);
}

/// Lists the alternatives that are not taken.
Decision tell_others(Decision decision, Transitions& found) {
  Event& event = found.events.back();
  const bool takes_first = decision == Decision::kTakeFirst ||
                           (decision == Decision::kTakeAll && found.ways.size() == 1);
  for (std::size_t i = takes_first ? 1 : 0; i < found.ways.size(); ++i) {
    event.alternatives.push_back(found.ways[i].choice.word);
    event.alternatives_text.push_back(found.ways[i].choice.text);
  }
  if (takes_first && !found.ways.empty()) event.taken_text = found.ways.front().choice.text;
  // A branching with one way does not count as a choice.
  if (decision == Decision::kTakeAll && takes_first) event.policy.clear();
  return decision;
}

EndReason find_reason(Question question) {
  if (question == Question::kInconsistent) return EndReason::kInconsistent;
  return question == Question::kJam ? EndReason::kJam : EndReason::kIndeterminate;
}

}  // namespace

Decision decide(const SimulationOptions& options, Transitions& found) {
  Decision out = Decision::kTakeFirst;
  switch (found.question) {
    case Question::kNone:
      break;
    case Question::kImpact:
      out = decide_outcome(options.on_impact, found);
      break;
    case Question::kInconsistent:
      out = decide_impulse(options, found);
      break;
    case Question::kIndeterminate:
      out = tell_others(decide_mode(options.on_indeterminate, found), found);
      break;
    case Question::kJam:
      out = tell_others(decide_jam(options.on_jam, found), found);
      break;
    case Question::kPassage:
      out = tell_others(decide_passage(options.on_indeterminate, found), found);
      break;
  }
  if (out == Decision::kStop) {
    found.end = RunEnd{find_reason(found.question), found.state.time, {}};
  }
  return out;
}

}  // namespace slipstick
