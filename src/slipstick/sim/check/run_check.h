#pragma once

/// The check of one run. Internal to this folder; use check.h.

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "slipstick/run.h"
#include "slipstick/sim/check/findings.h"
#include "slipstick/sim/check/impact_traits.h"
#include "slipstick/sim/check/mechanism.h"
#include "slipstick/sim/check/tolerances.h"
#include "slipstick/sim/mode/mode_equations.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick::check {

/// The motion at one point of a step: derivatives by theta, which goes from 0 to 1 over the step.
struct Node {
  State state;
  double pace = 0.0;  ///< dt/d(theta) [s]
  Gradient q_slope, v_slope;
  std::array<double, 2 * kMaxContacts>
      impulse_slope;  ///< entries 2 i, 2 i + 1: i-th closed contact
  Placed placed;
  bool inside = false;  ///< not at an end of the integrator's step
};

class RunCheck {
 public:
  RunCheck(const Model& model, const SimulationOptions& options);

  /// Checks a finished run.
  [[nodiscard]] RunVerdict check(const Run& run);

  /// Checks the only event of a run without steps, an impact.
  [[nodiscard]] Check check_outcome(const Run& run, const ImpactTraits& traits);

  // The same while the run goes on, for mechanisms whose bodies have a size. Steps that `walk` has
  // checked may be dropped. `finish` checks the rest.
  [[nodiscard]] bool knows_length() const { return length_ > 0.0; }
  void walk(const Run& run);
  void forget_steps() { next_step_ = 0; }
  [[nodiscard]] RunVerdict finish(const Run& run);

  /// The balances so far just after each event; none of a run without its trajectory.
  [[nodiscard]] std::vector<std::optional<Balance>> take_events() {
    return options_.keep_trajectory ? std::move(events_) : std::vector<std::optional<Balance>>();
  }
  /// The balance so far where each mode began.
  [[nodiscard]] std::vector<Balance> take_modes() { return std::move(modes_); }

 private:
  // The walk along the run (check.cc).
  void walk_steps();
  void start_mode(const State& start);
  void walk_events(std::size_t end);
  void compare_end();
  void balance_energy();
  void balance_quiet_events(const Segment& step, const Balance& start);
  [[nodiscard]] Balance make_balance(Balance work, double kinetic, double potential) const;
  [[nodiscard]] double find_way();
  void note_run(const Run& run);

  // Steps (steps.cc).
  void check_step(const Segment& step, bool goes_on);
  void add_first_work(const Segment& step);
  void check_slips_between(const Segment& step);
  void read_node(const Segment& step, double theta, Node& out);
  void check_motion(const Mode& mode, const Node& node);
  void check_contacts(const Mode& mode, const Node& node);
  void check_closed(const ClosedMode& closed, std::size_t place, const Node& node);
  void add_work(const Mode& mode, const Node& node, double weight);
  void note_power(const Node& node);
  [[nodiscard]] double eval_momentum_scale(const Mode& mode, const Node& node) const;

  // Jumps between steps and events (jumps.cc).
  void check_jump(const State& from, const State& to, const Mode* mode, bool ends_rebound = false);
  bool follow_jump(const State& from, const State& to, const Mode& mode);

  // Events (events.cc).
  void check_event(const Event& event);
  void check_state(const State& state, const ModeWord& word, double least_scale);
  void check_ended_rebounds(const Event& event);
  [[nodiscard]] double eval_held_work(const Event& event, const VecQ& change);
  void check_impact(const Event& event);
  void check_impulses(const Event& event, const Placed& before);
  void check_restitution(const Event& event, const Placed& before);
  void compare_with_path(const Event& event, const Placed& before, int contact, bool jammed);
  void check_bounces_end(const Event& event);
  [[nodiscard]] double eval_brought(const Event& event);

  // Outcomes of one impact (check_impact.cc).
  void check_joint_law(const Event& event);

  // Rest (rest.cc).
  void check_rest(const Event& event);
  [[nodiscard]] double find_imbalance(const State& state, unsigned signs);

  const Placed& place(const State& state);
  [[nodiscard]] double eval_speed_scale(const Placed& placed, const VecQ& v) const;
  [[nodiscard]] double eval_natural_scale(const Placed& placed) const;
  [[nodiscard]] bool is_guarded(std::size_t contact, const ContactMotion& at);
  [[nodiscard]] double allowed_gap(const ContactMotion& contact, double tolerance) const;
  void note_energy(const Placed& placed);

  const Model& model_;
  const SimulationOptions& options_;
  const Run* run_ = nullptr;
  std::optional<double> start_;    ///< time at which the run begins [s]
  const Segment* step_ = nullptr;  ///< being checked
  /// Per contact: whether it began to exist below its surface and has not come out since; whether
  /// it existed at the last evaluation.
  std::vector<bool> is_below_, did_exist_;
  Tolerances tolerances_;
  Mechanism mechanism_;
  RunVerdict verdict_;
  Findings findings_;
  double length_ = 0.0;  ///< of the bodies [m]

  std::array<Node, 5> nodes_;
  Node between_;
  Placed placed_;  ///< scratch
  Gradient zeros_{};

  // The present place of the walk.
  std::optional<State> current_;
  const Mode* mode_ = nullptr;  ///< of the last step, unless an event came since
  std::size_t mode_index_ = 0;  ///< of it
  std::size_t next_mode_ = 0, next_step_ = 0, next_event_ = 0;
  bool first_of_mode_ = true;
  double momentum_scale_ =
      0.0;  ///< of the last step: sum of sqrt(M_ii) |v_i| and the like [sqrt J]

  // Energies.
  std::optional<double> first_kinetic_, first_potential_;
  double last_kinetic_ = 0.0, last_potential_ = 0.0;
  double renamed_ = 0.0;  ///< change of potential energy by new names of coordinates [J]
  double largest_kinetic_ = 0.0, least_potential_ = 0.0, largest_potential_ = 0.0;
  std::vector<std::optional<Balance>> events_;  ///< per event, just after it
  std::vector<Balance> modes_;                  ///< per mode, at its start
  std::size_t next_quiet_ = 0;                  ///< the event whose balance comes next
  double turnover_ = 0.0;                       ///< sum of |work| [J]
  double work_of_balance_ = 0.0;                ///< of forces that balance up to rounding [J]
  double work_of_rounding_ = 0.0;  ///< the most that a rounding of the time has been worth [J]
};

}  // namespace slipstick::check
