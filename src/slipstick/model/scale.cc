#include "slipstick/model/scale.h"

#include <algorithm>
#include <cmath>

namespace slipstick {

VecQ make_coordinate_scale(const Model& model) {
  VecQ out(model.size());
  for (int i = 0; i < model.size(); ++i) {
    const bool is_angle = model.tree.elements[static_cast<std::size_t>(i)].is_angle;
    out[i] = is_angle ? 1.0 : model.lengths[i];
  }
  return out;
}

VecQ spread_over_groups(const Model& model, const VecQ& values) {
  VecQ out = VecQ::Zero(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    double& largest = out[model.groups[static_cast<std::size_t>(i)]];
    largest = std::max(largest, values[i]);
  }
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    out[i] = out[model.groups[static_cast<std::size_t>(i)]];
  }
  return out;
}

double eval_rate_scale(const VecQ& scale, const Rates& v) {
  return v.cwiseAbs().cwiseQuotient(scale).maxCoeff();
}

double eval_rate_scale(const VecQ& scale, const Rates& v, const Rates& acceleration) {
  return std::max(eval_rate_scale(scale, v), std::sqrt(eval_rate_scale(scale, acceleration)));
}

double eval_turn_scale(const Model& model, const Rates& v) {
  const Tree& tree = model.tree;
  double out = 0.0;
  for (int i = 0; i < model.size(); ++i) {
    if (!tree.elements[static_cast<std::size_t>(i)].is_angle) continue;
    const double rate = tree.coordinates_are_internal ? v[i] : tree.C.row(i).dot(v);
    out = std::max(out, std::abs(rate));
  }
  return out;
}

}  // namespace slipstick
