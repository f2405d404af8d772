#include "slipstick/sim/scale.h"

#include <algorithm>
#include <cmath>

namespace slipstick {

VecQ make_coordinate_scale(const Model& model) {
  VecQ out(model.size());
  for (int i = 0; i < model.size(); ++i) {
    const bool is_angle = model.tree.elements[static_cast<std::size_t>(i)].is_angle;
    out[i] = is_angle ? 1.0 : model.length_scale;
  }
  return out;
}

double eval_rate_scale(const VecQ& scale, const VecQ& v, const VecQ& acceleration) {
  const double rate = v.cwiseAbs().cwiseQuotient(scale).maxCoeff();
  return std::max(rate, std::sqrt(acceleration.cwiseAbs().cwiseQuotient(scale).maxCoeff()));
}

double find_last_time(double until) {
  constexpr double kRounding = 1e-15;
  return until - kRounding * std::abs(until);
}

}  // namespace slipstick
