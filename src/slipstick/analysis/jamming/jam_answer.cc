#include "slipstick/jam.h"

namespace slipstick {

JamAnswer find_jam_answer(const Model& model, const State& initial,
                          std::span<const Closing> closings, const JamQuestion& question,
                          std::span<const CoordinateRange> over) {
  JamAnswer out;
  out.motion = find_sliding_end(model, initial, question);
  out.range = question.range;
  out.slip = find_critical_slip(model, initial, question);
  const SlidingEnd* jam = out.motion.find_jam();
  if (jam != nullptr && out.motion.sliding.size() == 1) {
    out.jam = eval_jam_point(model, jam->state, out.motion.sliding.front());
  }
  out.reach = find_jam_reach(model, initial, closings, question.range, over);
  out.rows = list_jam_rows(model, out.motion);
  return out;
}

}  // namespace slipstick
