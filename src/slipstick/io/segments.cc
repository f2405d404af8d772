#include "slipstick/io/segments.h"

#include <algorithm>
#include <array>

namespace slipstick {

double Segments::eval(std::size_t segment, std::size_t component, double theta) const {
  const double* c = find(segment) + component;
  double sum = 0.0;
  for (std::size_t k = kOrder; k-- > 1;) {
    sum = (sum + c[k * components]) * (k % 2 == 1 ? theta : 1.0 - theta);
  }
  return c[0] + sum;
}

void Segments::eval_state(std::size_t segment, double theta, State& out) const {
  const auto n = static_cast<Eigen::Index>(coordinates);
  std::array<double, 2 * kMaxCoordinates + 1> y{};
  const double* c = find(segment) + kOrder * components;
  for (std::size_t k = kOrder; k-- > 0;) {
    c -= components;
    const double factor = k == 0 ? 1.0 : (k % 2 == 1 ? theta : 1.0 - theta);
    for (std::size_t i = 0; i <= 2 * coordinates; ++i) y[i] = (y[i] + c[i]) * factor;
  }
  out.q = Eigen::Map<const VecQ>(y.data(), n);
  out.v = Eigen::Map<const VecQ>(y.data() + n, n);
  out.time = y[2 * coordinates];
}

Segments make_segments(const Model& model, const Trajectory& trajectory) {
  Segments out;
  const std::size_t count = trajectory.steps.size();
  out.coordinates = model.coordinates.size();
  const std::size_t motion = 2 * out.coordinates + 1;
  out.components = motion + 2 * model.contacts.size();
  for (auto* column : {&out.from, &out.to, &out.theta_end}) column->reserve(count);
  out.mode.reserve(count);
  out.coefficients.resize(count * Segments::kOrder * out.components);
  double* place = out.coefficients.data();
  for (const TrajectoryStep& step : trajectory.steps) {
    out.from.push_back(step.from);
    out.to.push_back(step.to);
    out.theta_end.push_back(step.theta_end);
    out.mode.push_back(step.mode);
    const PerContact<ContactMode>& closed = trajectory.modes[step.mode].closed;
    for (std::size_t k = 0; k < Segments::kOrder; ++k, place += out.components) {
      const double* from = step.interpolant.rows[k];
      std::copy_n(from, motion, place);
      for (std::size_t j = 0; j < closed.size(); ++j) {
        const auto contact = static_cast<std::size_t>(closed[j].contact);
        std::copy_n(from + motion + 2 * j, 2, place + motion + 2 * contact);
      }
    }
  }
  return out;
}

}  // namespace slipstick
