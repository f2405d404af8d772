// The contact problem at one state: Painleve's bar slides where no contact force exists, and where
// several do.
#include <iostream>
#include <string>
#include <vector>

#include "slipstick/classify.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model_file.h"

namespace {

std::string describe(slipstick::ContactClass answer) {
  switch (answer) {
    case slipstick::ContactClass::kConsistent:
      return "one motion";
    case slipstick::ContactClass::kIndeterminate:
      return "several motions";
    case slipstick::ContactClass::kInconsistent:
      return "no motion without an impulse";
  }
  return "?";
}

}  // namespace

int main() {
  // Values are expressions, as with --set on the command line.
  for (const std::string spin : {"0", "3"}) {
    const std::vector<slipstick::Override> values{{"mu", "3"}, {"theta", "1"}, {"theta_dot", spin}};
    const slipstick::LoadedModel bar = slipstick::read_model("painleve-bar", values);
    const slipstick::Classification answer = slipstick::classify(*bar.model, bar.initial, {});
    std::cout << "theta_dot = " << spin << ": " << describe(answer.contact_class) << '\n';
    for (const slipstick::ModeSolution& mode : answer.solutions) {
      std::cout << "  " << to_letters(mode.modes) << ", normal force at A " << mode.force_n[0]
                << " N\n";
    }
  }
}
