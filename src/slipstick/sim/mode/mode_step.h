#pragma once

/// One step of the integrator within a mode: what is integrated, how long a step may be, and how
/// its end stays on the closed contacts.

#include <algorithm>
#include <array>
#include <optional>

#include "slipstick/core/scales.h"
#include "slipstick/model/time_functions.h"
#include "slipstick/run.h"
#include "slipstick/sim/mode/dormand_prince.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/sim/singular/passage.h"
#include "slipstick/why.h"

namespace slipstick {

class ModeStep {
 public:
  using Method = DormandPrince<kMaxIntegrated>;
  using Interpolant = StepInterpolant<kMaxIntegrated>;
  using Vector = Method::Vector;

  /// `forces`: the forces at a start with d = 0, until the mode's own equations are regular.
  /// `last`: end of the motion [s]. `is_stop`: formulas of time change at `last` and keep their
  /// values beyond it.
  ModeStep(const Model& model, const Mode& mode, std::optional<SmoothForces> forces, double last,
           bool is_stop, const SimulationOptions& options, RunCounts& counts);

  void start(const State& state);

  /// Makes a step as long as the tolerance allows, or returns the reason why there is none.
  [[nodiscard]] Why advance();
  /// True if a stage of the step or of its interpolant is beyond d = 0.
  [[nodiscard]] bool has_crossed() const { return crossed_; }
  /// False if the step is already down to rounding of the motion.
  [[nodiscard]] bool can_be_shortened() const;
  /// The next step starts where this one did, with this part of its length.
  void shorten(double part);
  /// Makes the step again with another length; the interpolant is not changed.
  void repeat(double length);
  /// Makes the interpolant. `counts`: its evaluations count as those of the motion.
  void interpolate(bool counts);
  /// Makes the step's end the start of the next one.
  void go_on();

  /// The right-hand side of the system: slope = f(y). Its dynamics are kept as the last evaluation.
  void eval(const Vector& y, Vector& slope);

  /// A finished step, kept so that it can be restored after repetitions.
  struct Finished {
    Method method;
    ContactKinematics contacts_at_end;
  };
  [[nodiscard]] Finished save() const { return {method_, contacts_at_end()}; }
  void restore(const Finished& step);

  /// Time at the step's start [s].
  [[nodiscard]] double time() const { return method_.start()[2 * n_]; }
  /// dt/d(tau) at the step's start.
  [[nodiscard]] double rate() const { return method_.slope()[2 * n_]; }
  /// Rate of the motion at the step's start [1/s].
  [[nodiscard]] double rate_scale() const { return rate_scale_; }
  /// Largest contact force at the step's ends, or their natural scale if that is larger, times
  /// dt/d(tau) [N].
  [[nodiscard]] double force_scale() const;
  /// True if a contact force is far above its value at the start and above what weight and speeds
  /// explain.
  [[nodiscard]] bool has_unbounded_force() const;
  /// The larger one of the weight and the forces that bend the motion [N]. Without gravity and
  /// loads, contact forces may be rounding.
  [[nodiscard]] double natural_force_scale() const;

  [[nodiscard]] const Method& method() const { return method_; }
  [[nodiscard]] const Interpolant& interpolant() const { return interpolant_; }
  /// The dynamics at the last evaluation.
  [[nodiscard]] const ContactDynamics& dynamics() const { return dynamics_; }
  [[nodiscard]] const ContactKinematics& contacts_at_start() const { return contacts_[first_]; }
  [[nodiscard]] const ContactKinematics& contacts_at_end() const { return contacts_[1 - first_]; }

  /// Indices of integrated components: the time, and a closed contact's normal impulse, which is
  /// followed by the tangential one.
  [[nodiscard]] std::size_t time_index() const { return 2 * n_; }
  [[nodiscard]] std::size_t impulse_index(std::size_t closed) const {
    return 2 * n_ + 1 + 2 * closed;
  }
  [[nodiscard]] State unpack(const Vector& y) const;
  [[nodiscard]] State eval_state(double theta) const {
    State out = slipstick::eval_state(interpolant_, model_.size(), theta);
    out.time = std::min(out.time, latest_);
    return out;
  }

 private:
  [[nodiscard]] Vector pack(const State& state) const;
  auto field() {
    return [this](const Vector& y, Vector& slope) { eval(y, slope); };
  }
  void start_method(const Vector& y);
  void find_latest(const State& state);
  void find_side(double determinant);
  [[nodiscard]] StateView view(const Vector& y) const {
    return {std::min(y[2 * n_], latest_), y.data(), y.data() + n_, model_.size()};
  }
  inline void write_slope(const Vector& y, Vector& slope);
  void write_forced_field(double time, ModePace& pace, double* acceleration,
                          double* impulse_rate) const;
  double make(double length);
  void finish();
  void leave_passage();
  void project_end();
  struct Drift {
    double gap = 0.0, rate = 0.0;

    [[nodiscard]] bool is_seen() const { return gap > kNumberRounding || rate > kNumberRounding; }
  };
  [[nodiscard]] Drift find_drift(const ContactKinematics& contacts) const;
  [[nodiscard]] double most_drift() const;
  [[nodiscard]] double limit(double length) const;
  [[nodiscard]] std::optional<double> find_hidden() const;
  [[nodiscard]] double choose_growth(double error);
  [[nodiscard]] double choose_shrinkage(double error) const;
  void set_rate_scale();
  [[nodiscard]] double find_mass() const;
  [[nodiscard]] bool forces_change_alone() const;
  [[nodiscard]] std::size_t controlled() const;
  [[nodiscard]] Vector find_allowed_errors(double length) const;
  [[nodiscard]] double find_allowed_impulse(double length) const;
  [[nodiscard]] double find_largest_force(const Vector& slope) const;

  const Model& model_;
  const Mode& mode_;
  const SimulationOptions& options_;
  RunCounts& counts_;
  std::size_t n_;
  Method method_;
  VecQ scale_;
  double last_;                         ///< time at which formulas of time change, or the end [s]
  double latest_;                       ///< up to which formulas of time hold, also beyond the end
  double longest_;                      ///< step [s]
  double first_force_ = 0.0;            ///< largest at the start [N]
  bool held_;                           ///< the field is that of write_held_field
  std::optional<TimeWatch> watch_;      ///< where loads or surfaces depend on time
  std::optional<SmoothForces> forces_;  ///< while the motion leaves d = 0
  Interpolant interpolant_;             ///< of the last step that needed one
  ContactDynamics dynamics_;
  /// At the two ends of the step; `first_` is the index of its start.
  std::array<ContactKinematics, 2> contacts_;
  std::size_t first_ = 0;
  double next_ = 0.0, advanced_ = 0.0;          ///< length of the next step, of the last one
  double rate_scale_ = 0.0, least_rate_ = 0.0;  ///< [1/s]
  double mass_ = 0.0;                           ///< that the closed contacts feel [kg]
  double weight_ = 0.0, largest_force_ = 0.0;   ///< [N]
  double last_fourth_root_ = 1.0;               ///< of the last error
  /// d of the mode's own equations (1 if there are none) at the last evaluation and at the end of
  /// the last step.
  double determinant_ = 1.0, determinant_at_end_ = 1.0;
  /// Sign of d, which no motion changes in stretched time, though a step that is too long might; 0:
  /// not known yet.
  double side_ = 0.0;
  bool drifts_ = false;   ///< steps end off the closed contacts by more than rounding
  bool drifted_ = false;  ///< the last one far off
  bool crossed_ = false;  ///< some stage is beyond d = 0
  bool regular_ = true;
};

}  // namespace slipstick
