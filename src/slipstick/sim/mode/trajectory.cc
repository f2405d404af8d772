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

double find_theta(const Segment& segment, int coordinate_count, double time) {
  const auto component = static_cast<std::size_t>(2 * coordinate_count);
  const auto late = [&](double theta) { return segment.polynomial.eval(component, theta) - time; };
  if (late(segment.theta_end) <= 0.0) return segment.theta_end;
  if (late(0.0) >= 0.0) return 0.0;
  std::uintmax_t iterations = 100;
  const auto [low, high] = boost::math::tools::toms748_solve(
      late, 0.0, segment.theta_end, boost::math::tools::eps_tolerance<double>(52), iterations);
  return 0.5 * (low + high);
}

TrajectoryPlace TrajectoryParts::find_place(double time) const {
  if (segments.empty()) throw std::logic_error("Trajectory::eval: the run kept no trajectory");
  auto after = std::upper_bound(segments.begin(), segments.end(), time,
                                [](double t, const Segment& segment) { return t < segment.from; });
  if (after != segments.begin()) --after;
  return {static_cast<std::size_t>(after - segments.begin()),
          find_theta(*after, coordinate_count, time)};
}

TrajectorySample TrajectoryParts::eval(double time) const {
  const TrajectoryPlace place = find_place(time);
  const Segment& segment = segments[place.segment];
  TrajectorySample out{eval_state(segment.polynomial, coordinate_count, place.theta), segment.mode};
  out.state.time = time;
  return out;
}

}  // namespace slipstick
