#include "slipstick/sim/zeno.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace slipstick {
namespace {

/// Which contacts collided, and which are closed after it.
bool is_alike(const Impact& a, const Impact& b) {
  if (a.contacts != b.contacts) return false;
  for (std::size_t i = 0; i < a.modes.size(); ++i) {
    if ((a.modes[i] == 'F') != (b.modes[i] == 'F')) return false;
  }
  return true;
}

}  // namespace

void ZenoWatch::add(Impact impact) {
  constexpr std::size_t kMost = 1000;
  if (impacts_.size() == kMost) impacts_.erase(impacts_.begin(), impacts_.begin() + kMost / 2);
  impacts_.push_back(std::move(impact));
}

void ZenoWatch::drop(const ZenoRecord& record) {
  impacts_.erase(impacts_.end() - record.impacts, impacts_.end());
}

/// Times between like impacts shrink like a geometric series near the limit, and so does every
/// change of the state: Aitken's extrapolation with the ratio of the times.
std::optional<State> ZenoWatch::extrapolate(std::size_t last, std::size_t period) const {
  const State& c = impacts_[last].after;
  const State& b = impacts_[last - period].after;
  const State& a = impacts_[last - 2 * period].after;
  const double ratio = (c.time - b.time) / (b.time - a.time);
  constexpr double kLargest = 0.9999;  // beyond it the extrapolation is noise
  if (!(ratio < kLargest)) return std::nullopt;
  const double factor = ratio / (1.0 - ratio);
  return State{c.time + factor * (c.time - b.time), c.q + factor * (c.q - b.q),
               c.v + factor * (c.v - b.v)};
}

/// Between successive impacts of the last round [s].
double ZenoWatch::eval_shortest_flight(std::size_t period) const {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = impacts_.size() - period; i < impacts_.size(); ++i) {
    out = std::min(out, impacts_[i].after.time - impacts_[i - 1].after.time);
  }
  return out;
}

std::optional<ZenoLimit> ZenoWatch::find_limit(double duration, std::size_t period) const {
  constexpr std::size_t kMany = 40;
  constexpr double kSmall = 1e-3;      // of the first round, or of that part of the motion's time
  constexpr double kAgree = 1e-9;      // of the whole sequence's duration
  constexpr double kRounding = 1e-10;  // of the motion's
  constexpr double kShortest = 1e-6;   // flight of the motion's: its height is near rounding
  constexpr double kLargest = 1e-6;    // error of the motion's, whatever comes
  const std::size_t end = impacts_.size();
  std::size_t first = end;  // of the sequence that repeats
  while (first > 0 &&
         (first + period > end || is_alike(impacts_[first - 1], impacts_[first - 1 + period]))) {
    --first;
  }
  const std::size_t count = end - first;
  if (count < 2 * period + 3) return std::nullopt;
  const auto eval_round = [&](std::size_t last) {
    return impacts_[last].after.time - impacts_[last - period].after.time;
  };
  const bool is_short =
      eval_round(end - 1) <= kSmall * std::max(eval_round(first + period), kSmall * duration);
  if (!is_short && count < kMany) return std::nullopt;
  const auto now = extrapolate(end - 1, period);
  const auto before = extrapolate(end - 2, period);
  if (!now || !before) return std::nullopt;
  // The rest of the series is its own bound.
  const double error =
      std::min(std::abs(now->time - before->time), now->time - impacts_.back().after.time);
  const double whole = now->time - impacts_[first].after.time;
  // Impacts of flights near rounding do not get on any more: nothing better will come.
  const bool is_last = eval_shortest_flight(period) <= kShortest * duration;
  const double enough = std::max(kAgree * whole, (is_last ? kLargest : kRounding) * duration);
  if (error > enough) return std::nullopt;
  ZenoLimit out{*now, {}, {}, {}};
  for (std::size_t i = end - period; i < end; ++i) {
    const Impact& last = impacts_[i];
    const Impact& earlier = impacts_[i - period];
    for (std::size_t j = 0; j < last.contacts.size(); ++j) {
      out.colliding.push_back(last.contacts[j]);
      if (last.slips[j] == 'S' && earlier.slips[j] == 'S') out.sticking.push_back(last.contacts[j]);
    }
  }
  out.record = {static_cast<int>(count), static_cast<int>(period),
                eval_round(end - 1) / eval_round(end - 1 - period), error};
  return out;
}

std::optional<ZenoLimit> ZenoWatch::find_limit(double duration) const {
  constexpr std::size_t kLongest = 4;  // round
  for (std::size_t period = 1; period <= kLongest; ++period) {
    if (auto limit = find_limit(duration, period)) return limit;
  }
  return std::nullopt;
}

}  // namespace slipstick
