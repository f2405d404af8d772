#include "slipstick/sim/events/step_guards.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/sim/events/crossing.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

/// How far rounding may put a contact below its surface, of the model's length.
constexpr double kDepth = 1e-9;  // of lengths: deeper is no error of a step

}  // namespace

StepGuards::StepGuards(const Model& model, const ModeStep& step, const Mode& mode,
                       std::vector<Guard> guards, double last)
    : model_(model), step_(step), mode_(mode), guards_(std::move(guards)), last_(last) {}

bool StepGuards::look(bool first) {
  doubts_.clear();
  for (const Guard& guard : guards_) {
    const int zero = first && guard.zero_at_start > 0 ? guard.zero_at_start : find_zero(guard);
    const Course course = zero == 0 ? find_course(guard) : Course::kUnknown;
    if (course != Course::kClear) doubts_.push_back({&guard, zero, course == Course::kFalls});
  }
  return !doubts_.empty();
}

std::vector<StepGuards::Hit> StepGuards::find_hits() const {
  std::vector<Hit> out;
  for (const Doubt& doubt : doubts_) {
    const auto theta = find_crossing(doubt);
    if (theta) out.push_back({*theta, doubt.guard, doubt.zero_at_start});
  }
  return out;
}

// --- values ---

double StepGuards::eval_at_end(const Guard& guard) const {
  const ModeStep::Vector& end = step_.method().end();
  if (guard.type == GuardType::kTime) return last_ - end[step_.time_index()];
  if (!is_of_forces(guard)) return eval_state_guard(model_, mode_, guard, step_.unpack(end));
  const ModeStep::Vector& slope = step_.method().slope_at_end();
  const std::size_t i = step_.impulse_index(guard.index);
  return eval_force_guard(mode_, guard, slope[i], slope[i + 1]);
}

std::optional<double> StepGuards::eval_slope_at_end(const Guard& guard) const {
  const ModeStep::Vector& slope = step_.method().slope_at_end();
  switch (guard.type) {
    case GuardType::kTime:
      return -slope[step_.time_index()];
    case GuardType::kGap:
    case GuardType::kSlip:
      return eval_with_slope(guard, step_.contacts_at_end(), slope).slope;
    default:
      return std::nullopt;
  }
}

double StepGuards::eval(const Guard& guard, double theta) const {
  const ModeStep::Interpolant& interpolant = step_.interpolant();
  if (guard.type == GuardType::kTime) return last_ - interpolant.eval(step_.time_index(), theta);
  if (guard.type == GuardType::kGap) {
    VecQ q(model_.size());
    interpolant.eval_first(static_cast<std::size_t>(model_.size()), theta, q.data());
    return eval_gap(model_, guard.contact, q);
  }
  if (!is_of_forces(guard)) return eval_state_guard(model_, mode_, guard, step_.eval_state(theta));
  const std::size_t i = step_.impulse_index(guard.index);
  return eval_force_guard(mode_, guard, interpolant.eval_rate(i, theta),
                          interpolant.eval_rate(i + 1, theta)) /
         step_.method().length();
}

/// The length scale of a guard's contact [m].
double StepGuards::length_of(const Guard& guard) const {
  return model_.contacts[static_cast<std::size_t>(guard.contact)].length;
}

double StepGuards::find_noise(const Guard& guard) const {
  switch (guard.type) {
    case GuardType::kGap:
      return kSumRounding * length_of(guard);
    case GuardType::kSlip:
      return kSumRounding * length_of(guard) * step_.rate_scale();
    case GuardType::kForce:
    case GuardType::kConePlus:
    case GuardType::kConeMinus:
      return kSumRounding * step_.force_scale();
    default:
      return 0.0;
  }
}

double StepGuards::find_largest_noise(const Guard& guard) const {
  const double forces = is_of_forces(guard) ? step_.natural_force_scale() : 0.0;
  return std::max(find_noise(guard), kNumberRounding * forces);
}

// --- without the interpolant ---

