#include "slipstick/sim/events/integrate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "slipstick/core/scales.h"
#include "slipstick/sim/events/condition.h"
#include "slipstick/sim/events/crossing.h"
#include "slipstick/sim/events/step_guards.h"
#include "slipstick/sim/mode/mode_step.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

class ModeIntegration {
 public:
  ModeIntegration(const Model& model, const Mode& mode, const ModeStart& start,
                  const SimulationOptions& options, const TellMinor& tell_minor, Pace& pace,
                  Run& run)
      : model_(model),
        mode_(mode),
        options_(options),
        tell_minor_(tell_minor),
        pace_(pace),
        run_(run),
        stop_(start.stop),
        last_(stop_ ? stop_->before : options.until),
        step_(model, mode, start.forces, last_, stop_.has_value(), options, run.counts),
        guards_(model, step_, mode, list_guards(model, mode, start.state, start.opening),
                find_last_time(last_)),
        jam_(model, mode, options.tolerance) {}

  ModeEnd run(const State& start) {
    step_.start(start);
    start_minors();
    if (options_.keep_trajectory) {
      run_.trajectory->modes.push_back(mode_);
      run_.trajectory->events.push_back(run_.events.size());
    }
    for (bool first = true;;) {
      if (const Why why = step_.advance()) return fail_or_lock(why);
      read_minors();
      // The interpolant needs three more evaluations.
      const bool doubts = guards_.look(first);
      const bool decides = doubts || !minors_.empty() || options_.condition != nullptr;
      if (decides || options_.keep_trajectory) step_.interpolate(decides);
      shorter_.reset();
      if (doubts && step_.has_crossed()) refuse(kHalf);
      if (decides) {
        if (auto end = find_end()) return *end;
      }
      if (shorter_) {
        step_.shorten(*shorter_);
        continue;
      }
      first = false;
      if (!pace_.is_advancing(step_.time(), step_.rate_scale()))
        return fail_or_lock(Pace::explain());
      keep(1.0);
      step_.go_on();
      note_nearness();
      if (auto end = find_jam()) return *end;
      if (options_.keep_going && !options_.keep_going(step_.time())) {
        return {ModeEndType::kInterrupted, start_of_step(), {}, 0.0, false, {}};
      }
    }
  }

 private:
  [[nodiscard]] State start_of_step() const { return step_.unpack(step_.method().start()); }

  void keep(double theta) {
    if (!options_.keep_trajectory) return;
    // Enough to make the calls cheap, few enough to stay in the fastest cache.
    constexpr std::size_t kReviewed = 16;
    if (options_.review && run_.trajectory->segments.size() >= kReviewed) options_.review(run_);
    const ModeStep::Interpolant& interpolant = step_.interpolant();
    const std::size_t time = step_.time_index();
    run_.trajectory->segments.push_back(
        {make_segment_polynomial(interpolant, step_.impulse_index(mode_.closed.size())), theta,
         interpolant.eval(time, 0.0), interpolant.eval(time, theta),
         run_.trajectory->modes.size() - 1});
  }

  [[nodiscard]] ModeEnd fail(const Why& why) const {
    const State start = start_of_step();
    const std::string undefined = find_undefined_ahead(start);
    return {ModeEndType::kFailure,
            start,
            {},
            0.0,
            false,
            undefined.empty() ? why
                              : Why{WhyCode::kUndefined,
                                    "'" + undefined + "' is not a finite number from there on"}};
  }

  /// A formula that is not defined from the state on, or from just after it.
  [[nodiscard]] std::string find_undefined_ahead(const State& start) const {
    std::string out = find_undefined_formula(model_, start);
    constexpr double kFarthestLook = 1e-3;  // of the motion's own time
    for (double part = kNumberRounding; out.empty() && part < kFarthestLook; part *= 10.0) {
      const double ahead =
          std::min(part, kTimeRoom) * std::abs(start.time) + part / step_.rate_scale();
      out = find_undefined_formula(model_,
                                   {start.time + ahead, start.q + ahead * start.v, VecQ(start.v)});
    }
    return out;
  }

