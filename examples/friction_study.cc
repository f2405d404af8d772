// A study over a parameter: the first event of a sliding wheel, for friction between 0.25 and 0.45,
// and the friction from which a small slip is paradoxical somewhere.
#include <iostream>
#include <string>
#include <vector>

#include "slipstick/critical_friction.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"
#include "slipstick/simulate.h"

int main() {
  for (int percent = 25; percent <= 45; percent += 5) {
    const std::vector<slipstick::Override> values{{"mu", std::to_string(percent) + "/100"},
                                                  {"theta", "-0.3"},
                                                  {"theta_dot", "0.643"},
                                                  {"x_dot", "0.5"}};
    const slipstick::LoadedModel wheel = slipstick::read_model("rimless-wheel", values);
    slipstick::SimulationOptions options;
    options.until = 1.0;
    options.max_events = 1;
    const slipstick::Run run = slipstick::simulate(*wheel.model, wheel.initial, options);
    std::cout << "mu = 0." << percent << ": ";
    if (run.events.empty()) {
      std::cout << "nothing until " << run.end.time << " s\n";
    } else {
      std::cout << find_word(slipstick::kEventTypes, run.events[0].type) << " at "
                << run.events[0].time << " s\n";
    }
  }
  const slipstick::LoadedModel wheel = slipstick::read_model("rimless-wheel", {});
  const slipstick::ParadoxProblem problem =
      slipstick::make_paradox_problem(*wheel.model, wheel.initial, wheel.closings,
                                      slipstick::SlipDirection::kBoth, slipstick::Tolerances{});
  const auto least = slipstick::find_critical_friction(problem, {});
  std::cout << "paradoxical from mu = " << least->scale * least->friction[0] << " on\n";
}