/// The course of a guard over the step, if a few values show it, as for most guards in most steps.
/// If the error of the method is small, a guard differs from the curves below by at most a few
/// hundredths of its change; the margins are many times that.
StepGuards::Course StepGuards::find_course(const Guard& guard) const {
  const ModeStep::Method& method = step_.method();
  const auto clear_if = [](bool clear) { return clear ? Course::kClear : Course::kUnknown; };
  switch (guard.type) {
    case GuardType::kTime:  // time never falls
      return clear_if(last_ > method.end()[step_.time_index()]);
    case GuardType::kActive:
      return clear_if(eval_at_end(guard) > 0.0 && !may_switch(guard));
    case GuardType::kBegins:
      return clear_if(!is_at_surface(guard) || (eval_at_end(guard) > 0.0 && !may_switch(guard)));
    case GuardType::kSlack:
      return Course::kUnknown;
    case GuardType::kGap:
    case GuardType::kSlip:
      return find_course_by_slopes(guard);
    default:
      break;
  }
  const std::size_t i = step_.impulse_index(guard.index);
  const auto eval = [&](const ModeStep::Vector& slope) {
    return eval_force_guard(mode_, guard, slope[i], slope[i + 1]);
  };
  const auto [low, high] =
      std::minmax({eval(method.slope()), eval(method.slope_at_third()),
                   eval(method.slope_at_three_fifths()), eval(method.slope_at_end())});
  return clear_if(low > 0.5 * (high - low));
}

/// The cubic through values and slopes at a step's ends stays within the hull of its four control
/// values, and its slope within that of their differences.
struct StepGuards::Cubic {
  Cubic(const ValueAndSlope& start, const ValueAndSlope& end, double length) {
    const double rise_0 = length / 3.0 * start.slope;
    const double rise_1 = length / 3.0 * end.slope;
    const double between = end.value - start.value - rise_0 - rise_1;
    std::tie(low, high) =
        std::minmax({start.value, start.value + rise_0, end.value - rise_1, end.value});
    std::tie(least_rise, most_rise) = std::minmax({rise_0, between, rise_1});
  }
  [[nodiscard]] double margin() const { return 0.1 * (high - low); }
  [[nodiscard]] bool keeps_sign() const { return std::max(low, -high) > margin(); }

  double low, high, least_rise, most_rise;
};

StepGuards::Course StepGuards::find_course_by_slopes(const Guard& guard) const {
  const ModeStep::Method& method = step_.method();
  if (has_slipped_in(guard)) return Course::kUnknown;
  // A surface's speed that depends on time may bend the slip within a step.
  const Contact& contact = model_.contacts[static_cast<std::size_t>(guard.contact)];
  const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
  if (guard.type == GuardType::kSlip && !surface.speed.is_constant()) return Course::kUnknown;
  const ValueAndSlope start = eval_with_slope(guard, step_.contacts_at_start(), method.slope());
  const ValueAndSlope end = eval_with_slope(guard, step_.contacts_at_end(), method.slope_at_end());
  const Cubic cubic(start, end, method.length());
  const double margin = cubic.margin();
  if (cubic.keeps_sign() || cubic.least_rise > margin) return Course::kClear;
  constexpr double kResolved = 1e3;  // times rounding
  const bool falls = start.value > 0.0 && end.value < 0.0 && -cubic.most_rise > margin &&
                     margin > kResolved * find_noise(guard);
  return falls ? Course::kFalls : Course::kUnknown;
}

/// The value and d(value)/d(tau) of a guard on positions or velocities.
StepGuards::ValueAndSlope StepGuards::eval_with_slope(const Guard& guard,
                                                      const ContactKinematics& contacts,
                                                      const ModeStep::Vector& slope) const {
  const int c = guard.contact;
  const double rate = slope[step_.time_index()];
  if (guard.type == GuardType::kGap) return {contacts.gap[c], rate * contacts.gap_rate[c]};
  const double sign = mode_.closed[guard.index].slip_sign;
  const int n = model_.size();
  double acceleration = rate * contacts.bias_t[c];
  for (int i = 0; i < n; ++i) {
    acceleration += contacts.W_t(i, c) * slope[static_cast<std::size_t>(n + i)];
  }
  return {sign * contacts.slip[c], sign * acceleration};
}

