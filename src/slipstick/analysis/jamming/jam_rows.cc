#include <cmath>
#include <limits>

#include "slipstick/analysis/acceleration_centre.h"
#include "slipstick/analysis/motion/motion_rows.h"
#include "slipstick/jam.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {
namespace {

JamRow make_jam_row(const Model& model, const Mode& mode, const State& state,
                    const SlidingContact& contact) {
  const SlidingResponse at =
      eval_sliding_response(model, state, contact.contact, contact.slip_sign);
  JamRow out{
      state.time, at.p, at.b, eval_contact_row(model, mode, state).force_n[contact.contact], {}};
  const VecQ acceleration = eval_natural_field(model, mode, state).acceleration;
  if (!acceleration.allFinite()) return out;
  if (const auto centre = find_acceleration_centre(model, contact.contact, state, acceleration)) {
    out.centre = Vec2(centre->along_t, centre->along_n);
  }
  return out;
}

}  // namespace

std::vector<JamRow> list_jam_rows(const Model& model, const SlidingMotion& motion) {
  std::vector<JamRow> out;
  if (motion.run.trajectory.empty()) return out;
  const double until = motion.end().time;
  const SlidingContact& contact = motion.sliding.front();
  for (const Segment& step : motion.run.trajectory->segments) {
    if (step.from >= until) break;
    const Mode& mode = motion.run.trajectory->modes[step.mode];
    constexpr int kRows = 4;  // of a step of order eight: curves look smooth
    for (int k = 0; k < kRows; ++k) {
      const State state = eval_state(step.polynomial, model.size(), step.theta_end * k / kRows);
      if (state.time < until) out.push_back(make_jam_row(model, mode, state, contact));
    }
  }
  return out;
}

}  // namespace slipstick
