#include "slipstick/sim/mode/trajectory.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

namespace slipstick {

namespace {

template <class AnyInterpolant>
State eval_any_state(const AnyInterpolant& interpolant, int coordinate_count, double theta) {
  const auto n = static_cast<std::size_t>(coordinate_count);
  std::array<double, kMaxIntegrated> y;
  interpolant.eval_first(2 * n + 1, theta, y.data());
  using Values = Eigen::Map<const Eigen::VectorXd>;
  return {y[2 * n], Values(y.data(), coordinate_count), Values(y.data() + n, coordinate_count)};
}

}  // namespace

Interpolant make_interpolant(const WideInterpolant& from, std::size_t components) {
  constexpr std::size_t kBlock = 4;
  Interpolant out;
  out.rows.length = (components + kBlock - 1) / kBlock * kBlock;
  out.rows.numbers.reserve(Interpolant::kRows * out.rows.length);
  for (const auto& row : from.rows) {
    out.rows.numbers.insert(out.rows.numbers.end(), row.begin(),
                            row.begin() + static_cast<std::ptrdiff_t>(out.rows.length));
  }
  return out;
}

State eval_state(const Interpolant& interpolant, int coordinate_count, double theta) {
  return eval_any_state(interpolant, coordinate_count, theta);
}
State eval_state(const WideInterpolant& interpolant, int coordinate_count, double theta) {
  return eval_any_state(interpolant, coordinate_count, theta);
}

TrajectorySample Trajectory::eval(double time) const {
  const auto after =
      std::upper_bound(steps.begin(), steps.end(), time,
                       [](double t, const TrajectoryStep& step) { return t < step.from; });
  const TrajectoryStep& step = after == steps.begin() ? steps.front() : *(after - 1);
  const auto component = static_cast<std::size_t>(2 * coordinate_count);
  const auto late = [&](double theta) { return step.interpolant.eval(component, theta) - time; };
  double theta = 0.0;
  if (late(step.theta_end) <= 0.0) {
    theta = step.theta_end;
  } else if (late(0.0) < 0.0) {
    std::uintmax_t iterations = 100;
    const auto [low, high] = boost::math::tools::toms748_solve(
        late, 0.0, step.theta_end, boost::math::tools::eps_tolerance<double>(52), iterations);
    theta = 0.5 * (low + high);
  }
  TrajectorySample out{eval_state(step.interpolant, coordinate_count, theta), step.mode};
  out.state.time = time;
  return out;
}

}  // namespace slipstick