  /// Steps also become short where sticking contacts are driven to a dead centre. The lever e falls
  /// like e e' = const, so e ~ (t* - t)^(1/2). Rates grow like 1/e, accelerations like 1/e^3, and
  /// forces like 1/e^4.
  [[nodiscard]] ModeEnd fail_or_lock(const Why& why) const {
    constexpr double kExponent = -2.0;  // of t* - t in the forces: 1/e^4
    const State start = start_of_step();
    const auto is_driven = [&](const ClosedMode& closed) {
      const Contact& contact = model_.contacts[static_cast<std::size_t>(closed.contact)];
      const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
      return closed.sticks() && eval_function(surface.speed, start) != 0.0;
    };
    const bool locks = !mode_.stretched && step_.has_unbounded_force() &&
                       std::any_of(mode_.closed.begin(), mode_.closed.end(), is_driven);
    if (!locks || !find_undefined_ahead(start).empty()) return fail(why);
    return {ModeEndType::kLocked, start_of_step(), {}, kExponent, false, {}};
  }

  // --- events ---

  static constexpr double kHalf = 0.5;  // of the step
  /// The step is too long to resolve what happens in it; a part of it is made instead.
  void refuse(double part) {
    if (step_.can_be_shortened()) shorter_ = part;
  }

  /// The end of the mode within the step, if the step is not refused.
  std::optional<ModeEnd> find_end() {
    if (shorter_) return std::nullopt;
    if (minors_.empty() && !options_.condition) {
      auto event = find_event();
      if (event) event->marginal |= is_marginal_;
      return event;
    }
    const ModeStep::Finished step = step_.save();
    auto event = find_event();
    if (shorter_) return std::nullopt;
    step_.restore(step);
    const auto held = options_.condition ? find_held(event) : std::nullopt;
    step_.restore(step);
    const State* last = held ? &held->state : (event ? &event->state : nullptr);
    if (auto end = tell_minor_changes(find_minor_changes(), last, event.has_value())) return end;
    if (held) return end_held(*held, event.has_value());
    if (event) event->marginal |= is_marginal_;
    return event;
  }

  // --- the condition of the options ---

  /// Where it holds.
  struct Held {
    double theta = 0.0;
    State state;
  };

  /// The first time in the step, not after the event that ends it, at which the condition holds.
  std::optional<Held> find_held(const std::optional<ModeEnd>& event) {
    const ConditionSearch search{*options_.condition, model_, mode_,
                                 [&](double theta) { return step_.eval_state(theta); }, 1.0};
    const auto start = find_first_true(search);
    if (!start) return std::nullopt;
    Held out{start->theta, start_of_step()};
    if (start->comparison) out.state = locate_comparison(search, *start);
    if (!event) return out;
    const double together = kSameTime / step_.rate_scale();
    if (out.state.time < event->state.time - together) return out;
    // Beyond the event the step does not hold. On the border it is decided by the event's state.
    const bool is_there = out.state.time <= event->state.time + together;
    if (!is_there || !holds(*options_.condition, model_, mode_, event->state)) return std::nullopt;
    out.state = event->state;
    return out;
  }

  /// The state where a comparison changes: the step is repeated up to there, and corrected for the
  /// interpolant's error.
  State locate_comparison(const ConditionSearch& search, const ConditionStart& start) {
    const double whole = step_.method().length();
    const double low = std::max(0.0, start.theta - kAside);
    const double high = std::min(1.0, start.theta + kAside);
    const auto eval = [&](double theta) {
      return eval_comparison(search, *start.comparison, step_.eval_state(theta));
    };
    const double slope = (eval(high) - eval(low)) / ((high - low) * whole);
    step_.repeat(start.theta * whole);
    const State out = end_of_step(0.0);
    const double correction = -eval_comparison(search, *start.comparison, out) / slope;
    // A larger one would not correct the interpolant's error: the slope is not known.
    return std::abs(correction) <= kAside * whole ? end_of_step(correction) : out;
  }

  ModeEnd end_held(const Held& held, bool replaces_event) {
    if (replaces_event && options_.keep_trajectory) run_.trajectory->segments.pop_back();
    if (held.theta > 0.0) {
      keep(match_time(held.theta, held.state.time));
      if (options_.keep_trajectory) run_.trajectory->segments.back().to = held.state.time;
    }
    return {ModeEndType::kCondition, held.state, {}, 0.0, false, {}};
  }

