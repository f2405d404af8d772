#include "slipstick/analysis/observe/observable_rows.h"

#include <cmath>
#include <limits>

namespace slipstick {

void ObservableRows::append(const Model& model, const Mode& mode, const State& state, bool bounded,
                            std::vector<double>& to) const {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const MotionFormula& formula : formulas_) {
    const bool has_value = bounded || !formula.needs_field();
    const double value = has_value ? formula.eval(model, mode, state) : none;
    to.push_back(std::isfinite(value) ? value : none);
  }
}

}  // namespace slipstick
