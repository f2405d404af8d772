#include "slipstick/sim/singular/zeno.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "slipstick/core/scales.h"

namespace slipstick {
namespace {

/// True if the same contacts collided and the same are closed afterwards.
bool is_alike(const Impact& a, const Impact& b) {
  return a.contacts == b.contacts && closes_same(a.modes, b.modes);
}

/// Impacts from the last one back whose rounds (`eval_round`) differ by a factor. With neighbours
/// of a slow series, the weights of the polynomials would magnify rounding.
template <class F>
std::vector<std::size_t> choose_nodes(std::size_t first, std::size_t last, std::size_t period,
                                      const F& eval_round) {
  constexpr std::size_t kMost = 8;  // then the error is rounding, also of long rounds
  constexpr double kApart = 2.0;    // keeps the sum of the weights' sizes below 9
  std::vector<std::size_t> out{last};
  for (std::size_t i = last; i >= first + 2 * period && out.size() < kMost;) {
    i -= period;
    if (eval_round(i) >= kApart * eval_round(out.back())) out.push_back(i);
  }
  return out;
}

/// True if two limits have the same speeds, compared with those of the impacts from `first` on.
bool have_same_speeds(const std::vector<Impact>& impacts, std::size_t first, const State& a,
                      const State& b) {
  constexpr double kSame = 1e-4;  // of the changes on the way, of which the last rounds are a part
  VecQ way = VecQ::Zero(a.v.size());
  for (std::size_t i = first; i < impacts.size(); ++i) {
    way = way.cwiseMax((impacts[i].after.v - a.v).cwiseAbs());
  }
  return ((a.v - b.v).cwiseAbs().array() <=
          kSame * way.array() + kSumRounding * a.v.cwiseAbs().array())
      .all();
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

/// The limit from the impacts up to one of them, and a bound on the error of its time [s].
struct ZenoWatch::Extrapolation {
  State state;
  double error = 0.0;
};

/// Near the limit t* the duration of a round is a smooth function of t* - t that vanishes at t*,
/// and so is every change of the state. So time and state are smooth in the duration of the last
/// round. The limit is the value at zero of polynomials in it through the last impacts
/// (Richardson's extrapolation). A straight line gives Aitken's method.
std::optional<ZenoWatch::Extrapolation> ZenoWatch::extrapolate(std::size_t first, std::size_t last,
                                                               std::size_t period) const {
  const auto eval_round = [&](std::size_t i) {
    return impacts_[i].after.time - impacts_[i - period].after.time;
  };
  constexpr double kLargestRatio = 0.9999;  // ratio; beyond it the extrapolation is noise
  if (!(eval_round(last) < kLargestRatio * eval_round(last - period))) return std::nullopt;
  const State& end = impacts_[last].after;
  const auto extrapolate_with = [&](const std::vector<std::size_t>& nodes, std::size_t count) {
    State out{0.0, VecQ::Zero(end.q.size()), VecQ::Zero(end.v.size())};
    for (std::size_t i = 0; i < count; ++i) {
      double weight = 1.0;  // of Lagrange's polynomial at zero
      for (std::size_t j = 0; j < count; ++j) {
        const double other = eval_round(nodes[j]);
        if (j != i) weight *= other / (other - eval_round(nodes[i]));
      }
      const State& node =
          impacts_[nodes[i]].after;  // relative to the end, where differences are small
      out.time += weight * (node.time - end.time);
      out.q += weight * (node.q - end.q);
      out.v += weight * (node.v - end.v);
    }
    return out;
  };
  // Another node improves the result until rounding, or impacts long ago, make it worse. Each
  // quantity has its own best degree: where the rounds shrink by a constant factor, a line is
  // enough for the time but not for the positions.
  const std::vector<std::size_t> nodes = choose_nodes(first, last, period, eval_round);
  const double infinity = std::numeric_limits<double>::infinity();
  State before = extrapolate_with({last, last - period}, 2);
  State best = before;
  const bool starts_alike = nodes.size() > 1 && nodes[1] == last - period;
  State error{infinity, VecQ::Constant(end.q.size(), infinity),
              VecQ::Constant(end.v.size(), infinity)};
  const auto improve = [](double now, double earlier, double& value, double& least) {
    const double change = std::abs(now - earlier);
    if (!(change <= least)) return;
    value = now;
    least = change;
  };
  for (std::size_t count = starts_alike ? 3 : 2; count <= nodes.size(); ++count) {
    const State now = extrapolate_with(nodes, count);
    improve(now.time, before.time, best.time, error.time);
    for (Eigen::Index i = 0; i < end.q.size(); ++i) {
      improve(now.q[i], before.q[i], best.q[i], error.q[i]);
      improve(now.v[i], before.v[i], best.v[i], error.v[i]);
    }
    before = now;
  }
  // In a slow or short series only successive lines can be compared.
  if (error.time == infinity) error.time = 0.0;
  return Extrapolation{{end.time + best.time, end.q + best.q, end.v + best.v}, error.time};
}

/// The first impact of the last accumulation among those from `first` on: impacts of the same
/// contacts before a pause belong to another one. A pause is a round that is not shorter than the
/// one before it, or one whose successor is less than 0.3 times as long as the ratio of the last
/// rounds predicts.
std::size_t ZenoWatch::skip_pause(std::size_t first, std::size_t period) const {
  constexpr double kPause = 0.3;  // of the last ratio of rounds: within a series it hardly changes
  const auto eval_ratio = [&](std::size_t last) {
    const double round = impacts_[last].after.time - impacts_[last - period].after.time;
    return round / (impacts_[last - period].after.time - impacts_[last - 2 * period].after.time);
  };
  const std::size_t end = impacts_.size();
  const double usual = eval_ratio(end - 1);
  for (std::size_t i = end - 1; i >= first + 2 * period; --i) {
    const double ratio = eval_ratio(i);
    if (!(ratio < 1.0)) return i + 1 - period;
    if (ratio < kPause * usual) return i - period;
  }
  return first;
}

/// The shortest flight between successive impacts of the last round [s].
double ZenoWatch::eval_shortest_flight(std::size_t period) const {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = impacts_.size() - period; i < impacts_.size(); ++i) {
    out = std::min(out, impacts_[i].after.time - impacts_[i - 1].after.time);
  }
  return out;
}

std::optional<ZenoLimit> ZenoWatch::find_limit(double duration, bool keeps_names,
                                               std::size_t period) const {
  constexpr std::size_t kMany = 40;
  constexpr double kSmall = 1e-3;  // of the first round, or of that part of the motion's time
  constexpr double kAgree = 1e-9;  // of the whole sequence's duration
  constexpr double kAgreeInTime = 1e-10;    // of the motion's
  constexpr double kShortestFlight = 1e-6;  // flight of the motion's: its height is near rounding
  constexpr double kLargestError = 1e-6;    // error of the motion's, whatever comes
  const std::size_t end = impacts_.size();
  std::size_t first = end;  // first impact of the sequence that repeats
  while (first > 0 &&
         (first + period > end || is_alike(impacts_[first - 1], impacts_[first - 1 + period]))) {
    --first;
  }
  const auto eval_round = [&](std::size_t last) {
    return impacts_[last].after.time - impacts_[last - period].after.time;
  };
  if (end < first + 2 * period + 3) return std::nullopt;
  first = skip_pause(first, period);
  const std::size_t count = end - first;
  if (count < 2 * period + 3) return std::nullopt;
  const bool is_short =
      eval_round(end - 1) <= kSmall * std::max(eval_round(first + period), kSmall * duration);
  if (!is_short && count < kMany) return std::nullopt;
  const auto now = extrapolate(first, end - 1, period);
  const auto before = extrapolate(first, end - 2, period);
  if (!now || !before) return std::nullopt;
  const double shortest = eval_shortest_flight(period);
  // Each impact's time has a rounding error, and an error from the height's rounding divided by its
  // speed. The sizes of the weights add up to less than 9.
  constexpr double kOfTimes = 10.0 * std::numeric_limits<double>::epsilon();  // of a time
  const double rounding =
      kOfTimes * (static_cast<double>(count) * now->state.time + duration * duration / shortest);
  // Errors of successive extrapolations fall at least like the rounds, by `ratio`.
  const double ratio = eval_round(end - 1) / eval_round(end - 1 - period);
  const double change = now->error + std::abs(now->state.time - before->state.time) *
                                         std::max(1.0, ratio / (1.0 - ratio));
  // The true remainder of the series and the estimated one are bounds, too. In a fast series the
  // last round is longer than either.
  const double rest = now->state.time - impacts_.back().after.time;
  if (!(rest > 0.0)) return std::nullopt;  // the limit lies after the last impact
  const double error = std::min(change + rounding, std::max(rest, eval_round(end - 1)));
  const double whole = now->state.time - impacts_[first].after.time;
  // Impacts of flights near rounding make no further progress, so a better estimate will not come.
  const bool is_noise = shortest <= kShortestFlight * duration;
  const bool is_last = is_noise || change <= rounding;
  const double enough =
      std::max(kAgree * whole, (is_last ? kLargestError : kAgreeInTime) * duration);
  if (error > enough) return std::nullopt;
  // Impulses of redundant contacts may have changed their pattern on the way; then the speeds are
  // extrapolated across a bend, until enough impacts lie behind it.
  const bool compares = keeps_names && !is_noise;
  if (compares && !have_same_speeds(impacts_, first, now->state, before->state)) {
    return std::nullopt;
  }
  ZenoLimit out{now->state, {}, {}, {}};
  for (std::size_t i = end - period; i < end; ++i) {
    const Impact& last = impacts_[i];
    const Impact& earlier = impacts_[i - period];
    for (std::size_t j = 0; j < last.contacts.size(); ++j) {
      out.colliding.push_back(last.contacts[j]);
      const bool sticks =
          last.slips[j] == ContactMode::kStick && earlier.slips[j] == ContactMode::kStick;
      if (sticks) out.sticking.push_back(last.contacts[j]);
    }
  }
  out.record = {static_cast<int>(count), static_cast<int>(period), ratio, error};
  return out;
}

std::optional<ZenoLimit> ZenoWatch::find_limit(double duration, bool keeps_names) const {
  constexpr std::size_t kLongest = 4;  // round
  for (std::size_t period = 1; period <= kLongest; ++period) {
    if (auto limit = find_limit(duration, keeps_names, period)) return limit;
  }
  return std::nullopt;
}

}  // namespace slipstick
