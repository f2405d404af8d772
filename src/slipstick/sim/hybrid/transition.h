#pragma once

/// How a motion can go on where its mode has ended, as values: none, one or several ways. Finding
/// them is the laws' business; which one is followed is that of a policy (policy.h).

#include <optional>
#include <string>
#include <vector>

#include "slipstick/sim/hybrid/hybrid_state.h"
#include "slipstick/why.h"

namespace slipstick {

enum class ChoiceKind {
  kMode,     ///< contact forces of this mode
  kOutcome,  ///< what an impact leaves
  kImpulse,  ///< an impulse without collision, to be found
  kLiftOff,  ///< at p = 0
  kSlideOn,  ///< through p = b = 0 with a finite force
};

/// What tells a way from the others.
struct Choice {
  ChoiceKind kind = ChoiceKind::kMode;
  std::string word;                    ///< for people
  ModeWord modes{};                    ///< of a mode
  double force = 0.0;                  ///< of a mode: sum of the normal forces' sizes [N]
  bool acceleration_is_unique = true;  ///< of a mode
  bool leads_back = false;             ///< of an impulse: to a state where it acted already
};

/// One way on.
struct Transition {
  Choice choice;
  std::vector<Event> events;  ///< what happens on it
  HybridState next;
  std::optional<RunEnd> end;     ///< the motion ends there
  bool completes_event = false;  ///< its mode is what the last event before it led to
  int evaluations = 0;           ///< of the field of motion, spent on finding it
};

/// What leaves the ways open, and so which policy is asked.
enum class Question { kNone, kImpact, kInconsistent, kIndeterminate, kJam, kPassage };

struct Transitions {
  Question question = Question::kNone;
  std::vector<Event> events;  ///< what happens whichever way is followed
  std::vector<Transition> ways;
  std::string no_lift_off;    ///< why a policy cannot have it; empty: nothing forbids it
  State state;                ///< where the ways part
  std::optional<RunEnd> end;  ///< why there is no way
};

/// The only way, or the end.
[[nodiscard]] Transitions make_only(Transition way);
[[nodiscard]] Transitions make_dead_end(const State& state, EndReason reason, Why why = {});

/// Adds a note to the first event that follows, if any does.
void note_first_event(Transitions& found, const std::string& note);

/// An event at the present state, with its energy.
[[nodiscard]] Event make_event(const Model& model, const State& state, EventType type,
                               std::vector<int> contacts, const ModeWord& before,
                               const ModeWord& after);
[[nodiscard]] inline std::vector<int> to_vector(const PerContact<int>& list) {
  return {list.begin(), list.end()};
}

}  // namespace slipstick