  std::optional<ModeEnd> find_event() {
    const std::vector<StepGuards::Hit> hits = guards_.find_hits();
    if (hits.empty()) return std::nullopt;
    // Of several at the same time the last one is taken, because the end of the run comes first
    // among the guards.
    StepGuards::Hit earliest = *std::min_element(
        hits.rbegin(), hits.rend(), [](const auto& a, const auto& b) { return a.theta < b.theta; });
    const double together = kSameTime / (step_.rate_scale() * step_.method().length());
    if (earliest.zero_at_start > 0) refuse_long_step(earliest);
    if (shorter_) return std::nullopt;
    const double first = earliest.theta;
    const Located at = locate_first(hits, earliest);
    if (!at.certain) refuse(kHalf);
    if (shorter_) return std::nullopt;
    ModeEnd out{ModeEndType::kTime, {}, {}, 0.0, false, {}};
    bool at_end = false;
    // Level feet reach the floor at the same time. In a slow fall the rounding of their gaps would
    // separate the times.
    const auto is_there = [&](const StepGuards::Hit& hit) {
      return hit.guard->type == GuardType::kGap && earliest.guard->type == GuardType::kGap &&
             eval_state_guard(model_, mode_, *hit.guard, at.state) <=
                 guards_.find_noise(*hit.guard) &&
             eval_contact_kinematics(model_, at.state).gap_rate[hit.guard->contact] < 0.0;
    };
    for (const StepGuards::Hit& hit : hits) {
      if (hit.theta > earliest.theta + together && !is_there(hit)) continue;
      // The interpolant put these before the earliest event, but located they come after it.
      if (earliest.theta > first && hit.theta < earliest.theta - together) continue;
      const bool is_time = hit.guard->type == GuardType::kTime;
      at_end |= is_time;
      if (!is_time) out.type = ModeEndType::kGuards;
      out.guards.push_back(*hit.guard);
    }
    if (earliest.guard->type == GuardType::kSlack || (at_end && stop_)) {
      // Beyond the border of a family the forces bend, and formulas of time change, so the motion
      // up to the event gets an interpolant of its own.
      step_.interpolate(false);
      keep(1.0);
    } else {
      // Near d = 0 time hardly passes, so the value of the guard is more accurate than the time.
      constexpr double kNearSingular = 1e-2;  // of d: above it the time is as accurate
      const bool stands = mode_.stretched && step_.rate() < kNearSingular;
      keep(stands ? earliest.theta : match_time(earliest.theta, at.state.time));
    }
    out.state = at.state;
    if (at_end) out.state.time = last_;
    if (options_.keep_trajectory) run_.trajectory->segments.back().to = out.state.time;
    if (at_end && stop_) {
      out.type = ModeEndType::kGuards;
      out.state.time = stop_->after;
    }
    return out;
  }

  /// A flight (or slip) much shorter than the step may be lower than the step's error. The step is
  /// then cut to where the guard is below zero by more than rounding.
  void refuse_long_step(const StepGuards::Hit& hit) {
    constexpr double kSoon = 1e-2;       // of the step: later flights are above its error
    constexpr double kBeyond = 20.0;     // times the flight: the guard is well below zero again
    constexpr double kAboveNoise = 1e3;  // times rounding
    for (double part = kBeyond * std::max(hit.theta, kLeastPart); part < kBeyond * kSoon;
         part *= 2.0) {
      if (guards_.eval(*hit.guard, part) > -kAboveNoise * guards_.find_noise(*hit.guard)) continue;
      return refuse(part);
    }
  }

  /// The theta at which the interpolant reaches the time of a located event; the stored motion ends
  /// there.
  [[nodiscard]] double match_time(double theta, double time) const {
    const auto& interpolant = step_.interpolant();
    const std::size_t index = step_.time_index();
    constexpr int kSteps = 4;  // of Newton's method, from the digits that the interpolant has
    for (int i = 0; i < kSteps; ++i) {
      const double rate = interpolant.eval_rate(index, theta);
      if (!(rate > 0.0)) break;
      theta = std::clamp(theta + (time - interpolant.eval(index, theta)) / rate, 0.0, 1.0);
    }
    return theta;
  }

  static constexpr int kRepeats = 6;
  static constexpr double kLinear = 1e-9;  // of the step: one last linear correction is exact
  static constexpr double kAside = 1e-4;   // of the step: where a slope is taken

  struct Located {
    State state;
    bool certain = true;  ///< false: the guard is not near zero there
  };

