#include "slipstick/sim/mode/trajectory.h"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <stdexcept>

namespace slipstick {

Trajectory::Trajectory() = default;
Trajectory::Trajectory(const Trajectory& other)
    : parts_(other.parts_ ? std::make_unique<TrajectoryParts>(*other.parts_) : nullptr) {}
Trajectory::Trajectory(Trajectory&&) noexcept = default;
Trajectory& Trajectory::operator=(const Trajectory& other) {
  if (this != &other) *this = Trajectory(other);
  return *this;
}
Trajectory& Trajectory::operator=(Trajectory&&) noexcept = default;
Trajectory::~Trajectory() = default;

bool Trajectory::empty() const { return !parts_ || parts_->segments.empty(); }
TrajectorySample Trajectory::eval(double time) const { return (*this)->eval(time); }

const TrajectoryParts* Trajectory::operator->() const {
  static const TrajectoryParts kNone;
  return parts_ ? parts_.get() : &kNone;
}
TrajectoryParts* Trajectory::operator->() {
  if (!parts_) parts_ = std::make_unique<TrajectoryParts>();
  return parts_.get();
}

TrajectorySample TrajectoryParts::eval(double time) const {
  if (segments.empty()) throw std::logic_error("Trajectory::eval: the run kept no trajectory");
  const auto after =
      std::upper_bound(segments.begin(), segments.end(), time,
                       [](double t, const Segment& segment) { return t < segment.from; });
  const Segment& segment = after == segments.begin() ? segments.front() : *(after - 1);
  const auto component = static_cast<std::size_t>(2 * coordinate_count);
  const auto late = [&](double theta) { return segment.polynomial.eval(component, theta) - time; };
  double theta = 0.0;
  if (late(segment.theta_end) <= 0.0) {
    theta = segment.theta_end;
  } else if (late(0.0) < 0.0) {
    std::uintmax_t iterations = 100;
    const auto [low, high] = boost::math::tools::toms748_solve(
        late, 0.0, segment.theta_end, boost::math::tools::eps_tolerance<double>(52), iterations);
    theta = 0.5 * (low + high);
  }
  TrajectorySample out{eval_state(segment.polynomial, coordinate_count, theta), segment.mode};
  out.state.time = time;
  return out;
}

}  // namespace slipstick
