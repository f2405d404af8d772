#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "slipstick/contact/contact_problem.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/jam.h"
#include "slipstick/model/contact_dynamics.h"
#include "slipstick/model/scale.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

/// The bounds of a coordinate over a motion. Full turns of an angle at the start stay.
struct ShapeBounds {
  int coordinate = 0;
  double low = 0.0, high = 0.0, slack = 0.0;

  /// Above zero outside.
  [[nodiscard]] double excess(const VecQ& q) const {
    return std::max(low - q[coordinate], q[coordinate] - high) - slack;
  }
};

std::vector<ShapeBounds> make_shape_bounds(const Model& model, const State& initial,
                                           const std::vector<CoordinateRange>& range) {
  const VecQ scale = make_coordinate_scale(model);
  std::vector<ShapeBounds> out;
  for (const CoordinateRange& own : range) {
    const int i = own.coordinate;
    double turns = 0.0;
    if (model.tree.elements[static_cast<std::size_t>(i)].is_angle) {
      constexpr double kTurn = 2.0 * std::numbers::pi;
      turns = kTurn * std::round((initial.q[i] - 0.5 * (own.low + own.high)) / kTurn);
    }
    // A state at the end of its range is within it: an event there is the end of sliding.
    out.push_back({i, own.low + turns, own.high + turns, kClosure * scale[i]});
  }
  return out;
}

/// The first place of a motion, up to a time, at which a coordinate is outside of its bounds.
struct Exit {
  int coordinate = 0;
  State state;
};

std::optional<Exit> find_exit_in(const Segment& segment, int size, const ShapeBounds& bounds,
                                 double until) {
  const auto at = [&](double theta) { return eval_state(segment.polynomial, size, theta); };
  constexpr int kParts = 4;  // of a step of order eight, over which a coordinate turns back once
  double inside = 0.0;
  for (int k = 0; k <= kParts; ++k) {
    double outside = segment.theta_end * k / kParts;
    const State there = at(outside);
    if (bounds.excess(there.q) <= 0.0) {
      if (there.time > until) return std::nullopt;
      inside = outside;
      continue;
    }
    while (outside - inside > kNumberRounding * segment.theta_end) {
      const double middle = 0.5 * (inside + outside);
      if (middle <= inside || middle >= outside) break;
      (bounds.excess(at(middle).q) > 0.0 ? outside : inside) = middle;
    }
    // The time at the end of a step may be later than its event by rounding, so only that of the
    // exit counts.
    Exit out{bounds.coordinate, at(outside)};
    if (out.state.time > until) return std::nullopt;
    return out;
  }
  return std::nullopt;
}

std::optional<Exit> find_exit(const Model& model, const State& initial,
                              const std::vector<ShapeBounds>& range, const Run& run, double until) {
  for (const ShapeBounds& bounds : range) {
    if (bounds.excess(initial.q) > 0.0) return Exit{bounds.coordinate, initial};
  }
  if (range.empty() || run.trajectory.empty()) return std::nullopt;
  for (const Segment& segment : run.trajectory->segments) {
    if (segment.from > until) break;
    std::optional<Exit> first;
    for (const ShapeBounds& bounds : range) {
      auto exit = find_exit_in(segment, model.size(), bounds, until);
      if (exit && (!first || exit->state.time < first->state.time)) first = std::move(exit);
    }
    if (first) return first;
  }
  return std::nullopt;
}

/// True if p is zero within what decides modes, and not because sliding passes with a finite force:
/// motions that seem to be several may be one.
bool is_at_singular_point(const Model& model, const State& state,
                          const std::vector<SlidingContact>& sliding) {
  return std::any_of(sliding.begin(), sliding.end(), [&](const SlidingContact& slider) {
    const int index = slider.contact;
    const ContactDynamics at = eval_contact_dynamics(model, state, std::span(&index, 1));
    const double mu = model.contacts[static_cast<std::size_t>(index)].mu;
    const double p = at.G(0, 0) - slider.slip_sign * mu * at.G(0, 1);
    return std::abs(p) <= kMarginal * at.G(0, 0) &&
           eval_jam_point(model, state, slider).type != JamPointType::kPasses;
  });
}

/// What an event does to contacts that slide until then; nothing if they all slide on.
std::optional<SlidingEnd> find_end_in(const Model& model, const Event& event,
                                      const std::vector<SlidingContact>& sliding) {
  SlidingEnd out;
  out.time = event.time;
  out.state = event.before;
  out.contacts = event.contacts;
  out.exponent = event.exponent;
  const auto is = [&](EventType type) { return event.type == type; };
  if (is(EventType::kJam)) {
    out.outcome = JamOutcome::kJam;
  } else if (is(EventType::kInconsistent)) {
    out.outcome = JamOutcome::kInconsistent;
  } else if (is(EventType::kIndeterminate)) {
    out.outcome = JamOutcome::kIndeterminate;
  } else if (is(EventType::kImpact)) {
    out.outcome = JamOutcome::kImpact;
  } else {
    out.contacts.clear();
    for (const SlidingContact& slider : sliding) {
      const ContactMode after = event.modes_after[static_cast<std::size_t>(slider.contact)];
      if (is_sliding(after) && eval_slip_sign(after) * slider.slip_sign > 0.0) continue;
      const JamOutcome outcome = !is_closed(after)   ? JamOutcome::kLiftOff
                                 : is_sliding(after) ? JamOutcome::kSlipReversal
                                                     : JamOutcome::kStick;
      if (out.contacts.empty()) out.outcome = outcome;
      if (out.outcome == outcome) out.contacts.push_back(slider.contact);
    }
    if (out.contacts.empty()) return std::nullopt;
  }
  const bool is_about_forces =
      out.outcome == JamOutcome::kIndeterminate || out.outcome == JamOutcome::kInconsistent;
  if (is_about_forces && is_at_singular_point(model, event.before, sliding)) {
    const bool is_none = out.outcome == JamOutcome::kInconsistent;
    out.candidates = {JamOutcome::kLiftOff, is_none ? JamOutcome::kInconsistent : JamOutcome::kJam};
  } else if (event.marginal) {
    // The event says what follows if doubles are believed; the other way is told beside it.
    const bool jams = out.outcome == JamOutcome::kJam;
    out.candidates = {out.outcome, jams ? JamOutcome::kLiftOff : JamOutcome::kJam};
  }
  if (!out.candidates.empty()) out.outcome = JamOutcome::kMarginal;
  return out;
}