  /// Locates the earliest event. If gaps are within rounding, the interpolant may confuse the
  /// order; the event that is first after location is taken.
  Located locate_first(const std::vector<StepGuards::Hit>& hits, StepGuards::Hit& earliest) {
    if (hits.size() == 1) return locate(*earliest.guard, earliest.theta);
    const ModeStep::Finished step = step_.save();
    Located out = locate(*earliest.guard, earliest.theta);
    bool moved = false;
    for (const StepGuards::Hit& other : hits) {
      const double time = step_.interpolant().eval(step_.time_index(), other.theta);
      const bool may_come_first =
          other.theta > earliest.theta && time < out.state.time - kSameTime / step_.rate_scale();
      if (!may_come_first) continue;
      step_.restore(step);
      const Located at = locate(*other.guard, other.theta);
      moved = true;
      if (!at.certain || at.state.time >= out.state.time) continue;
      out = at;
      earliest = other;
    }
    if (!moved) return out;
    step_.restore(step);
    return locate(*earliest.guard, earliest.theta);  // the step must end there
  }

  /// The state at the event: the step is repeated up to where the interpolant puts the event, then
  /// corrected for the interpolant's error.
  Located locate(const Guard& guard, double theta) {
    if (guard.type == GuardType::kSlack || guard.type == GuardType::kActive ||
        guard.type == GuardType::kBegins) {
      return {locate_by_halving(guard, theta)};
    }
    const double whole = step_.method().length();
    const double low = std::max(0.0, theta - kAside);
    const double high = std::min(1.0, theta + kAside);
    const double value_high = guards_.eval(guard, high);
    double slope = (value_high - guards_.eval(guard, low)) / ((high - low) * whole);
    const auto size = [&](double at) { return std::abs(guards_.eval(guard, at)); };
    constexpr double kNearZero = 1e-6;  // of the guard's sizes at the ends: a root that was located
    const double near =
        std::max(kNearZero * std::max(size(0.0), size(1.0)), guards_.find_largest_noise(guard));
    if (guard.type == GuardType::kGap && low < theta && value_high > 0.0) {
      if (const auto touch = locate_touch(guard, theta, near)) return *touch;
    }
    double length = theta * whole;
    double value = 0.0;
    double correction = 0.0;
    bool settled = false;
    for (int i = 0; !settled && i < kRepeats; ++i) {
      length += correction;
      step_.repeat(length);
      const double last = std::exchange(value, guards_.eval_at_end(guard));
      // The slope of the interpolant is as accurate as the tolerance; the difference between two
      // steps is better.
      const auto known = guards_.eval_slope_at_end(guard);
      const double better = known ? *known : (i > 0 ? (value - last) / correction : slope);
      if (better / slope > 0.5 && better / slope < 2.0) slope = better;
      correction = -value / slope;
      constexpr double kLargestCorrection = 1e-2;  // of the step: beyond it the root is double
      if (!(std::abs(correction) <= kLargestCorrection * whole)) correction = 0.0;
      correction = std::max(correction, -length);  // not before the start of the step
      // The correction is small enough for one last linear correction.
      settled = std::abs(correction) <= (known || i > 0 ? kLinear : 1e-3 * kLinear) * whole;
    }
    Located out{end_of_step(correction)};
    // At the start of the step the penetration is rounding error; a shorter step cannot resolve it.
    const bool is_zero = settled && correction != 0.0;
    out.certain = is_zero || length == 0.0 || std::abs(value) <= near;
    return out;
  }

  /// The state at the end of a repeated step, moved by a small correction of its length.
  [[nodiscard]] State end_of_step(double correction) const {
    ModeStep::Vector y = step_.method().end();
    for (std::size_t i = 0; i <= step_.time_index(); ++i) {
      y[i] += correction * step_.method().slope_at_end()[i];
    }
    State out = step_.unpack(y);
    project_onto_mode(model_, mode_, out);
    return out;
  }

  /// The same for a gap that only touches zero. The gap gives the time to half the digits only, so
  /// the zero of its rate is found, by secants. Nothing if the rate does not vanish nearby: the gap
  /// crosses zero.
  std::optional<Located> locate_touch(const Guard& guard, double theta, double near) {
    const double whole = step_.method().length();
    const auto eval_rate = [&](double length) {
      step_.repeat(length);
      return guards_.eval_slope_at_end(guard).value_or(0.0);
    };
    double length = theta * whole;
    double other = (theta < 0.5 ? theta + kAside : theta - kAside) * whole;
    double other_rate = eval_rate(other);
    double correction = 0.0;
    for (int i = 0; i < kRepeats; ++i) {
      const double rate = eval_rate(length);
      correction = -rate * (length - other) / (rate - other_rate);
      if (!(std::abs(correction) <= kAside * whole)) return std::nullopt;
      if (std::abs(correction) <= kLinear * whole) break;
      other = std::exchange(length, length + correction);
      other_rate = rate;
    }
    Located out{end_of_step(correction), std::abs(guards_.eval_at_end(guard)) <= near};
    // Removes a gap rate of rounding size. With other closed contacts this would move them.
    if (mode_.closed.empty()) stop_velocities(model_, {&guard.contact, 1}, {}, out.state);
    return out;
  }

