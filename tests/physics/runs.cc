#include "physics/runs.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace slipstick::testkit {

Run run_case(Case in) {
  const LoadedModel loaded = read_model(in.model, in.overrides);
  in.options.until = in.until;
  return simulate(*loaded.model, loaded.initial, in.options);
}

Run run_text(const std::string& text, double until, SimulationOptions options) {
  const LoadedModel loaded = parse_model("test.toml", text, {});
  options.until = until;
  return simulate(*loaded.model, loaded.initial, options);
}

LoadedRun run_loaded(const std::string& text, double until) {
  LoadedModel loaded = parse_model("test.toml", text, {});
  SimulationOptions options;
  options.until = until;
  Run run = simulate(*loaded.model, loaded.initial, options);
  return {std::move(loaded), std::move(run)};
}

std::vector<std::string> list_types(const Run& run) {
  std::vector<std::string> out;
  for (const Event& event : run.events) out.emplace_back(find_word(kEventTypes, event.type));
  return out;
}

const Event& find_event(const Run& run, EventType type) {
  const auto found = std::find_if(run.events.begin(), run.events.end(),
                                  [&](const Event& event) { return event.type == type; });
  if (found == run.events.end()) throw std::runtime_error("the event did not happen");
  return *found;
}

}  // namespace slipstick::testkit
