#include "run_table.h"

#include <fmt/format.h>

namespace slipstick::cli {
namespace {

std::string join_contacts(const Model& model, const std::vector<int>& contacts) {
  std::string out;
  for (const int i : contacts) {
    out += (out.empty() ? "" : " ") + model.contacts[static_cast<std::size_t>(i)].name;
  }
  return out;
}

/// The option that chose where the laws left a choice.
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

std::string describe_event(const Model& model, const Event& event) {
  std::string impulse = "-";
  if (event.impact) impulse = fmt::format("{:.6g}", event.impact->impulse_n.sum());
  std::string out =
      fmt::format("{:<18.10g} {:<18} {:<16} {:<14} {:>12} {:>14.8g} {:>14.8g}\n", event.time,
                  find_word(kEventTypes, event.type), join_contacts(model, event.contacts),
                  event.modes_before + " -> " + event.modes_after, impulse, event.energy_before,
                  event.energy_after);
  if (event.exponent) {
    out += fmt::format("{:18} the force grew like (t* - t)^{:.8f}\n", "", *event.exponent);
  }
  if (event.zeno) {
    out += fmt::format(
        "{:18} infinitely many impacts end here, {} of them shown; ratio {:.6g}, time error about "
        "{:.1g} s\n",
        "", event.zeno->impacts, event.zeno->ratio, event.zeno->time_error);
  }
  if (!event.alternatives.empty()) {
    out += fmt::format("{:18} chosen by {} {}; also admissible: {}\n", "", find_option(event.type),
                       event.policy, fmt::join(event.alternatives, ", "));
  }
  for (const std::string& note : event.notes) out += fmt::format("{:18} note: {}\n", "", note);
  return out;
}

}  // namespace

std::string describe_run(const Model& model, const Run& run) {
  std::string out = fmt::format("{}: {}\n\n{:<18} {:<18} {:<16} {:<14} {:>12} {:>14} {:>14}\n",
                                model.name, model.title, "time [s]", "event", "contacts", "modes",
                                "impulse [N s]", "energy [J]", "after [J]");
  for (const Event& event : run.events) out += describe_event(model, event);
  if (run.events.empty()) out += "no events\n";
  out +=
      fmt::format("\nend: {} at {:.12g} s", find_word(kEndReasons, run.end.reason), run.end.time);
  if (!run.end.detail.empty()) out += ": " + run.end.detail;
  out += "\n";
  for (int i = 0; i < model.size(); ++i) {
    const std::string& name = model.coordinates[static_cast<std::size_t>(i)];
    out += fmt::format("  {} = {:.12g}  {} = {:.12g}\n", name, run.state.q[i], rate_name(name),
                       run.state.v[i]);
  }
  return out;
}

}  // namespace slipstick::cli
