#include "slipstick/analysis/motion/work_rows.h"

#include "slipstick/sim/check/step_work.h"

namespace slipstick {

Balance WorkRows::eval(const TrajectoryPlace& place) {
  const auto& segments = trajectory_->segments;
  if (!started_) before_ = trajectory_->balances.at(segments[segment_].mode);
  started_ = true;
  for (; segment_ < place.segment; ++segment_) {
    const Segment& step = segments[segment_];
    const std::size_t next = segments[segment_ + 1].mode;
    if (next == step.mode) {
      const Mode& mode = trajectory_->modes[step.mode];
      check::add_step_work(mechanism_, mode, step, step.theta_end, before_);
    } else {  // after an event the work is known
      before_ = trajectory_->balances.at(next);
    }
  }
  Balance out = before_;
  const Segment& step = segments[place.segment];
  check::add_step_work(mechanism_, trajectory_->modes[step.mode], step, place.theta, out);
  return out;
}

}  // namespace slipstick
