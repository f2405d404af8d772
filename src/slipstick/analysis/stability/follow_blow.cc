#include <numbers>

#include "slipstick/analysis/stability/follower.h"
#include "slipstick/analysis/stability/return_map.h"

namespace slipstick {

Blow make_blow(double angle) {
  return {std::sin(std::numbers::pi / 2 - std::abs(angle)), std::sin(angle)};
}

BlowReturn follow_blow(const ZeroOrder& dynamics, const Blow& blow) {
  PlainPath plain;
  Follower<PlainPath> follower(dynamics, plain, blow.closing, blow.slip);
  BlowReturn out;
  out.end = follower.follow(out.path);
  out.blow = {follower.closing(), follower.slip()};
  return out;
}

std::optional<MapValue> eval_return(const ZeroOrder& dynamics, double angle) {
  const Blow before = make_blow(angle);
  const BlowReturn next = follow_blow(dynamics, before);
  if (next.end != PathEnd::kReturns) return std::nullopt;
  return MapValue{next.blow.angle(), next.blow.closing / before.closing};
}

}  // namespace slipstick
