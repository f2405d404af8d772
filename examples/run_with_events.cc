// A run with its events: the two-link arm of [Zhao2008] on a moving rail.
#include <iostream>

#include "slipstick/check.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model_file.h"
#include "slipstick/simulate.h"

int main() {
  const slipstick::LoadedModel arm = slipstick::read_model("two-link-rail", {});
  slipstick::SimulationOptions options;
  options.until = 0.5;  // [s]
  const slipstick::Run run = slipstick::simulate(*arm.model, arm.initial, options);
  for (const slipstick::Event& event : run.events) {
    std::cout << event.time << " s  " << find_word(slipstick::kEventTypes, event.type) << "  "
              << to_letters(event.modes_before) << " -> " << to_letters(event.modes_after) << '\n';
  }
  std::cout << "ended by " << find_word(slipstick::kEndReasons, run.end.reason) << " at "
            << run.end.time << " s\n";

  // The motion at any time within the run.
  const slipstick::State middle = run.trajectory.eval(0.25).state;
  std::cout << "theta1 at 0.25 s: " << middle.q[0] << " rad\n";

  // Independent code checks that the run obeys the laws.
  const slipstick::RunVerdict verdict = slipstick::check_run(*arm.model, options, run);
  std::cout << describe_check(*arm.model, verdict.check) << '\n';
  return verdict.check.passed ? 0 : 1;
}