  /// The same for a guard without a slope below zero: the last state at which it holds. For a
  /// contact's condition, the first state at which it has changed.
  State locate_by_halving(const Guard& guard, double theta) {
    const double whole = step_.method().length();
    const auto holds = [&](double length) {
      step_.repeat(length);
      return guards_.eval_at_end(guard) >= 0.0;
    };
    double low = theta * whole;
    double high = low;
    constexpr double kFarthestSwitch = 1e-2;  // of the step: the interpolant's error
    for (double reach = kLeastPart * whole; reach < kFarthestSwitch * whole; reach *= 10.0) {
      const bool after = holds(low);
      if (after && !holds(high)) break;
      (after ? high : low) = std::max(0.0, theta * whole + (after ? reach : -reach));
    }
    while (high - low > kSumRounding * whole) {
      const double middle = 0.5 * (low + high);
      (holds(middle) ? low : high) = middle;
    }
    const auto eval_at = [&](double length) {
      step_.repeat(length);
      State out = step_.unpack(step_.method().end());
      project_onto_mode(model_, mode_, out);
      return out;
    };
    if (guard.type == GuardType::kSlack) return eval_at(low);
    State out = eval_at(high);
    for (double reach = kSumRounding * whole; reach < kFarthestSwitch * whole; reach *= 10.0) {
      if (eval_state_guard(model_, mode_, guard, out) < 0.0) break;
      out = eval_at(high + reach);
    }
    return out;
  }

  // --- minors of P ---

  struct FoundChange {
    double theta = 0.0;
    MinorChange change;
  };

  void start_minors() {
    minors_ = list_minors(mode_, step_.dynamics());
    minors_at_start_.resize(minors_.size());
    minors_at_end_.resize(minors_.size());
    read_minors();
    minors_at_start_ = minors_at_end_;
  }

  /// Evaluates the minors at the end of the step, where the dynamics are known.
  void read_minors() {
    for (std::size_t i = 0; i < minors_.size(); ++i) {
      minors_at_end_[i] = eval_minor(mode_, step_.dynamics(), minors_[i].subset);
    }
  }

