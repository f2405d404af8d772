#include "slipstick/analysis/observe/observation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "slipstick/core/roots.h"
#include "slipstick/core/scales.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/singular/passage.h"

namespace slipstick {
namespace {

/// Times the tolerance of the run: what the interpolant of a step may swing.
constexpr double kOfTolerance = 10.0;
/// Parts of a step in which the observable's formula is looked at.
constexpr int kObservedParts = 8;

/// The slope at a place of the polynomial through values at neighbouring places, by Newton's
/// divided differences.
template <class F>
double eval_polynomial_slope(const F& f, double from, double to, double at) {
  constexpr int kNodes = 9;
  std::array<double, kNodes> x;
  std::array<double, kNodes> c;
  for (int i = 0; i < kNodes; ++i) {
    const auto k = static_cast<std::size_t>(i);
    // Chebyshev's places, where the polynomial is steady
    x[k] = 0.5 * (from + to) + 0.5 * (to - from) * std::cos(std::numbers::pi * (i + 0.5) / kNodes);
    c[k] = f(x[k]);
  }
  for (std::size_t j = 1; j < kNodes; ++j) {
    for (std::size_t i = kNodes - 1; i >= j; --i) c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - j]);
  }
  double value = c[kNodes - 1];
  double slope = 0.0;
  for (std::size_t i = kNodes - 1; i-- > 0;) {
    slope = value + (at - x[i]) * slope;
    value = c[i] + (at - x[i]) * value;
  }
  return slope;
}

}  // namespace

Observation::Observation(const Model& model, const MotionFormula& formula, const Run& run,
                         double tolerance)
    : model_(model), formula_(formula), trajectory_(run.trajectory) {
  blur_.part = kOfTolerance * std::max(tolerance, kSolveRounding);
  const VecQ scale = make_coordinate_scale(model);
  for (const Segment& segment : trajectory_->segments) {
    blur_.rate = std::max(blur_.rate, eval_rate_scale(scale, state_at(segment, 0.0).v));
  }
}

State Observation::state_at(const Segment& segment, double theta) const {
  State out = eval_state(segment.polynomial, model_.size(), theta);
  out.time = std::clamp(out.time, segment.from, std::max(segment.from, segment.to));
  return out;
}

double Observation::eval(const Segment& segment, double theta) const {
  return formula_.eval(model_, trajectory_->modes[segment.mode], state_at(segment, theta));
}

/// A number with the sign of the slope.
double Observation::eval_slope(const Segment& segment, double theta) const {
  if (formula_.has_rate()) {
    return formula_.eval_dual(model_, trajectory_->modes[segment.mode], state_at(segment, theta))
        .rate;
  }
  const double width = 0.125 * segment.theta_end;  // the formula is smooth over such a part
  const double from = std::clamp(theta - 0.5 * width, 0.0, segment.theta_end - width);
  return eval_polynomial_slope([&](double at) { return eval(segment, at); }, from, from + width,
                               theta);
}

MotionBlur Observation::find_blur(const Segment& segment) const {
  MotionBlur out = blur_;
  out.force = 0.0;  // of this segment alone
  const Mode& mode = trajectory_->modes[segment.mode];
  if (!formula_.needs_field() || mode.closed.empty()) return out;
  const Vec2C forces = eval_natural_field(model_, mode, state_at(segment, 0.0)).impulse_rate;
  if (forces.allFinite()) out.force = forces.cwiseAbs().maxCoeff();
  return out;
}

void Observation::add_node(const TrajectoryPlace& place) {
  const Segment& segment = trajectory_->segments[place.segment];
  const State state = state_at(segment, place.theta);
  const Mode& mode = trajectory_->modes[segment.mode];
  const Blurred value = formula_.eval_blurred(model_, mode, state, blur_);
  if (!std::isfinite(value.value)) {
    if (gaps_.empty() || gaps_.back() != nodes_.size()) gaps_.push_back(nodes_.size());
    return;
  }
  const double error = std::isfinite(value.blur) ? value.blur : 0.0;
  const double time = place.theta == segment.theta_end ? segment.to : state.time;
  nodes_.push_back({time, formula_.eval(model_, mode, state), error, place});
}

/// Where the slope changes its sign between two places.
void Observation::add_turns(const Segment& segment, double from, double to,
                            std::vector<double>& out) const {
  const auto slope = [&](double theta) { return eval_slope(segment, theta); };
  if (!std::isfinite(slope(from)) || !std::isfinite(slope(to))) return;
  for (const double theta : find_roots(slope, from, to, kResultRounding)) out.push_back(theta);
}