// --- on the interpolant ---

std::optional<double> StepGuards::find_crossing(const Doubt& doubt) const {
  const Guard& guard = *doubt.guard;
  const bool is_gap = guard.type == GuardType::kGap;
  if (guard.type == GuardType::kActive || guard.type == GuardType::kBegins) {
    return find_switch(guard);
  }
  const auto eval = [&](double theta) { return this->eval(guard, theta); };
  if (doubt.falls) {
    const auto theta = find_crossing_of_fall(eval);
    return theta && (!is_gap || is_active_from(guard, *theta)) ? theta : std::nullopt;
  }
  if (doubt.zero_at_start == 0 && has_slipped_in(guard)) return 0.0;
  const double noise = find_noise(guard);
  auto theta = find_first_crossing({eval, doubt.zero_at_start, true, noise});
  const auto find_next = [&](double from, int zero) -> std::optional<double> {
    const auto rest = [&](double u) { return eval(from + u * (1.0 - from)); };
    const auto u = from < 1.0 ? find_first_crossing({rest, zero, false, noise}) : std::nullopt;
    return u ? std::optional(from + *u * (1.0 - from)) : std::nullopt;
  };
  // Crossings of a contact that is not active do not count; a later one may.
  while (theta && is_gap && !is_active_from(guard, *theta)) theta = find_next(*theta, 1);
  constexpr int kMostTouches = 100;  // in a step: more are rounding, and the guard stays at zero
  for (int i = 0; theta && may_touch(guard) && i < kMostTouches; ++i) {
    const auto past = find_rise(guard, *theta);
    if (!past) break;
    theta = find_next(*past, 0);
  }
  return theta;
}

/// A force that only touches zero does not end the mode. Neither does a slip, unless static
/// friction above kinetic friction would hold the contact.
bool StepGuards::may_touch(const Guard& guard) const {
  if (guard.type != GuardType::kSlip) return is_of_forces(guard);
  const ClosedMode& contact = mode_.closed[guard.index];
  return contact.mu_s <= contact.mu;
}

/// The theta at which a guard that was zero is above zero again; nothing if it falls below.
std::optional<double> StepGuards::find_rise(const Guard& guard, double theta) const {
  constexpr double kFarthestRise = 2e-3;  // of the step: by then it is above noise
  // Errors of the motion so far may put a slip that only touches zero below it.
  const bool is_slip = guard.type == GuardType::kSlip;
  const double noise =
      is_slip ? Tolerances().closure * length_of(guard) * step_.rate_scale() : find_noise(guard);
  for (double past = 1e-6; past < kFarthestRise && theta + past < 1.0; past *= 10.0) {
    const double value = eval(guard, theta + past);
    if (value > noise) return theta + past;
    if (value < -noise) break;
  }
  return std::nullopt;
}

/// A contact that rounding has put below its surface and that rises starts from zero gap.
int StepGuards::find_zero(const Guard& guard) const {
  if (guard.type != GuardType::kGap) return 0;
  const double gap = step_.contacts_at_start().gap[guard.contact];
  const bool rises = step_.contacts_at_start().gap_rate[guard.contact] > 0.0;
  return rises && gap <= 0.0 && gap > -kDepth * length_of(guard) ? 1 : 0;
}

/// True for a contact that rounding has put below its surface and that keeps falling. A contact
/// with `active_when` may be deep below it: it began to exist there and acts once it has come out.
bool StepGuards::has_slipped_in(const Guard& guard) const {
  if (guard.type != GuardType::kGap) return false;
  const double gap = step_.contacts_at_start().gap[guard.contact];
  const bool exists_always =
      !model_.contacts[static_cast<std::size_t>(guard.contact)].active_when.has_value();
  return gap < 0.0 && (exists_always || gap > -kDepth * length_of(guard)) &&
         step_.contacts_at_start().gap_rate[guard.contact] < 0.0 && is_active_from(guard, 0.0);
}

