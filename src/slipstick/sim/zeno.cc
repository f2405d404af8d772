#include "slipstick/sim/zeno.h"

#include <cmath>

namespace slipstick {

void ZenoWatch::add(const std::vector<int>& contacts, const Bounce& bounce) {
  if (contacts != contacts_) bounces_.clear();
  contacts_ = contacts;
  bounces_.push_back(bounce);
}

/// Flight times shrink like a geometric series near the limit, and so does every change of the
/// state: Aitken's extrapolation with the ratio of the times.
std::optional<State> ZenoWatch::extrapolate(std::size_t last) const {
  const State& c = bounces_[last].after;
  const State& b = bounces_[last - 1].after;
  const State& a = bounces_[last - 2].after;
  const double ratio = (c.time - b.time) / (b.time - a.time);
  constexpr double kLargest = 0.9999;  // beyond it the extrapolation is noise
  if (!(ratio < kLargest)) return std::nullopt;
  const double factor = ratio / (1.0 - ratio);
  return State{c.time + factor * (c.time - b.time), c.q + factor * (c.q - b.q),
               c.v + factor * (c.v - b.v)};
}

std::optional<ZenoLimit> ZenoWatch::find_limit() const {
  constexpr std::size_t kFewest = 5;
  constexpr std::size_t kMany = 40;
  constexpr double kSmall = 1e-3;  // of the first rebound: too small to be worth showing
  constexpr double kAgree = 1e-9;  // of the whole sequence's duration
  const std::size_t count = bounces_.size();
  if (count < kFewest) return std::nullopt;
  if (bounces_.back().rebound > kSmall * bounces_.front().rebound && count < kMany) {
    return std::nullopt;
  }
  const auto now = extrapolate(count - 1);
  const auto before = extrapolate(count - 2);
  if (!now || !before) return std::nullopt;
  const double error = std::abs(now->time - before->time);
  if (error > kAgree * (now->time - bounces_.front().after.time)) return std::nullopt;
  ZenoLimit out{*now, bounces_.back().sticks && bounces_[count - 2].sticks, {}};
  const double flight = bounces_[count - 1].after.time - bounces_[count - 2].after.time;
  const double earlier = bounces_[count - 2].after.time - bounces_[count - 3].after.time;
  out.record = {static_cast<int>(count), flight / earlier, error};
  return out;
}

}  // namespace slipstick
