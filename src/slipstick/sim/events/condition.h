#pragma once

/// Where a condition first holds within a step.

#include <functional>
#include <optional>

#include "slipstick/condition.h"
#include "slipstick/sim/mode/motion_formula.h"

namespace slipstick {

struct Condition {
  MotionFormula formula;
};

/// The accuracy of a motion at a state of a mode, beside which comparisons are not decided.
[[nodiscard]] MotionBlur find_blur(const Model& model, const Mode& mode, const State& state,
                                   const Condition& condition);

/// True if it holds beyond rounding; with <= and >= also on the border.
[[nodiscard]] bool holds(const Condition& condition, const Model& model, const Mode& mode,
                         const State& state);

/// A stretch of the motion in one mode: the state at theta in [0, end].
struct ConditionSearch {
  const Condition& condition;
  const Model& model;
  const Mode& mode;
  std::function<State(double)> at;
  double end = 1.0;
};

/// Where a condition begins to hold.
struct ConditionStart {
  double theta = 0.0;
  std::optional<std::size_t> comparison;  ///< that changes there; nothing: at the start
};
[[nodiscard]] std::optional<ConditionStart> find_first_true(const ConditionSearch& search);

/// A value of a comparison that changes its sign where it changes.
[[nodiscard]] double eval_comparison(const ConditionSearch& search, std::size_t index,
                                     const State& state);

}  // namespace slipstick