/// How a run ended in which sliding did not.
SlidingEnd make_run_end(const Run& run) {
  SlidingEnd out;
  out.time = run.end.time;
  out.state = run.state;
  switch (run.end.reason) {
    case EndReason::kTime:
    case EndReason::kCondition:
    case EndReason::kRest:
      break;
    case EndReason::kJam:
      out.outcome = JamOutcome::kJam;
      break;
    case EndReason::kInconsistent:
      out.outcome = JamOutcome::kInconsistent;
      break;
    case EndReason::kIndeterminate:
      out.outcome = JamOutcome::kIndeterminate;
      break;
    default:
      out.outcome = JamOutcome::kFailure;
      out.reasons.push_back(run.end.why
                                ? run.end.why
                                : Why{WhyCode::kTooManySteps,
                                      std::string("the run ended by ") +
                                          std::string(find_word(kEndReasons, run.end.reason))});
  }
  return out;
}

void drop_ended(const SlidingEnd& end, std::vector<SlidingContact>& sliding) {
  std::erase_if(sliding, [&](const SlidingContact& slider) {
    return std::find(end.contacts.begin(), end.contacts.end(), slider.contact) !=
           end.contacts.end();
  });
}

/// After these nothing of the question is left.
bool is_last(const SlidingEnd& end) {
  return end.outcome != JamOutcome::kLiftOff && end.outcome != JamOutcome::kStick &&
         end.outcome != JamOutcome::kSlipReversal;
}

/// The ends that the events of a run give. True if no contact slides on.
bool list_ends(const Model& model, const Run& run, const std::vector<SlidingContact>& sliding,
               std::vector<SlidingEnd>& ends) {
  std::vector<SlidingContact> left = sliding;
  ends.clear();
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    std::optional<SlidingEnd> end = find_end_in(model, run.events[i], left);
    if (!end) continue;
    end->event = static_cast<int>(i);
    drop_ended(*end, left);
    const bool is_over = is_last(*end) || left.empty();
    ends.push_back(std::move(*end));
    if (is_over) return true;
  }
  return false;
}

void check_slides(const Model& model, const std::vector<SlidingContact>& sliding) {
  if (!sliding.empty()) return;
  throw InputError(model.name,
                   "expected a state in which a closed contact slides, got one without slip (set "
                   "rates with --set)");
}

}  // namespace

const SlidingEnd* SlidingMotion::find_jam() const {
  const auto found = std::find_if(ends.begin(), ends.end(), [](const SlidingEnd& end) {
    return end.outcome == JamOutcome::kJam;
  });
  return found == ends.end() ? nullptr : &*found;
}

std::vector<SlidingContact> list_sliding_contacts(const Model& model, const State& state) {
  ContactKinematics kinematics;
  const ContactProblem problem = make_contact_problem(model, state, Tolerances{}, kinematics);
  std::vector<SlidingContact> out;
  for (const ClosedContact& contact : problem.closed) {
    if (contact.slip_sign != 0) out.push_back({contact.index, double(contact.slip_sign)});
  }
  return out;
}

SlidingMotion find_sliding_end(const Model& model, const State& initial,
                               const JamQuestion& question) {
  SlidingMotion out;
  out.sliding = list_sliding_contacts(model, initial);
  check_slides(model, out.sliding);
  SimulationOptions options = question.simulation;
  options.on_jam = OnJam::kStop;
  options.on_inconsistent = OnInconsistent::kStop;
  options.on_indeterminate = OnIndeterminate::kStop;
  options.on_impact = OnImpact::kPrefer;
  options.keep_trajectory = true;
  options.section.reset();
  // Most sliding ends with the first events; a run with room for more is seldom done again.
  constexpr int kFirst = 2;
  constexpr int kMore = 4;
  const int limit = options.max_events;
  for (int events = std::min(kFirst, limit);; events = std::min(kMore * events, limit)) {
    options.max_events = events;
    out.run = simulate(model, initial, options);
    const bool is_over = list_ends(model, out.run, out.sliding, out.ends);
    const bool is_cut = out.run.end.reason == EndReason::kEventLimit && events < limit;
    if (is_over || is_cut) {
      if (is_over) break;
      continue;
    }
    if (out.ends.empty() || out.run.end.reason == EndReason::kFailure) {
      out.ends.push_back(make_run_end(out.run));
    }
    break;
  }
  const std::vector<ShapeBounds> range = make_shape_bounds(model, initial, question.range);
  if (const auto exit = find_exit(model, initial, range, out.run, out.ends.back().time)) {
    SlidingEnd end;
    end.outcome = JamOutcome::kLeavesRange;
    end.time = exit->state.time;
    end.state = exit->state;
    end.coordinate = exit->coordinate;
    std::erase_if(out.ends, [&](const SlidingEnd& later) { return later.time >= end.time; });
    out.ends.push_back(std::move(end));
  }
  return out;
}

}  // namespace slipstick
