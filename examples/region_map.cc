// The regions of Coulomb's four cases in a plane: 1 slides, 2 separates, 3 several solutions,
// 4 none. The rimless wheel of [Or2014], angle across, rate upward.
#include <iostream>

#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

int main() {
  const slipstick::LoadedModel wheel = slipstick::read_model("rimless-wheel", {});
  const slipstick::ParadoxProblem problem =
      slipstick::make_paradox_problem(*wheel.model, wheel.initial, wheel.closings,
                                      slipstick::SlipDirection::kPlus, slipstick::Tolerances{});
  const int theta = slipstick::find_coordinate(*wheel.model, "theta");
  const slipstick::MapAxis angle{theta, false, -0.3, 0.3, 61};
  const slipstick::MapAxis rate{theta, true, -1.2, 1.2, 25};
  const slipstick::ParadoxMap map = slipstick::find_paradox_map(problem, angle, rate);
  for (auto row = map.regions.rbegin(); row != map.regions.rend(); ++row) {
    for (const int region : *row) std::cout << region;
    std::cout << '\n';
  }
  for (const slipstick::Boundary& boundary : map.boundaries) {
    std::cout << boundary.what << " at " << boundary.points.front().transpose() << '\n';
  }
}