/// True also if the contact becomes active there, because an active contact must not fall below its
/// surface.
bool StepGuards::is_active_from(const Guard& guard, double theta) const {
  return is_active_at(guard, theta) || is_active_at(guard, std::min(1.0, theta + kJustAfter));
}

bool StepGuards::is_active_at(const Guard& guard, double theta) const {
  return eval_is_active(model_, guard.contact, step_.eval_state(theta));
}

// --- conditions of contacts ---

const Function& StepGuards::condition_of(const Guard& guard) const {
  return *model_.contacts[static_cast<std::size_t>(guard.contact)].active_when;
}

std::size_t StepGuards::switch_count(const Guard& guard) const {
  const auto& expression = condition_of(guard).expression();
  return expression ? expression->switch_count() : 0;
}

/// A condition's switch at a state of the step, with its derivative by tau.
StepGuards::ValueAndSlope StepGuards::eval_switch(const Guard& guard, std::size_t index,
                                                  const ModeStep::Vector& y,
                                                  const ModeStep::Vector& slope) const {
  const Dual out =
      slipstick::eval_switch(condition_of(guard), index, step_.unpack(y), step_.unpack(slope));
  return {out.value, out.rate};
}

/// False if it is clear that no comparison of a condition changes within the step.
bool StepGuards::may_switch(const Guard& guard) const {
  const ModeStep::Method& method = step_.method();
  for (std::size_t i = 0; i < switch_count(guard); ++i) {
    const ValueAndSlope start = eval_switch(guard, i, method.start(), method.slope());
    const ValueAndSlope end = eval_switch(guard, i, method.end(), method.slope_at_end());
    if (!Cubic(start, end, method.length()).keeps_sign()) return true;
  }
  return false;
}

/// True if the contact is at its surface at both ends of the step. A contact that passes through
/// its surface while it does not exist is elsewhere at one of them.
bool StepGuards::is_at_surface(const Guard& guard) const {
  const Contact& contact = model_.contacts[static_cast<std::size_t>(guard.contact)];
  const double near = Tolerances().closure * contact.length + contact.blur;
  return std::abs(step_.contacts_at_start().gap[guard.contact]) <= near &&
         std::abs(step_.contacts_at_end().gap[guard.contact]) <= near;
}

/// The theta at which a condition first differs from its value at the step's start. It is evaluated
/// behind each change of a comparison, then located by halving, because a condition has no slope.
std::optional<double> StepGuards::find_switch(const Guard& guard) const {
  double low = 0.0;
  double high = kJustAfter;
  while (eval(guard, high) > 0.0) {
    if (high == 1.0) return std::nullopt;
    low = high;
    high = std::min(1.0, find_turn(guard, low) + kJustAfter);
  }
  while (std::nextafter(low, high) < high) {
    const double middle = 0.5 * (low + high);
    (eval(guard, middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

/// The first change of a condition's comparisons after `from`; 1 if there is none.
double StepGuards::find_turn(const Guard& guard, double from) const {
  double out = 1.0;
  const State still{0.0, VecQ::Zero(model_.size()), VecQ::Zero(model_.size())};
  for (std::size_t i = 0; i < switch_count(guard); ++i) {
    const auto eval = [&](double u) {
      const State state = step_.eval_state(from + u * (1.0 - from));
      return slipstick::eval_switch(condition_of(guard), i, state, still).value;
    };
    const double sign = eval(0.0) < 0.0 ? -1.0 : 1.0;
    const auto u = find_first_crossing({[&](double at) { return sign * eval(at); }});
    if (u) out = std::min(out, from + *u * (1.0 - from));
  }
  return out;
}

}  // namespace slipstick