  /// Changes of sign within the step, in order of time; the step is not changed.
  std::vector<FoundChange> find_minor_changes() {
    if (minors_.empty()) return {};
    std::vector<FoundChange> out;
    const ContactDynamics middle =
        eval_contact_dynamics(model_, step_.eval_state(0.5), as_span(mode_.indices));
    for (std::size_t i = 0; i < minors_.size(); ++i) {
      Guard& minor = minors_[i];
      const double end = minors_at_end_[i];
      const double start = std::exchange(minors_at_start_[i], end);
      const auto [low, high] = std::minmax({start, eval_minor(mode_, middle, minor.subset), end});
      // Excluded with the parabola through three points, as for forces.
      if (std::max(low, -high) > 0.5 * (high - low)) continue;
      if (minor.sign != 0.0) {
        add_minor_changes(minor, out);
      } else {
        minor.sign = std::copysign(1.0, end);
      }
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const FoundChange& a, const FoundChange& b) { return a.theta < b.theta; });
    for (FoundChange& found : out) locate_change(found);
    return out;
  }

  /// Finds all changes of sign of a minor. Its sign is then that at the end of the step.
  void add_minor_changes(Guard& minor, std::vector<FoundChange>& found) const {
    constexpr double kPastTouch = 1e-6;  // of the step: beyond the rounding of a double root
    double from = 0.0;
    bool starts_at_zero = false;
    while (from < 1.0) {
      const auto rest = [&](double u) { return guards_.eval(minor, from + u * (1.0 - from)); };
      const auto u = find_first_crossing({rest, starts_at_zero ? 1 : 0, true, kSumRounding});
      if (!u) return;
      from += *u * (1.0 - from);
      const double past = std::min(1.0, from + kPastTouch);
      starts_at_zero = guards_.eval(minor, past) < 0.0;
      if (starts_at_zero) {
        found.push_back({from, {{}, minor}});
        minor.sign = -minor.sign;
      } else {
        from = past;  // it only touched zero
      }
    }
  }

  void locate_change(FoundChange& found) {
    const ModeStep::Finished step = step_.save();
    MinorChange& change = found.change;
    change.state = locate(change.guard, found.theta).state;
    change.guard.sign = -change.guard.sign;
    step_.restore(step);
  }

  /// Reports the changes before the state at which the step ends, if an event or the condition ends
  /// it. Returns an end if the run ends after one of them.
  std::optional<ModeEnd> tell_minor_changes(const std::vector<FoundChange>& changes,
                                            const State* last, bool has_event) {
    for (const auto& [theta, change] : changes) {
      if (last != nullptr && change.state.time >= last->time) break;
      if (tell_minor_(change)) continue;
      if (has_event && options_.keep_trajectory) run_.trajectory->segments.pop_back();
      keep(theta);
      if (options_.keep_trajectory) run_.trajectory->segments.back().to = change.state.time;
      return ModeEnd{ModeEndType::kMinor, change.state, {change.guard}, 0.0, false, {}};
    }
    return std::nullopt;
  }

  // --- jam ---

  /// Remembers that sliding has come to d = 0 within what decides a sign.
  void note_nearness() { is_marginal_ |= mode_.stretched && step_.rate() < kMarginal; }

  std::optional<ModeEnd> find_jam() {
    if (!jam_.is_due(step_.rate())) return std::nullopt;
    const auto end = jam_.look(start_of_step(), step_.rate(), step_.rate_scale());
    run_.counts.evaluations += jam_.evaluations();
    if (!end) return std::nullopt;
    switch (end->type) {
      case JamEndType::kJam:
        return ModeEnd{ModeEndType::kJam, end->state, {}, end->exponent, end->marginal, {}};
      case JamEndType::kPassage:
        return ModeEnd{ModeEndType::kPassage, end->state, {}, 0.0, end->marginal, {}};
      case JamEndType::kSeparation:
        return ModeEnd{ModeEndType::kSeparation, end->state, {}, 0.0, false, {}};
      case JamEndType::kSlipEnds:
        return stop_slip(*end);
      case JamEndType::kReturns:
        return ModeEnd{ModeEndType::kReturns, start_of_step(), {}, 0.0, false, {}, end->impulses};
      case JamEndType::kLocks:
        return ModeEnd{ModeEndType::kLocked, end->state, {}, end->exponent, false, {}};
      case JamEndType::kUnknown:
        break;
    }
    return fail({WhyCode::kNoLimit, "sliding approaches p = 0 with no limit"});
  }

  /// Slip that ends so shortly before the limit that the two times are equal in double precision.
  /// The positions are those at the limit; only the velocities change, by the remaining impulse.
  [[nodiscard]] ModeEnd stop_slip(const JamEnd& end) const {
    const State& limit = end.state;
    const State start = start_of_step();
    ModeEnd out{ModeEndType::kGuards, limit, {}, 0.0, end.marginal, {}};
    double part = 1.0;
    for (const Guard& guard : guards_.all()) {
      if (guard.type != GuardType::kSlip) continue;
      const double before = eval_state_guard(model_, mode_, guard, start);
      const double after = eval_state_guard(model_, mode_, guard, limit);
      if (!(after < 0.0)) continue;
      const double ends = std::max(0.0, before / (before - after));
      if (ends < part) out.guards.clear();
      if (ends <= part) out.guards.push_back(guard);
      part = std::min(part, ends);
    }
    out.state.time = start.time + part * (limit.time - start.time);
    out.state.q = start.q + part * (limit.q - start.q);
    out.state.v = start.v + part * (limit.v - start.v);
    return out;
  }

  const Model& model_;
  const Mode& mode_;
  const SimulationOptions& options_;
  const TellMinor& tell_minor_;
  Pace& pace_;
  Run& run_;
  std::optional<TimeStop> stop_;
  double last_;  ///< time of the mode [s]
  ModeStep step_;
  StepGuards guards_;
  std::vector<Guard> minors_;
  std::vector<double> minors_at_start_, minors_at_end_;  ///< of the step, without their signs
  std::optional<double> shorter_;  ///< part of a refused step that will be made instead
  bool is_marginal_ = false;       ///< the motion has come to d = 0 within rounding
  JamWatch jam_;
};

}  // namespace

ModeEnd integrate_mode(const Model& model, const Mode& mode, const ModeStart& start,
                       const SimulationOptions& options, const TellMinor& tell_minor, Pace& pace,
                       Run& run) {
  return ModeIntegration(model, mode, start, options, tell_minor, pace, run).run(start.state);
}

}  // namespace slipstick
