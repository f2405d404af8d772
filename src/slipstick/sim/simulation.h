#pragma once

/// The hybrid driver: motion in one mode, events, impacts, and the next mode by the contact laws.
/// Internal to this folder; simulate.h is the way in.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "slipstick/sim/contact_set.h"
#include "slipstick/sim/impacts.h"
#include "slipstick/sim/integrate.h"
#include "slipstick/sim/run.h"
#include "slipstick/sim/zeno.h"

namespace slipstick {

class Simulation;

/// One way to go on where the laws leave several.
struct Choice {
  std::string word;
  std::function<void(Simulation&)> follow;
};

/// Why a new mode is looked for.
struct Cause {
  ModeWord before;              ///< the letters until now
  const Mode* ended = nullptr;  ///< the mode, if a vanishing force ended it
  bool tells_changes = false;   ///< changes of letters are events of their own
};

class Simulation {
 public:
  Simulation(const Model& model, State initial, const SimulationOptions& options);

  /// Decides the first mode.
  void start();
  /// Follows the motion until it ends or branches.
  void go_on();
  /// What happened since the start or the last branching.
  [[nodiscard]] Run take_run();

  // After a branching:
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  /// A motion of its own that has made this choice.
  [[nodiscard]] Simulation branch(const Choice& choice) const;
  /// True if both go on in the same way.
  [[nodiscard]] bool has_same_future(const Simulation& other) const;

 private:
  // What a mode's end means (simulation.cc).
  void handle_end(const ModeEnd& end);
  /// What the guards that ended a mode mean.
  struct Fired {
    std::vector<int> colliding;
    PerContact<int> touching, stopping;
    PerContact<int> beginning;    ///< to exist
    bool force_vanished = false;  ///< or left its cone
    bool leaves = false;          ///< a contact leaves its surface
  };
  [[nodiscard]] Fired read_guards(const std::vector<Guard>& guards);
  void handle_guards(const ModeEnd& end);
  void find_stop();
  void pass_stop();
  [[nodiscard]] std::vector<int> begin_contacts(const PerContact<int>& beginning);
  [[nodiscard]] PerContact<int> list_rebounding() const;
  void stop(const PerContact<int>& touching, const PerContact<int>& stopping);
  void hold(const ContactSet& contacts);
  bool hold_rounding(const ContactSet& contacts);
  void read_slips();

  // The next mode.
  void resolve(const Cause& cause);
  void close_touching();
  [[nodiscard]] ModeList list_continuations(const State& state, const Cause& cause) const;
  [[nodiscard]] ModeList look_later(const Cause& cause);
  [[nodiscard]] ModeList look_closer(const Cause& cause) const;
  [[nodiscard]] PerContact<int> name_slow_starts(ModeSolution& solution) const;
  [[nodiscard]] bool is_in_dead_centre(int contact) const;
  void adopt(const ModeSolution& solution, const Cause& cause);
  [[nodiscard]] bool may_wake() const;
  [[nodiscard]] bool is_at_rest(const ModeSolution& solution) const;
  [[nodiscard]] bool is_held() const;

  [[nodiscard]] double eval_rate() const;
  [[nodiscard]] VecQ eval_rates() const;
  [[nodiscard]] VecQ eval_speeds() const;
  [[nodiscard]] double find_speed(int contact, const VecQ& rates) const;
  void note_motion(const State& start);

  // Where the laws do not decide (choices.cc).
  enum class Decision { kTakeFirst, kBranch, kStop };
  template <class Policy>
  [[nodiscard]] static Decision find_decision(Policy policy) {
    if (policy == Policy::kBranch) return Decision::kBranch;
    return policy == Policy::kStop ? Decision::kStop : Decision::kTakeFirst;
  }
  void decide(Event event, std::vector<Choice> choices, Decision decision, EndReason stop);
  void handle_inconsistent(const ModeWord& before);
  void handle_indeterminate(const ModeList& modes, const Cause& cause);
  void handle_jam(const ModeEnd& end);
  void handle_lock(const ModeEnd& end);
  void handle_passage(const ModeEnd& end);
  void handle_separation();
  bool tell_minor(const MinorChange& change);
  [[nodiscard]] std::vector<std::string> list_others(const State& state) const;
  void slide_on(const SmoothForces& forces);
  void separate(const PerContact<int>& contacts, const ModeWord& before);
  [[nodiscard]] int find_strikable(const State& state) const;
  [[nodiscard]] bool was_struck() const;
  [[nodiscard]] bool has_force_surely() const;
  [[nodiscard]] bool passes_dead_centre() const;
  void strike(int contact, const ModeWord& before, bool jammed);

  // Impacts.
  [[nodiscard]] ImpactSituation make_situation() const;
  void collide(const std::vector<int>& colliding, const ModeWord& before);
  void offer(const std::vector<ImpactEffect>& effects, EventType type,
             const std::vector<int>& contacts, const ModeWord& before);
  void take(const ImpactEffect& effect, EventType type, const std::vector<int>& contacts,
            const ModeWord& before, std::vector<std::string> alternatives);
  bool end_bounces(double slow);
  bool close_slowly(const PerContact<int>& contacts, const VecQ& rates);
  [[nodiscard]] PerContact<int> list_closing(const ZenoLimit& limit) const;
  [[nodiscard]] bool is_clear_until(const ZenoLimit& limit, const PerContact<int>& closing) const;
  [[nodiscard]] bool comes_to_rest(ZenoLimit& limit, const std::vector<int>& last) const;
  void settle(const ZenoLimit& limit);
  void resolve_after_impulse();
  void relabel(const std::vector<int>& contacts);

  // The log.
  template <class Contacts>
  [[nodiscard]] Event make_event(EventType type, const Contacts& contacts, const ModeWord& before,
                                 const ModeWord& after) const {
    return make_event(type, contacts, before, after, eval_kinetic_energy(model_, state_));
  }
  template <class Contacts>
  [[nodiscard]] Event make_event(EventType type, const Contacts& contacts, const ModeWord& before,
                                 const ModeWord& after, double energy) const;
  void push(Event event);
  void tell_changes(const ModeWord& before, const ModeWord& after);
  void finish(EndReason reason, std::string detail = {});

  const Model& model_;
  const SimulationOptions& options_;
  Tolerances tolerances_;
  VecQ scale_;
  State state_;
  ContactSet contacts_;
  Mode mode_;
  PerContact<int> opening_;
  std::optional<SmoothForces> forces_;  ///< with which the mode starts, at d = 0
  ZenoWatch impacts_;
  Pace pace_;
  Run run_;
  std::vector<Choice> choices_;
  std::vector<State> struck_;     ///< before each impulse without collision at one time
  std::optional<TimeStop> stop_;  ///< where formulas of time change next
  /// Per coordinate the largest rate of its tree of bodies since the last mode began [1/s], and the
  /// same without what gravity and forces would make of it.
  VecQ fastest_, moved_;
  VecQ acceleration_;  ///< at the start of the mode
  double last_decision_ = 0.0;
  int decisions_ = 0;       ///< at that time
  int earlier_events_ = 0;  ///< before the last branching
  int crossings_ = 0;       ///< of the section
  bool ended_ = false;
};

template <class Contacts>
Event Simulation::make_event(EventType type, const Contacts& contacts, const ModeWord& before,
                             const ModeWord& after, double energy) const {
  Event event;
  event.time = state_.time;
  event.type = type;
  event.contacts.assign(contacts.begin(), contacts.end());
  event.modes_before = before;
  event.modes_after = after;
  event.before = event.after = state_;
  event.energy_before = event.energy_after = energy;
  return event;
}

}  // namespace slipstick
