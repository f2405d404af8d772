#pragma once

/// Values of observables at rows of a motion.

#include <map>
#include <span>
#include <string>
#include <vector>

#include "slipstick/observable.h"
#include "slipstick/sim/mode/motion_formula.h"

namespace slipstick {

class ObservableRows {
 public:
  ObservableRows() = default;  ///< without any
  ObservableRows(const Model& model, const std::map<std::string, double>& parameters,
                 std::span<const Observable> observables)
      : observables_(observables.begin(), observables.end()) {
    for (const Observable& observable : observables) {
      formulas_.emplace_back(model, parameters, observable.where, observable.expression);
    }
  }

  /// Their names and units.
  [[nodiscard]] const std::vector<Observable>& list() const { return observables_; }
  /// Appends a value for each. `bounded`: false where contact forces have grown without bound, so
  /// that formulas of forces and accelerations have no value (NaN).
  void append(const Model& model, const Mode& mode, const State& state, bool bounded,
              std::vector<double>& to) const;

 private:
  std::vector<Observable> observables_;
  std::vector<MotionFormula> formulas_;
};

}  // namespace slipstick
