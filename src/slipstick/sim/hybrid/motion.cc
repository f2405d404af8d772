#include "slipstick/sim/hybrid/motion.h"

#include <algorithm>
#include <utility>

#include "slipstick/contact/sliding.h"
#include "slipstick/sim/events/condition.h"
#include "slipstick/sim/hybrid/find_transitions.h"
#include "slipstick/sim/hybrid/policy.h"
#include "slipstick/sim/mode/trajectory.h"

namespace slipstick {
namespace {

/// True if only formulas of time have ended the mode.
bool is_stop(const ModeEnd& end) {
  return end.type == ModeEndType::kGuards && end.guards.size() == 1 &&
         end.guards[0].type == GuardType::kTime;
}

/// Why the run ends, if the mode was not ended by the laws.
std::optional<EndReason> find_reason(const ModeEnd& end) {
  switch (end.type) {
    case ModeEndType::kTime:
      return EndReason::kTime;
    case ModeEndType::kCondition:
      return EndReason::kCondition;
    case ModeEndType::kInterrupted:
      return EndReason::kInterrupted;
    case ModeEndType::kFailure:
      return EndReason::kFailure;
    default:
      return std::nullopt;
  }
}

/// True if the contact of the section has collided and no accumulation ended there.
bool crosses(const std::optional<int>& section, const Transition& way) {
  if (!section || way.events.size() != 1) return false;
  const Event& event = way.events[0];
  return event.type == EventType::kImpact &&
         std::count(event.contacts.begin(), event.contacts.end(), *section) > 0;
}

/// Says that a run up to a condition has ended without it.
void note_never_true(const SimulationOptions& options, RunEnd& end) {
  switch (end.reason) {
    case EndReason::kTime:
    case EndReason::kRest:
    case EndReason::kJam:
    case EndReason::kInconsistent:
    case EndReason::kIndeterminate:
    case EndReason::kEventLimit:
      break;
    default:
      return;
  }
  if (!options.condition || end.why) return;
  end.why = {WhyCode::kNeverTrue,
             "the condition '" + condition_text(*options.condition) + "' was never true"};
}

}  // namespace

Motion::Motion(const Model& model, const State& initial, const SimulationOptions& options)
    : Motion(model, make_start(model, initial, make_laws(options)), options) {}

Motion::Motion(const Model& model, HybridState at, const SimulationOptions& options)
    : model_(model), options_(options), laws_(make_laws(options)), at_(std::move(at)) {
  find_stop(model, laws_, at_);
  run_.trajectory->coordinate_count = model.size();
  pace_.note_event(at_.state.time);
  const Condition* condition = options.condition.get();
  if (condition == nullptr || condition->formula.needs_mode()) return;
  if (holds(*condition, model, at_.mode, at_.state)) {
    finish({EndReason::kCondition, at_.state.time, {}});
  }
}

void Motion::settle() {
  while (!ended_ && !at_.moves()) advance(find_transitions(model_, std::move(at_), laws_));
  if (crossings_ >= options_.crossings) finish({EndReason::kSection, at_.state.time, {}});
}

void Motion::go_on() {
  settle();
  while (!ended_) {
    if (options_.condition && holds(*options_.condition, model_, at_.mode, at_.state)) {
      finish({EndReason::kCondition, at_.state.time, {}});
    } else if (!(at_.state.time < find_last_time(options_.until))) {
      at_.state.time = options_.until;
      finish({EndReason::kTime, at_.state.time, {}});
    } else if (at_.stop && !(at_.state.time < find_last_time(at_.stop->before))) {
      at_.state.time = std::max(at_.state.time, at_.stop->after);
      advance(pass_stop(model_, std::move(at_), laws_));
      settle();
    } else {
      move();
    }
  }
}

/// Follows one mode and the transition at its end. The state is moved into the transition, and
/// comes back as its next state.
void Motion::move() {
  const ModeStart start{at_.state, at_.opening, std::exchange(at_.forces, std::nullopt), at_.stop};
  const auto tell_minor = [this](const MinorChange& change) { return this->tell_minor(change); };
  const ModeEnd end = integrate_mode(model_, at_.mode, start, options_, tell_minor, pace_, run_);
  at_.state = end.state;
  note_motion(model_, start.state, at_);
  at_.contacts.forget_leaving();
  const bool is_over = !(at_.state.time < find_last_time(options_.until));
  if (const auto reason = find_reason(end)) {
    // The mode may go on later, from here: what was at zero when it began no longer is.
    at_.opening.assign(model_.contacts.size(), 0);
    finish({*reason, at_.state.time, end.why});
  } else if (!ended_ && !(is_stop(end) && is_over)) {
    advance(find_transitions(model_, std::move(at_), end, laws_));
  }
  settle();
  if (ended_) return;
  if (!pace_.is_advancing(at_.state.time, at_.fastest.maxCoeff())) {
    finish({EndReason::kFailure, at_.state.time, Pace::explain()});
  }
  if (options_.keep_going && !options_.keep_going(at_.state.time)) {
    finish({EndReason::kInterrupted, at_.state.time, {}});
  }
}

void Motion::advance(Transitions found) {
  const Decision decision = decide(options_, found);
  at_.state = found.state;
  for (Event& event : found.events) tell(std::move(event));
  if (ended_) return;
  if (found.end) return finish(*found.end);
  if (decision == Decision::kTakeAll && found.ways.size() > 1) {
    ways_ = std::move(found.ways);
    return finish({EndReason::kBranch, at_.state.time, {}});
  }
  take(std::move(found.ways.front()));
}

void Motion::take(Transition way) {
  run_.counts.evaluations += way.evaluations;
  if (way.completes_event && !run_.events.empty()) {
    Event& last = run_.events.back();
    last.modes_after = way.next.mode.word;
    last.sliding_after = eval_sliding_row(model_, last.modes_after, last.after);
  }
  if (crosses(options_.section, way)) ++crossings_;
  const std::size_t all = run_.events.size() + way.events.size();
  for (Event& event : way.events) tell(std::move(event));
  if (ended_ && run_.events.size() == all) complete_last_event(std::move(way.next));
  if (ended_) return;
  at_ = std::move(way.next);
  if (way.end) finish(*way.end);
}

/// The last event of the run gets the modes after it, if they are decided without another one.
void Motion::complete_last_event(HybridState next) {
  const auto* seeks = std::get_if<SeeksMode>(&next.pending);
  if (seeks == nullptr || !seeks->completes_event) return;
  const Transitions found = find_transitions(model_, std::move(next), laws_);
  if (!found.events.empty() || found.ways.size() != 1) return;
  const Transition& way = found.ways.front();
  if (!way.completes_event) return;
  Event& last = run_.events.back();
  last.modes_after = way.next.mode.word;
  last.sliding_after = eval_sliding_row(model_, last.modes_after, last.after);
}

Run Motion::take_run() {
  run_.state = at_.state;
  earlier_events_ += static_cast<int>(run_.events.size());
  Run out = std::exchange(run_, {});
  run_.trajectory->coordinate_count = model_.size();
  return out;
}

Motion Motion::follow(const Transition& way) const {
  Motion out = *this;
  out.ways_.clear();
  out.ended_ = false;
  out.take(way);
  out.settle();
  return out;
}

bool Motion::has_same_future(const Motion& other) const {
  if (ended_ != other.ended_ || run_.end.reason != other.run_.end.reason) return false;
  if (!ended_) return slipstick::has_same_future(model_, at_, other.at_);
  const auto are_same = [&](const Transition& a, const Transition& b) {
    return a.choice.kind == b.choice.kind && slipstick::has_same_future(model_, a.next, b.next);
  };
  return is_same_state(model_, at_.state, other.at_.state, eval_rate(model_, at_.state)) &&
         std::equal(ways_.begin(), ways_.end(), other.ways_.begin(), other.ways_.end(), are_same);
}

bool Motion::tell_minor(const MinorChange& change) {
  at_.state = change.state;
  tell(describe_minor_change(model_, at_, laws_, change));
  return !ended_;
}

void Motion::tell(Event event) {
  if (ended_) return;
  pace_.note_event(event.time);
  event.sliding_before = eval_sliding_row(model_, event.modes_before, event.before);
  event.sliding_after = eval_sliding_row(model_, event.modes_after, event.after);
  run_.events.push_back(std::move(event));
  if (earlier_events_ + static_cast<int>(run_.events.size()) < options_.max_events) return;
  at_.state = run_.events.back().after;
  finish({EndReason::kEventLimit, at_.state.time, {}});
}

void Motion::finish(const RunEnd& end) {
  if (ended_) return;
  ended_ = true;
  run_.end = end;
  note_never_true(options_, run_.end);
}

}  // namespace slipstick
