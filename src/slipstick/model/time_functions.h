#pragma once

/// The formulas of time in a model: when they change, and what they do between the times at which
/// an integrator evaluates them. Both are enclosed by intervals, so that no short change is missed.

#include <optional>
#include <vector>

#include "slipstick/model/model.h"

namespace slipstick {

/// A time at which some formula changes: a comparison of `t` with numbers turns, or a function of t
/// jumps or bends. The old formulas hold until `before`, the new ones from `after` on; between the
/// two is rounding [s].
struct TimeStop {
  double before = 0.0, after = 0.0;

  [[nodiscard]] bool operator==(const TimeStop&) const = default;
};

/// The first one in [from, until); nothing if there is none.
[[nodiscard]] std::optional<TimeStop> find_time_stop(const Model& model, double from, double until);

/// True if a comparison contains both the time and the state. Its changes are not time stops.
[[nodiscard]] bool has_mixed_comparisons(const Model& model);

/// Watches the loads and the surfaces' accelerations between the evaluations of an integrator.
class TimeWatch {
 public:
  /// From a state to the run's end [s].
  TimeWatch(const Model& model, const State& state, double until);

  /// A time in a step at which a formula leaves the range of its values at nine times of
  /// the step; nothing if none does. `state`: at the step's end.
  [[nodiscard]] std::optional<double> find_hidden(const State& state, double from, double to) const;

 private:
  struct Watched {
    const Expression* formula;
    bool by_rate;         ///< its rate matters: a surface's speed
    double little = 0.0;  ///< smaller values count as zero
  };
  [[nodiscard]] static std::optional<double> find_hidden(const Watched& watched, const State& state,
                                                         double from, double to);

  std::vector<Watched> watched_;
};

}  // namespace slipstick
