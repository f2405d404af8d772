#pragma once

/// A motion that is being followed, by modes and transitions in turn.

#include <vector>

#include "slipstick/sim/events/integrate.h"
#include "slipstick/sim/hybrid/transition.h"

namespace slipstick {

class Motion {
 public:
  Motion(const Model& model, const State& initial, const SimulationOptions& options);
  /// Goes on from there.
  Motion(const Model& model, HybridState at, const SimulationOptions& options);

  /// Decides all that is pending.
  void settle();
  /// Follows the motion until it ends or branches.
  void go_on();
  /// The run since the start or since the last branching.
  [[nodiscard]] Run take_run();
  /// Where it is.
  [[nodiscard]] const HybridState& at() const { return at_; }

  /// After a branching: the transitions that were found.
  [[nodiscard]] const std::vector<Transition>& ways() const { return ways_; }
  /// A separate motion that follows one of them, with nothing pending.
  [[nodiscard]] Motion follow(const Transition& way) const;
  [[nodiscard]] bool has_same_future(const Motion& other) const;

 private:
  void move();
  void advance(Transitions found);
  void take(Transition way);
  void tell(Event event);
  void complete_last_event(HybridState next);
  bool tell_minor(const MinorChange& change);
  void finish(const RunEnd& end);

  const Model& model_;
  const SimulationOptions& options_;
  Laws laws_;
  HybridState at_;
  Pace pace_;
  Run run_;
  std::vector<Transition> ways_;
  int earlier_events_ = 0;  ///< before the last branching
  int crossings_ = 0;       ///< of the section
  bool ended_ = false;
};

}  // namespace slipstick
