#include "run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "slipstick/check.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/function.h"
#include "slipstick/model/model.h"

namespace slipstick::cli {
namespace {

std::string join_contacts(const Model& model, const std::vector<int>& contacts) {
  std::string out;
  for (const int i : contacts) {
    out += (out.empty() ? "" : " ") + model.contacts[static_cast<std::size_t>(i)].name;
  }
  return out;
}

/// The option that decides where the laws leave a choice.
const char* find_option(EventType type) {
  switch (type) {
    case EventType::kInconsistent:
      return "--on-inconsistent";
    case EventType::kIndeterminate:
      return "--on-indeterminate";
    case EventType::kJam:
      return "--on-jam";
    default:
      return "--on-impact";
  }
}

/// What was chosen, by which option, and what else was possible: a line each.
std::string describe_choice(const Event& event) {
  std::string out;
  const bool branches = event.policy == "branch";
  const bool is_taken = !event.taken_text.empty();
  if (!event.policy.empty()) {
    const char* how = !branches  ? "chosen by"
                      : is_taken ? "this way by"
                                 : "every way is followed, by";
    out += fmt::format("{:18} {} {} {}", "", how, find_option(event.type), event.policy);
    out += is_taken ? ": " + event.taken_text + "\n" : "\n";
  } else if (is_taken) {
    out += fmt::format("{:18} taken: {}\n", "", event.taken_text);
  }
  const bool has_texts = event.alternatives_text.size() == event.alternatives.size();
  for (std::size_t i = 0; i < event.alternatives.size(); ++i) {
    out += fmt::format("{:18} {}: {}\n", "", branches ? "one way" : "also admissible",
                       has_texts ? event.alternatives_text[i] : event.alternatives[i]);
  }
  return out;
}

std::string describe_event(const Model& model, const Event& event) {
  std::string impulse = "-";
  // Bilateral contacts can pull. Absolute values are added, so that opposite impulses do not
  // cancel.
  if (event.impact) impulse = fmt::format("{:.6g}", event.impact->impulse_n.cwiseAbs().sum());
  std::string out =
      fmt::format("{:<18.10g} {:<18} {:<16} {:<14} {:>13} {:>18.8g} {:>17.8g}\n", event.time,
                  find_word(kEventTypes, event.type), join_contacts(model, event.contacts),
                  to_letters(event.modes_before) + " -> " + to_letters(event.modes_after), impulse,
                  event.energy_before, event.energy_after);
  if (event.exponent) {
    out += fmt::format("{:18} the force grew like (t* - t)^{:.8f}\n", "", *event.exponent);
  }
  if (event.zeno) {
    out += fmt::format(
        "{:18} infinitely many impacts end here, {} of them shown; ratio {:.6g}, time error about "
        "{:.1g} s\n",
        "", event.zeno->impacts, event.zeno->ratio, event.zeno->time_error);
  }
  out += describe_choice(event);
  for (const std::string& note : event.notes) out += fmt::format("{:18} note: {}\n", "", note);
  return out;
}

std::string describe_end(const Run& run) {
  std::string out =
      fmt::format("end: {} at {:.12g} s", find_word(kEndReasons, run.end.reason), run.end.time);
  if (run.end.why) out += ": " + run.end.why.sentence;
  return out + "\n";
}

std::string describe_state(const Model& model, const State& state) {
  std::string out;
  for (int i = 0; i < model.size(); ++i) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
    out += fmt::format("  {} = {:.12g}  {} = {:.12g}\n", name, state.q[i], rate_name(name),
                       state.v[i]);
  }
  return out;
}

std::string describe_verdict(const Model& model, const Run& run) {
  if (!run.verdict) return {};
  return describe_balance(run.verdict->balance) + "\n" + describe_check(model, run.verdict->check) +
         "\n";
}

/// A zero or extreme of an observable, as a row of the table.
std::string describe_observed(const ObservableRecord& record, const Observed& found) {
  std::string what(find_word(kObservedTypes, found.type));
  if (found.type == ObservedType::kZero) {
    what += found.jumps ? ", jumps" : (found.rises ? ", rising" : ", falling");
  }
  const std::string value =
      found.type == ObservedType::kZero
          ? ""
          : fmt::format("{:.10g}{}{}", found.value, record.unit.empty() ? "" : " ", record.unit);
  return fmt::format("{:<18.10g} {:<18} {:<16} {}\n", found.time, what, record.name, value);
}

/// Events of the run and of its observables, in the order of time.
std::string describe_events(const Model& model, const Run& run) {
  std::vector<std::pair<double, std::string>> rows;
  for (const Event& event : run.events) rows.emplace_back(event.time, describe_event(model, event));
  std::string notes;
  for (const ObservableRecord& record : run.observables) {
    for (const Observed& found : record.events) {
      rows.emplace_back(found.time, describe_observed(record, found));
    }
    if (!record.undefined.empty()) notes += record.name + ": " + record.undefined + "\n";
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out;
  for (const auto& row : rows) out += row.second;
  return (out.empty() ? "no events\n" : out) + notes;
}

std::string indent(const std::string& text, std::size_t depth) {
  const std::string margin(2 * depth, ' ');
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    if (end > at + 1) out += margin;
    out += text.substr(at, end - at);
    at = end;
  }
  return out;
}

std::string describe_tree(const Model& model, const RunTree& tree) {
  std::string out;
  std::vector<std::size_t> depths;
  for (std::size_t i = 0; i < tree.runs.size(); ++i) {
    const BranchRun& branch = tree.runs[i];
    const bool is_first = branch.parent < 0;
    depths.push_back(is_first ? 0 : depths[static_cast<std::size_t>(branch.parent)] + 1);
    std::string text =
        is_first ? "run 0\n"
                 : fmt::format("run {}, from run {}: {}\n", i, branch.parent,
                               branch.choice_text.empty() ? branch.choice : branch.choice_text);
    if (branch.merged_into) {
      text += fmt::format("goes on like run {}\n", *branch.merged_into);
    } else {
      if (!branch.run.events.empty()) text += describe_events(model, branch.run);
      text += describe_end(branch.run);
      if (branch.run.end.reason != EndReason::kBranch) {
        text += describe_state(model, branch.run.state);
      }
      text += describe_verdict(model, branch.run);
    }
    out += indent(text + "\n", depths.back());
  }
  if (tree.limited) {
    out += "Not every choice was followed: see --max-runs and --max-depth.\n";
  }
  return out;
}

}  // namespace

std::string describe_runs(const Model& model, const RunTree& tree) {
  std::string out = fmt::format("{}: {}\n\n{:<18} {:<18} {:<16} {:<14} {:>13} {:>18} {:>17}\n",
                                model.name, model.title, "time [s]", "event", "contacts", "modes",
                                "impulse [N s]", "kinetic before [J]", "kinetic after [J]");
  if (tree.branching) return out + "\n" + describe_tree(model, tree);
  const Run& run = tree.runs[0].run;
  return out + describe_events(model, run) + "\n" + describe_end(run) +
         describe_state(model, run.state) + describe_verdict(model, run);
}

}  // namespace slipstick::cli
