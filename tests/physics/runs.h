#pragma once

/// Runs of built-in models and of texts, and what happened in them.

#include <string>
#include <vector>

#include "slipstick/model_file.h"
#include "slipstick/simulate.h"

namespace slipstick::testkit {

struct Case {
  const char* model = "";
  std::vector<Override> overrides;
  double until = 10.0;
  SimulationOptions options;
};

[[nodiscard]] Run run_case(Case in);
[[nodiscard]] Run run_text(const std::string& text, double until, SimulationOptions options = {});

/// The same with the model that was run.
struct LoadedRun {
  LoadedModel loaded;
  Run run;
};
[[nodiscard]] LoadedRun run_loaded(const std::string& text, double until);

[[nodiscard]] std::vector<std::string> list_types(const Run& run);

/// The first event of this type; throws if there is none.
[[nodiscard]] const Event& find_event(const Run& run, EventType type);

}  // namespace slipstick::testkit
