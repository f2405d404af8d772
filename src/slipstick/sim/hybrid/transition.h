#pragma once

/// How a motion can continue where its mode has ended, as values: none, one or several transitions.
/// The laws find them (find_transitions.h); a policy chooses the one to follow (policy.h).

#include <optional>
#include <string>
#include <vector>

#include "slipstick/sim/hybrid/hybrid_state.h"
#include "slipstick/why.h"

namespace slipstick {

enum class ChoiceKind {
  kMode,     ///< contact forces of this mode
  kOutcome,  ///< an outcome of an impact
  kImpulse,  ///< an impulse without collision, to be found
  kLiftOff,  ///< at p = 0
  kSlideOn,  ///< through p = b = 0 with a finite force, or after a return from near p = 0
};

/// What distinguishes a transition from the others.
struct Choice {
  ChoiceKind kind = ChoiceKind::kMode;
  std::string word;                    ///< for programs, and short
  ModeWord modes{};                    ///< of a mode
  double force = 0.0;                  ///< of a mode: sum of the normal forces' sizes [N]
  bool acceleration_is_unique = true;  ///< of a mode
  bool leads_back = false;             ///< of an impulse: to a state where it acted already
  std::string text{};                  ///< for people: what moves how (choice_text.h)
};

/// One way to continue.
struct Transition {
  Choice choice;
  std::vector<Event> events;  ///< that happen on it
  HybridState next;
  std::optional<RunEnd> end;     ///< the motion ends there
  bool completes_event = false;  ///< its mode belongs to the last event before it
  int evaluations = 0;           ///< of the field of motion, spent on finding it
};

/// The kind of choice, and so the policy that decides.
enum class Question { kNone, kImpact, kInconsistent, kIndeterminate, kJam, kPassage };

struct Transitions {
  Question question = Question::kNone;
  std::vector<Event> events;  ///< that happen in any case
  std::vector<Transition> ways;
  std::string no_lift_off;    ///< why lift-off is not possible here; empty: it is
  State state;                ///< at which the choice is made
  std::optional<RunEnd> end;  ///< the end of the run, if there is no way on
};

/// The only transition, or the end.
[[nodiscard]] Transitions make_only(Transition way);
[[nodiscard]] Transitions make_dead_end(const State& state, EndReason reason, Why why = {});

/// Adds a note to the first event that follows, if there is one.
void note_first_event(Transitions& found, const std::string& note);

/// An event at the present state, with its kinetic energy.
[[nodiscard]] Event make_event(const Model& model, const State& state, EventType type,
                               std::vector<int> contacts, const ModeWord& before,
                               const ModeWord& after);
[[nodiscard]] inline std::vector<int> to_vector(const PerContact<int>& list) {
  return {list.begin(), list.end()};
}

}  // namespace slipstick
