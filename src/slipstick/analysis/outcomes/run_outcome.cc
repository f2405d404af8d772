#include <algorithm>

#include "slipstick/analysis/outcomes/decisions.h"
#include "slipstick/analysis/outcomes/run_margins.h"
#include "slipstick/check.h"
#include "slipstick/mode_letters.h"
#include "slipstick/outcomes.h"
#include "slipstick/simulate.h"

namespace slipstick {
namespace {

bool counts(const Event& event, const RunQuestion& question) {
  if (question.types.empty()) return event.type != EventType::kParadox;
  return std::find(question.types.begin(), question.types.end(), event.type) !=
         question.types.end();
}

/// Events that count, up to as many as are asked for.
std::vector<const Event*> list_counting(const Run& run, const RunQuestion& question) {
  std::vector<const Event*> out;
  for (const Event& event : run.events) {
    if (static_cast<int>(out.size()) == question.events) break;
    if (counts(event, question)) out.push_back(&event);
  }
  return out;
}

/// A run as long as the question needs.
Run run_for(const Model& model, const State& initial, SimulationOptions options,
            const RunQuestion& question) {
  const int limit = options.max_events;
  // Events that do not count are few, so a run with room for them is seldom done again.
  constexpr int kMore = 4;
  int events = question.by_end ? limit : std::min(question.events, limit);
  for (;; events = std::min(kMore * events, limit)) {
    options.max_events = events;
    Run out = simulate(model, initial, options);
    const bool is_cut = out.end.reason == EndReason::kEventLimit && events < limit;
    const bool has_all = static_cast<int>(list_counting(out, question).size()) == question.events;
    if (!is_cut || has_all) return out;
  }
}

std::string describe_event(const Model& model, const Event& event) {
  std::string out(find_word(kEventTypes, event.type));
  std::string names;
  for (const int contact : event.contacts) {
    names += (names.empty() ? " " : ", ") + model.contact_names[static_cast<std::size_t>(contact)];
  }
  return out + names;
}

}  // namespace

Outcome find_run_outcome(const Model& model, const State& initial, const SimulationOptions& options,
                         const RunQuestion& question) {
  const Run run = run_for(model, initial, options, question);
  Outcome out;
  if (question.checks) {
    const Check check = check_run(model, options, run).check;
    if (!check.passed) {
      out.label = find_word(kEndReasons, EndReason::kFailure);
      out.why = describe_violation(model, check.violations.front());
      return out;
    }
  }
  const std::vector<const Event*> events =
      question.by_end ? std::vector<const Event*>{} : list_counting(run, question);
  for (const Event* event : events) {
    out.label += (out.label.empty() ? "" : "; ") + describe_event(model, *event);
  }
  if (events.empty() || run.end.reason == EndReason::kFailure) {
    out.label = find_word(kEndReasons, run.end.reason);
    out.why = run.end.why.sentence;
  }
  out.tolerance = find_state_tolerance();
  if (!run.trajectory.empty()) {
    out.margins = find_run_margins(model, run, events.empty() ? nullptr : events.back());
  }
  return out;
}

}  // namespace slipstick