/// The places of a step between which the observable is monotone.
std::vector<double> Observation::list_places(const Segment& segment) const {
  const Mode& mode = trajectory_->modes[segment.mode];
  std::vector<double> out{0.0, segment.theta_end};
  std::vector<double> corners = out;
  for (std::size_t i = 0; i < formula_.switch_count(); ++i) {
    const auto value = [&](double theta) {
      return formula_.eval_switch(i, model_, mode, state_at(segment, theta), {}).value;
    };
    if (!std::isfinite(value(0.0)) || !std::isfinite(value(segment.theta_end))) continue;
    for (const double theta : find_roots(value, 0.0, segment.theta_end, kSolveRounding)) {
      corners.push_back(theta);
    }
  }
  std::sort(corners.begin(), corners.end());
  for (std::size_t k = 1; k < corners.size(); ++k) {
    const double width = corners[k] - corners[k - 1];
    if (!(width > 0.0)) continue;
    out.push_back(corners[k]);
    double least = HUGE_VAL;
    double largest = -HUGE_VAL;
    double error = 0.0;
    bool is_finite = true;
    for (int i = 0; i <= kObservedParts; ++i) {
      const double theta = corners[k - 1] + width * i / kObservedParts;
      const Blurred value = formula_.eval_blurred(model_, mode, state_at(segment, theta), blur_);
      is_finite &= std::isfinite(value.value);
      least = std::min(least, value.value);
      largest = std::max(largest, value.value);
      error = std::max(error, value.blur);
      out.push_back(theta);
    }
    if (is_finite && largest - least > error) {
      add_turns(segment, corners[k - 1], corners[k], out);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Observation::add_segment(std::size_t index) {
  const Segment& segment = trajectory_->segments[index];
  if (!(segment.theta_end > 0.0)) return;
  blur_ = find_blur(segment);
  for (const double theta : list_places(segment)) add_node({index, theta});
}

/// Turns of the value by more than its error, at kinks and jumps, too.
void Observation::find_extremes(std::size_t from, std::size_t to,
                                std::vector<Observed>& out) const {
  int direction = 0;
  std::size_t low = from;
  std::size_t high = from;  // the extremes since the last turn
  for (std::size_t i = from + 1; i < to; ++i) {
    const Node& node = nodes_[i];
    if (node.value < nodes_[low].value) low = i;
    if (node.value > nodes_[high].value) high = i;
    const auto exceeds = [&](double difference, const Node& other) {
      return difference > std::max(node.error, other.error);
    };
    if (direction <= 0 && exceeds(node.value - nodes_[low].value, nodes_[low])) {
      const Node& turn = nodes_[low];
      if (direction < 0) out.push_back({ObservedType::kMinimum, turn.time, turn.value});
      direction = 1;
      high = i;
    } else if (direction >= 0 && exceeds(nodes_[high].value - node.value, nodes_[high])) {
      const Node& turn = nodes_[high];
      if (direction > 0) out.push_back({ObservedType::kMaximum, turn.time, turn.value});
      direction = -1;
      low = i;
    }
  }
}

/// A change of sign between two neighbouring nodes; nothing at a pole.
std::optional<Observed> Observation::locate_zero(const Node& before, const Node& after) const {
  Observed out{ObservedType::kZero, after.time, after.value, after.value > before.value, false};
  if (before.place.segment != after.place.segment) {
    out.jumps = std::abs(after.value - before.value) > std::max(before.error, after.error);
    if (out.jumps) out.value = before.value;
    return out;
  }
  const Segment& segment = trajectory_->segments[before.place.segment];
  const double theta = find_zero_between([&](double at) { return eval(segment, at); },
                                         before.place.theta, after.place.theta);
  out.time = state_at(segment, theta).time;
  out.value = eval(segment, theta);
  if (!(std::abs(out.value) <= std::max(std::abs(before.value), std::abs(after.value)))) {
    return std::nullopt;
  }
  return out;
}

/// Changes of sign between values beyond their errors.
void Observation::find_zeros(std::size_t from, std::size_t to, std::vector<Observed>& out) const {
  std::size_t last = from;
  int sign = 0;
  for (std::size_t i = from; i < to; ++i) {
    const Node& node = nodes_[i];
    if (std::abs(node.value) <= node.error) continue;
    const int now = node.value > 0.0 ? 1 : -1;
    for (std::size_t j = last; sign * now < 0 && j < i; ++j) {
      if (nodes_[j].value * sign > 0.0 && nodes_[j + 1].value * sign <= 0.0) {
        if (auto zero = locate_zero(nodes_[j], nodes_[j + 1])) {
          zero->rises = now > 0;
          out.push_back(*zero);
        }
        break;
      }
    }
    sign = now;
    last = i;
  }
}

void Observation::write(ObservableRecord& out) {
  for (std::size_t i = 0; i < trajectory_->segments.size(); ++i) add_segment(i);
  if (nodes_.empty()) {
    out.undefined = trajectory_.empty() ? "the run has no motion" : "it is never a finite number";
    return;
  }
  gaps_.push_back(nodes_.size());
  std::size_t from = 0;
  for (const std::size_t to : gaps_) {
    find_extremes(from, to, out.events);
    find_zeros(from, to, out.events);
    from = to;
  }
  std::stable_sort(out.events.begin(), out.events.end(),
                   [](const Observed& a, const Observed& b) { return a.time < b.time; });
  const auto is_less = [](const Node& a, const Node& b) { return a.value < b.value; };
  const Node& least = *std::min_element(nodes_.begin(), nodes_.end(), is_less);
  const Node& largest = *std::max_element(nodes_.begin(), nodes_.end(), is_less);
  out.least = {ObservedType::kMinimum, least.time, least.value};
  out.largest = {ObservedType::kMaximum, largest.time, largest.value};
  out.start = nodes_.front().value;
  out.end = nodes_.back().value;
}

}  // namespace slipstick
