#pragma once

/// Finds which guards of a mode fall to zero within a step, and where.

#include <optional>
#include <vector>

#include "slipstick/sim/events/guards.h"
#include "slipstick/sim/mode/mode_step.h"

namespace slipstick {

class StepGuards {
 public:
  /// `last`: the time at which the run ends [s].
  StepGuards(const Model& model, const ModeStep& step, const Mode& mode, std::vector<Guard> guards,
             double last);

  [[nodiscard]] const std::vector<Guard>& all() const { return guards_; }

  /// Tests a finished step without its interpolant. True if a guard may fall to zero. `first`: the
  /// mode's first step, at whose start some guards are zero.
  [[nodiscard]] bool look(bool first);

  struct Hit {
    double theta;
    const Guard* guard;
    int zero_at_start;  ///< order of the guard's known zero at the step's start
  };
  /// The first zero of every guard that falls to zero, from the interpolant; to be called after
  /// `look`.
  [[nodiscard]] std::vector<Hit> find_hits() const;

  /// A guard on the interpolant; forces are the rates of its impulses.
  [[nodiscard]] double eval(const Guard& guard, double theta) const;
  /// The guard at the step's end, without the interpolant's error.
  [[nodiscard]] double eval_at_end(const Guard& guard) const;
  /// Its slope there, by the length of the step; nothing for guards on forces, whose slopes are not
  /// known.
  [[nodiscard]] std::optional<double> eval_slope_at_end(const Guard& guard) const;
  /// The rounding error of a guard's values,
  [[nodiscard]] double find_noise(const Guard& guard) const;
  /// and with it that of a force near d = 0, which is a small difference of large numbers.
  [[nodiscard]] double find_largest_noise(const Guard& guard) const;

 private:
  /// The course of a guard over a step.
  enum class Course {
    kClear,  ///< it does not fall to zero
    kFalls,  ///< from above zero to below, all the way
    kUnknown,
  };
  /// A guard that may fall to zero within the step.
  struct Doubt {
    const Guard* guard;
    int zero_at_start;
    bool falls;  ///< all the way
  };
  struct ValueAndSlope {
    double value, slope;
  };
  struct Cubic;

  [[nodiscard]] Course find_course(const Guard& guard) const;
  [[nodiscard]] Course find_course_by_slopes(const Guard& guard) const;
  [[nodiscard]] ValueAndSlope eval_with_slope(const Guard& guard, const ContactKinematics& contacts,
                                              const ModeStep::Vector& slope) const;
  [[nodiscard]] std::optional<double> find_crossing(const Doubt& doubt) const;
  [[nodiscard]] bool may_touch(const Guard& guard) const;
  [[nodiscard]] std::optional<double> find_rise(const Guard& guard, double theta) const;
  [[nodiscard]] double length_of(const Guard& guard) const;
  [[nodiscard]] int find_zero(const Guard& guard) const;
  [[nodiscard]] bool has_slipped_in(const Guard& guard) const;
  [[nodiscard]] bool is_active_from(const Guard& guard, double theta) const;
  [[nodiscard]] bool is_active_at(const Guard& guard, double theta) const;
  [[nodiscard]] const Function& condition_of(const Guard& guard) const;
  [[nodiscard]] std::size_t switch_count(const Guard& guard) const;
  [[nodiscard]] ValueAndSlope eval_switch(const Guard& guard, std::size_t index,
                                          const ModeStep::Vector& y,
                                          const ModeStep::Vector& slope) const;
  [[nodiscard]] bool may_switch(const Guard& guard) const;
  [[nodiscard]] bool is_at_surface(const Guard& guard) const;
  [[nodiscard]] std::optional<double> find_switch(const Guard& guard) const;
  [[nodiscard]] double find_turn(const Guard& guard, double from) const;

  const Model& model_;
  const ModeStep& step_;
  const Mode& mode_;
  std::vector<Guard> guards_;
  std::vector<Doubt> doubts_;
  double last_;
};

}  // namespace slipstick
