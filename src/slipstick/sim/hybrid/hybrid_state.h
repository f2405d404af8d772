#pragma once

/// A motion at one instant: everything on which its future depends.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "slipstick/model/time_functions.h"
#include "slipstick/run.h"
#include "slipstick/sim/hybrid/contact_set.h"
#include "slipstick/sim/mode/mode.h"
#include "slipstick/sim/singular/passage.h"
#include "slipstick/sim/singular/zeno.h"

namespace slipstick {

/// What determines a motion besides its state.
struct Laws {
  std::optional<ImpactLaw> impact;  ///< instead of the contacts' own
  double until = 0.0;               ///< loads may be undefined beyond it [s]
  double tolerance = 0.0;           ///< of the integration
  Tolerances tolerances;
};
[[nodiscard]] Laws make_laws(const SimulationOptions& options);

// The decision that is pending before the motion goes on:

/// none: it continues in its mode;
struct Moves {
  [[nodiscard]] bool operator==(const Moves&) const = default;
};
/// the mode, by the contact forces;
struct SeeksMode {
  ModeWord before;               ///< the modes until now
  bool tells_changes = false;    ///< changes of modes are events of their own
  bool completes_event = false;  ///< the modes are those after the last event, an impulse

  [[nodiscard]] bool operator==(const SeeksMode&) const = default;
};
/// the outcome of an impact of these contacts;
struct Collides {
  std::vector<int> contacts;
  ModeWord before;

  [[nodiscard]] bool operator==(const Collides&) const = default;
};
/// an impulse without collision at this contact.
struct IsStruck {
  int contact = -1;
  ModeWord before;
  bool jammed = false;  ///< its force grew without bound

  [[nodiscard]] bool operator==(const IsStruck&) const = default;
};
using Pending = std::variant<Moves, SeeksMode, Collides, IsStruck>;

/// A plain value: two that are equal have the same future to the last bit, and one that is written
/// and read again (io/json/hybrid_state_json.h) goes on as if it had not been.
struct HybridState {
  State state;
  ContactSet contacts;
  Mode mode;  ///< the last one
  /// Per contact of the model, the order of the zero of its gap or slip at the start of the mode.
  PerContact<int> opening;
  std::optional<SmoothForces> forces;  ///< with which the mode starts, at d = 0
  Pending pending;
  std::optional<TimeStop> stop;  ///< where formulas of time change next
  ZenoWatch bounces;
  std::vector<State> struck;  ///< before each impulse without collision at one time
  /// Per coordinate the largest rate of its tree of bodies since the last mode began [1/s]; `moved`
  /// without the rates that gravity and forces would give it.
  VecQ fastest, moved;
  VecQ acceleration;  ///< at the start of the mode
  double last_decision = 0.0;
  int decisions = 0;  ///< at that time
  /// Modes that have begun at that time, since the last impulse.
  std::vector<ModeWord> tried{};

  [[nodiscard]] bool moves() const { return std::holds_alternative<Moves>(pending); }
  [[nodiscard]] bool operator==(const HybridState& other) const;
};

/// The motion from a state in which no contact is penetrated, before its first mode is known.
[[nodiscard]] HybridState make_start(const Model& model, const State& initial, const Laws& laws);

/// True if hardly anything has moved since the last decision.
[[nodiscard]] bool is_at_once(const Model& model, const HybridState& at);

/// Finds the next time at which formulas of time change.
void find_stop(const Model& model, const Laws& laws, HybridState& at);

/// Records the rates of the mode that has just ended and drops those before it. `start`: of that
/// mode.
void note_motion(const Model& model, const State& start, HybridState& at);

/// True for the same time, place and rates, up to rounding of a motion with this rate [1/s].
[[nodiscard]] bool is_same_state(const Model& model, const State& a, const State& b, double rate);
/// True if both motions continue in the same way.
[[nodiscard]] bool has_same_future(const Model& model, const HybridState& a, const HybridState& b);

/// Per coordinate the speed of its tree of bodies [1/s].
[[nodiscard]] VecQ eval_speeds(const Model& model, const State& state);
/// The same, but at least the speed that gravity gives.
[[nodiscard]] VecQ eval_rates(const Model& model, const State& state);
/// The rate of the present motion [1/s], because near a jam the largest rate so far may be
/// arbitrary.
[[nodiscard]] double eval_rate(const Model& model, const State& state);
/// Speed of a contact for given rates per coordinate [m/s].
[[nodiscard]] double find_speed(const Model& model, int contact, const VecQ& rates);

/// True if a contact is at its surface, up to rounding of the gap.
[[nodiscard]] bool is_at_zero(const Model& model, int contact, double gap, const Laws& laws);

}  // namespace slipstick
